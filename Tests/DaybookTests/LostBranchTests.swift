import Bytes
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

@testable import Daybook

/// Trust events on branches of which nothing is held any longer.
struct LostBranchTests {
  /// A machine that holds two branches of a log, which begin with a trust event each.
  private struct Case {
    let studio: Studio
    let three: Copyist
    /// The log that has forked.
    let log: UniqueID
    let rename: TrustEvent
    let revoke: TrustEvent
    let digest: Digest

    init(seed: UInt64) throws {
      studio = try Studio(seed: seed, hasWitness: false)
      let one = try studio.found("one")
      let two = try studio.join("two")
      three = try studio.join("three")
      try two.add("spam")
      try studio.syncAll()
      log = try #require(try one.writers().first)
      let clone = try studio.place("clone")
      clone.restore(one.copyOfDisk())
      let book = try one.open()
      try book.admin.rename(try book.deviceList.device(called: "three"), to: "tablet")
      let other = try clone.open()
      let plan = try other.revoker.revocationPlan(
        for: try other.deviceList.device(called: "two"), whole: true)
      _ = try other.revoker.revoke(by: plan)
      // The log follows the branch that is received first.
      try three.sync(after: one)
      try three.sync(after: clone)
      digest = try three.open().statusReader.digest()
      let forks = try three.open().core.store.journal.forks
      let events = try Self.events(of: three).filter { forks[$0.log] != nil }
      rename = try #require(events.first { $0.verb.verb == .admit })
      revoke = try #require(events.first { $0.verb.verb == .revoke })
      #expect(rename.sequence == revoke.sequence)
      #expect(try Self.standing(three) == .revoked)
      #expect(try three.names() == [])
    }

    static func events(of machine: Copyist) throws -> [TrustEvent] {
      try machine.open().core.projector.posting().ledger.trustEvents
    }

    static func standing(_ machine: Copyist) throws -> Device.Standing {
      try machine.open().deviceList.device(called: "two").standing
    }

    /// Removes the folders below a path from the machine.
    func lose(_ folder: String) throws {
      let disk = three.copyOfDisk()
      for path in disk.files.keys where path.string.contains("/logs/\(folder)") {
        try disk.remove(path)
      }
      three.restore(disk)
    }
  }

  @Test
  func `Lost branch: its revocation counts although the log has another event in its place`() throws
  {
    let lost = try Case(seed: 1_031)
    try lost.lose("\(lost.log.hex)/\(lost.revoke.log.hex)/")
    // The log continues with the events of the other branch.
    var rename = lost.rename
    rename.place.log = lost.log
    let found = try Case.events(of: lost.three).filter { $0.sequence == lost.revoke.sequence }
    #expect(found == [rename, lost.revoke])
    #expect(try Case.standing(lost.three) == .revoked)
    #expect(try lost.three.names() == [])
    #expect(try lost.three.open().statusReader.digest() == lost.digest)
    // The log still has the event of the other branch, although the copy names it by its branch.
    #expect(try lost.three.open().verifier.verify().remembered == 1)

    try lost.studio.syncAll()
    #expect(try lost.three.open().verifier.verify().isWhole)
    #expect(try Case.events(of: lost.three).contains(lost.revoke))
    #expect(try Case.standing(lost.three) == .revoked)
  }

  @Test func `Lost branch: of two lost branches, the events with one sequence all count`() throws {
    let lost = try Case(seed: 1_032)
    try lost.lose("\(lost.log.hex)/")
    let found = try Case.events(of: lost.three).filter { $0.sequence == lost.revoke.sequence }
    #expect(Set(found) == [lost.rename, lost.revoke])
    #expect(try Case.standing(lost.three) == .revoked)
    #expect(try lost.three.open().deviceList.devices().contains { $0.name == "tablet" })
    // The founder is listed with its log, not with a branch.
    let founder = try lost.three.open().deviceList.device(called: "one")
    #expect(founder.replica == lost.log)
    #expect(!founder.hasLog)
  }
}
