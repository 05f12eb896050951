import Bytes
import Platform
import SimulatedPlatform
import Testing
import Verifying

@testable import Journaling

/// Events that a device lost, and that a device sends that lost the events before them.
struct IslandTests {
  /// The writer of the log, whose files hold one event each.
  private let bench: Bench
  private let whole: [Found]

  init() throws {
    bench = try Bench()
    var journal = try bench.begun()
    try journal.seal(bench.log, keys: bench.keys)
    for number: UInt64 in 1...4 {
      _ = try journal.append([Bench.command(number)], to: bench.log, keys: bench.keys)
      try journal.seal(bench.log, keys: bench.keys)
    }
    whole = try journal.contents(of: bench.log).events
  }

  private func file(_ event: UInt64) -> Path {
    bench.logFolder / SegmentName.sealed(event...event).string
  }

  /// Damages the files of events on a disk, and records the events that a reader then misses as holes.
  private func lose(_ events: ClosedRange<UInt64>, on disk: SimulatedDisk) throws {
    for event in events { disk.rot(file(event), at: 60, flipping: 4) }
    var journal = try Bench.journal(on: bench.copy(of: disk))
    try journal.note(holes: [bench.log: [events]])
  }

  @Test(arguments: [2...3, 2...4, 2...5] as [ClosedRange<UInt64>])
  func `Island: events after an event that both devices lost are restored`(
    lost: ClosedRange<UInt64>
  ) throws {
    let (sender, receiver) = (bench.machine.disk.copy(), bench.machine.disk.copy())
    try lose(2...2, on: sender)
    try lose(lost, on: receiver)
    let held = try Bench.journal(on: bench.copy(of: sender))
    var journal = try Bench.journal(on: bench.copy(of: receiver))
    var export = try held.export(of: bench.log, lackedBy: try journal.places(), keys: nil)
    while let frame = try export.next() {
      try journal.receive(frame, of: bench.log, on: .logs, acrossHoles: true)
    }
    _ = try journal.commit()
    receiver.crash()
    journal = try Bench.journal(on: bench.copy(of: receiver))
    let holes = journal.holes(in: bench.log)
    #expect(holes == [2...2])
    #expect(try journal.contents(of: bench.log).events == [whole[0]] + whole[2...])
  }
}
