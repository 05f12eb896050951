import Bytes
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

/// What a diagnosis says about the surroundings of a book: its folders, its clock and its quotas.
struct SurroundingsTests {
  /// The time in these tests: 2026-11-20, nine in the morning.
  private static let now: Int64 = 1_795_165_200_000

  @Test func `Diagnosis: a remembered folder that cannot be written to is a problem`() throws {
    let office = Office(seed: 522)
    let book = try office.found("one")
    let stick = MountedDisk.stick(0)
    try book.contactBook.addPeer("stick", at: .directory(stick))
    _ = try book.replicator.sync(with: .directory(stick))
    func folders() throws -> [FolderPeer] {
      try book.healthCheck.diagnose().findings.flatMap { finding in
        if case .folders(let folders) = finding { folders } else { [FolderPeer]() }
      }
    }
    #expect(try folders().map(\.state) == [.sound])
    let own = try #require(try book.core.localDevice.ownLog)
    let directory = stick / book.id.hex / own.hex
    let before = office.stick.files
    office.stick.becomeReadOnly()
    #expect(try folders().map(\.state) == [.closed(DiskError(.write, directory, .readOnly))])
    #expect(Finding.folders(try folders()).verdict == .problem)
    office.stick.clearWeather()
    office.stick.becomeFull(afterBytes: 0)
    #expect(try folders().map(\.state) == [.closed(DiskError(.write, directory, .full))])
    office.stick.clearWeather()
    #expect(office.stick.files == before)
  }

  @Test func `Diagnosis: an unknown time zone is reported`() throws {
    let desk = try Desk(seed: 523)
    desk.simulated.timekeeper.set(Moment(milliseconds: Self.now))
    _ = try desk.found()
    for (zone, isKnown) in [
      ("Mars/Base", false), ("Nowhere", false), ("Europe/Berlin", true), ("", true), ("UTC", true),
      ("CET-1CEST", true), (":Europe/Berlin", true),
    ] {
      let machine = Machine(
        disk: desk.machine.disk, timekeeper: desk.machine.timekeeper, dice: desk.machine.dice,
        network: desk.machine.network, variable: { $0 == "TZ" ? zone : nil })
      let book = try Book(at: Desk.folder, on: machine, view: .memory)
      let clock = Finding.clock(now: Self.now, isSane: true, unknownZone: zone)
      #expect(
        try book.healthCheck.diagnose().findings.contains(clock) != isKnown, "\(zone)")
      #expect(clock.verdict == .note)
    }
  }

  @Test func `Quota: the share that is used exceeds 100 percent if the quota was lowered`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 9_142)
    for number in 0..<5 { try TrustingTests.add("\(number)", to: books[1]) }
    try office.exchange()
    func usage() throws -> DeviceUsage { try #require(try books[0].statusReader.usage().first) }
    let used = try usage().used.events
    try books[0].admin.setQuota(
      Quota(logs: 64, events: 2, bytes: 10 << 20), of: try usage().device)
    #expect(try usage().percent == Int(used) * 50)
    var huge = try usage()
    huge.used.events = .max
    huge.quota.events = 1
    #expect(huge.percent == Int(Int32.max))
  }
}
