import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

@testable import Daybook

/// Losses in the branches of a forked log.
struct BranchLossTests {
  /// A watcher that holds two branches of a log, each with two events and in two frames.
  private struct Case {
    let studio: Studio
    let watcher: Copyist
    let one: Copyist
    let twin: Copyist
    /// The log that has forked.
    let log: UniqueID
    /// The branch with a folder of its own.
    let branch: UniqueID

    init(seed: UInt64, hasSeen: Bool = true) throws {
      studio = try Studio(seed: seed, hasWitness: false)
      watcher = try studio.found("watcher")
      one = try studio.join("one")
      try one.add("shared")
      try studio.syncAll()
      log = try #require(try one.writers().first)
      twin = try studio.place("twin")
      twin.restore(one.copyOfDisk())
      // A bundle brings nothing back, so neither machine learns that the log has forked.
      for number in 1...2 {
        for machine in [one, twin] {
          try machine.add("\(machine.name) \(number)")
          let bundle = MountedDisk.stick(0) / "\(machine.name) \(number).bundle"
          _ = try machine.open().replicator.writeBundle(to: bundle)
          _ = try watcher.open().replicator.sync(with: .file(bundle))
        }
      }
      if hasSeen { try watcher.add("by the watcher") }
      let folder = Studio.folder / "logs" / log.hex
      let names = try watcher.machine.disk.list(folder)
      branch = try #require(names.compactMap { UniqueID(hex: $0) }.first)
      #expect(try watcher.open().core.store.journal.forks.count == 2)
      #expect(try watcher.open().verifier.verify().isWhole)
    }

    /// The file with the events 3 and 4 of the branch.
    var file: Path { Studio.folder / "logs" / log.hex / branch.hex / "000000000003.gz" }

    /// Cuts the last frame off the branch.
    func cut() throws {
      let disk = watcher.machine.disk
      let bytes = try disk.contents(of: file, limit: 1 << 20)
      let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x1f, 0x8b, 8, 6]) }
      #expect(starts.count >= 2)
      try disk.replace(file, with: Array(bytes[..<(try #require(starts.last))]))
    }

    func expectHealed() throws {
      try studio.syncAll()
      #expect(try watcher.open().losses.gaps() == [])
      #expect(try watcher.open().verifier.verify().isWhole)
      #expect(try watcher.open().file.losses.isEmpty)
    }
  }

  @Test func `Branch: a lost end is missing although another branch has an event of its sequence`()
    throws
  {
    let lost = try Case(seed: 1_041)
    try lost.cut()
    let fault = Fault(
      file: "logs/\(lost.log.hex)/\(lost.branch.hex)", offset: 0,
      kind: .shortened(held: 3, known: 4))
    for _ in 1...2 {
      #expect(try lost.watcher.open().verifier.verify().faults == [fault])
      #expect(
        try lost.watcher.open().losses.gaps()
          == [Gap(device: "one", log: lost.log, range: 4...4, isBodiless: false)])
    }
    try lost.expectHealed()
  }

  @Test func `Branch: damage at its end is missing, although another branch has its sequence`()
    throws
  {
    let lost = try Case(seed: 1_044, hasSeen: false)
    let disk = lost.watcher.machine.disk
    var bytes = try disk.contents(of: lost.file, limit: 1 << 20)
    bytes[bytes.count - 12] ^= 1
    try disk.replace(lost.file, with: bytes)
    let gap = Gap(device: "one", log: lost.log, range: 4...4, isBodiless: false)
    #expect(try lost.watcher.open().losses.gaps() == [gap])
    // The next command cuts the damaged frame off.
    try lost.watcher.add("after the damage")
    #expect(try lost.watcher.open().losses.gaps() == [gap])
    try lost.expectHealed()
  }

  @Test
  func `Branch: an accepted loss of its end is not reported, and ends when the event returns`()
    throws
  {
    let lost = try Case(seed: 1_042)
    try lost.cut()
    let after = try lost.watcher.open().verifier.acceptLoss().after
    #expect(after.faults == [] && after.accepted == 1)
    #expect(try lost.watcher.open().losses.gaps() == [])
    try lost.expectHealed()
  }

  @Test(arguments: [false, true])
  func `Branch: a lost branch is missing until it returns, and the other one is not`(
    isAccepted: Bool
  ) throws {
    let lost = try Case(seed: 1_043)
    try lost.watcher.machine.disk.remove(lost.file)
    // The log has not forked here any longer, so nothing tells which device wrote the lost branch.
    let fault = Fault(
      file: "logs/\(lost.branch.hex)", offset: 0, kind: .shortened(held: 0, known: 4))
    let gap = Gap(device: lost.branch.hex, log: lost.branch, range: 1...4, isBodiless: false)
    for _ in 1...2 {
      #expect(try lost.watcher.open().verifier.verify().faults == [fault])
      #expect(try lost.watcher.open().losses.gaps() == [gap])
    }
    if isAccepted {
      #expect(try lost.watcher.open().verifier.acceptLoss().after.faults == [])
      #expect(try lost.watcher.open().losses.gaps() == [])
    }
    try lost.expectHealed()
  }

  @Test func `Branch: a lost end that only the second copy of trust events shows is missing`()
    throws
  {
    let lost = try Case(seed: 1_045, hasSeen: false)
    let book = try lost.twin.open()
    try book.admin.rename(try book.deviceList.device(called: "one"), to: "other")
    for name in ["3", "4"] { try lost.one.add(name) }
    for machine in [lost.twin, lost.one] {
      let bundle = MountedDisk.stick(0) / "\(machine.name).bundle"
      _ = try machine.open().replicator.writeBundle(to: bundle)
      _ = try lost.watcher.open().replicator.sync(with: .file(bundle))
    }
    #expect(try lost.watcher.open().verifier.verify().isWhole)
    try lost.cut()
    let report = try lost.watcher.open().verifier.verify()
    #expect(report.faults.map(\.kind) == [.shortened(held: 4, known: 5)])
    #expect(report.remembered == 1)
    #expect(try lost.watcher.open().losses.gaps().map(\.range) == [5...5])
  }

  @Test func `Unplaced events: the faults of other strands of the log are still reported`() {
    let (log, branch) = (UniqueID(high: 1, low: 1), UniqueID(high: 2, low: 2))
    var report = VerificationReport()
    report.logs = [
      VerifiedLog(id: log, isAside: false),
      VerifiedLog(id: branch, replica: log, isAside: false),
    ]
    let folders = report.logs.map(\.folder)
    #expect(folders == ["logs/\(log.hex)", "logs/\(log.hex)/\(branch.hex)"])
    report.faults = folders.map {
      Fault(file: "\($0)/000000000003.gz", offset: 0, sequence: 3, kind: .unrooted)
    }
    let ofBranch = report.faults[1]
    report.tellUnplaced([log: 3...4])
    #expect(
      report.faults == [ofBranch, Fault(file: folders[0], offset: 0, kind: .unplaced(3...4))])
  }

  @Test func `Accepted loss: it is offered only if it removes a fault`() {
    func isOffered(for kind: Fault.Kind) -> Bool {
      var report = VerificationReport()
      report.faults = [Fault(file: "", offset: 0, kind: kind)]
      return report.hasAcceptableLoss
    }
    let kinds: [Fault.Kind] = [
      .missing(1...1), .replaced(2), .damage(count: 1), .tornTail(count: 1),
    ]
    #expect(kinds.allSatisfy(isOffered))
    // No event is missing, and accepting nothing removes no file.
    #expect(![.misnamed, .repeated(1...2), .strangeName].contains(where: isOffered))
  }
}
