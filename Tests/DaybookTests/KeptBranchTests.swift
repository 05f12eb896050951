import Bytes
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

@testable import Daybook

/// The branches that a revocation keeps, after one of them is lost.
struct KeptBranchTests {
  /// A machine that holds two branches of a revoked device's log, of the device and of its clone.
  ///
  /// The folder of the log contains the branch of the clone. On its branch, the device has admitted another device.
  private struct Case {
    let studio: Studio
    let three: Copyist
    /// The log that has forked.
    let log: UniqueID
    /// The branch of the device.
    let branch: UniqueID
    let clonesBranch: UniqueID
    /// The last events of the log, of the branch of the device, and of the branch of the clone.
    let ends: [UInt64]
    let digest: Digest

    init(seed: UInt64, isCloneKnown: Bool) throws {
      studio = try Studio(seed: seed, hasWitness: false)
      let one = try studio.found("one")
      let two = try studio.join("two")
      three = try studio.join("three")
      try two.add("shared")
      try studio.syncAll()
      log = try #require(try two.writers().first)
      let clone = try studio.place("clone")
      clone.restore(two.copyOfDisk())
      let bundle = MountedDisk.stick(0) / "clone.bundle"
      // The log follows the branch that is received first. The events of one sync may be in one frame.
      for name in ["by the clone", "later by the clone"] {
        try clone.add(name)
        _ = try clone.open().replicator.writeBundle(to: bundle)
        _ = try three.open().replicator.sync(with: .file(bundle))
      }
      try two.add("by two")
      let four = try studio.joinAlone("four")
      try four.add("by four")
      _ = try four.open().replicator.sync(with: Office.directory)
      try two.sync()
      try one.sync(after: two)
      if isCloneKnown { _ = try one.open().replicator.sync(with: .file(bundle)) }
      let book = try one.open()
      let plan = RevocationPlan(
        device: try book.deviceList.device(called: "two").withoutPart, formerKeys: [],
        dependents: [], kept: [], isWhole: false)
      _ = try book.revoker.revoke(by: plan)
      try three.sync(after: one)
      let folders = three.copyOfDisk().files.keys.flatMap { path in
        path.string.split(separator: "/").compactMap { UniqueID(hex: String($0)) }
      }
      let store = try three.open().core.store
      let branches = Set(store.journal.forks.keys)
      branch = try #require(branches.intersection(folders).first)
      clonesBranch = try #require(branches.subtracting(folders).first)
      ends = [log, branch, clonesBranch].map {
        store.journal.end(of: $0, on: .logs)?.sequence ?? 0
      }
      digest = try three.open().statusReader.digest()
    }

    /// Removes the branch of the device from the machine.
    func loseBranch() throws {
      let disk = three.copyOfDisk()
      for path in disk.files.keys where path.string.contains("/\(log.hex)/\(branch.hex)/") {
        try disk.remove(path)
      }
      three.restore(disk)
    }

    /// Damages the last event of the log on the machine.
    func damageEnd() throws {
      let disk = three.copyOfDisk()
      let folder = "/home/book/logs/\(log.hex)/"
      let files = disk.files.filter { path, _ in
        path.string.hasPrefix(folder) && !path.string.dropFirst(folder.count).contains("/")
      }
      let last = try #require(files.max { $0.key.string < $1.key.string })
      disk.rot(last.key, at: last.value.count - 20, flipping: 1)
      three.restore(disk)
    }

    /// Damages the frame with the last event before the fork.
    func damageForkPoint() throws {
      let disk = three.copyOfDisk()
      let folder = "/home/book/logs/\(log.hex)/"
      for (path, bytes) in disk.files
      where path.string.hasPrefix(folder) && !path.string.dropFirst(folder.count).contains("/") {
        var start = 0
        for frame in bytes.frames {
          if frame.events.contains(where: { $0.sequence == ends[0] }) {
            disk.rot(path, at: start + frame.length / 2, flipping: 4)
          }
          start += frame.length
        }
      }
      three.restore(disk)
    }

    /// The last event that counts of each log of the revoked device.
    func cuts() throws -> [UniqueID: UInt64] { try three.open().core.projector.trust().cuts }

    /// Receives what was lost, and expects the same state as before the loss.
    func expectRestored(_ names: [String], _ cuts: [UniqueID: UInt64]) throws {
      try three.sync()
      #expect(try three.names() == names)
      #expect(try self.cuts() == cuts)
      #expect(try three.open().verifier.verify().isWhole)
      #expect(try three.open().statusReader.digest() == digest)
    }
  }

  @Test func `Lost branch: the kept events of the other branch still count`() throws {
    let kept = try Case(seed: 1_041, isCloneKnown: true)
    let names = ["by four", "by the clone", "by two", "later by the clone", "shared"]
    let before = [
      kept.log: kept.ends[0], kept.branch: kept.ends[1], kept.clonesBranch: kept.ends[2],
    ]
    #expect(try kept.three.names() == names)
    #expect(try kept.cuts() == before)

    try kept.loseBranch()
    // The log continues with the events of the clone, and the admission on the lost branch still counts.
    #expect(
      try kept.three.names() == ["by four", "by the clone", "later by the clone", "shared"])
    #expect(try kept.cuts() == [kept.log: kept.ends[2], kept.branch: kept.ends[1]])
    let store = try kept.three.open().core.store
    let reader = TrustReader(store: store)
    // The admission is also the last kept event of its branch.
    #expect(try reader.lostTrust() == 1)
    try store.changingFile { file in
      file.losses.accept([kept.log: [kept.ends[0] + 1...kept.ends[1]]])
      return true
    }
    #expect(try reader.lostTrust() == 0)
    try kept.expectRestored(names, before)
  }

  @Test func `Lost branch: the events before a lost kept event of the other branch still count`()
    throws
  {
    let kept = try Case(seed: 1_043, isCloneKnown: true)
    try kept.loseBranch()
    try kept.damageEnd()
    // Only the second copy shows how far the clone's branch counts, and calls it by an id that it no longer has.
    #expect(try kept.three.names() == ["by four", "by the clone", "shared"])
    #expect(try kept.cuts() == [kept.log: kept.ends[2], kept.branch: kept.ends[1]])
  }

  @Test func `Lost branch: events of another branch do not count in place of the kept events`()
    throws
  {
    let kept = try Case(seed: 1_042, isCloneKnown: false)
    let names = ["by four", "by two", "shared"]
    let before = [kept.log: kept.ends[0], kept.branch: kept.ends[1], kept.clonesBranch: 0]
    #expect(try kept.three.names() == names)
    #expect(try kept.cuts() == before)

    try kept.loseBranch()
    #expect(try kept.three.names() == ["by four", "shared"])
    #expect(try kept.cuts() == [kept.log: kept.ends[0], kept.branch: kept.ends[1]])
    #expect(try kept.three.open().verifier.verify().remembered == 1)
    try kept.expectRestored(names, before)
  }

  @Test func `Lost branch: the second copy keeps the hash of an event that can no longer be read`()
    throws
  {
    let kept = try Case(seed: 1_046, isCloneKnown: true)
    let stored = try TrustReader(store: try kept.three.open().core.store).storedTrust()
    let points = try #require(stored).forkPoints
    #expect(points[kept.branch]?.sequence == kept.ends[0])
    #expect(points[kept.branch]?.hash != UniqueID.none)
    try kept.damageForkPoint()
    let core = try kept.three.open().core
    let reader = TrustReader(store: core.store)
    let record = try reader.trustRecord(
      by: try core.projector.posting().ledger, and: try #require(try reader.storedTrust()))
    // What followed the event in its own folder is in the log again, so only the other branch is lost.
    #expect(record.forkPoints == [kept.branch: try #require(points[kept.branch])])
  }
}
