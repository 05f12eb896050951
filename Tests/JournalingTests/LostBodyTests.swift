import Bytes
import Platform
import SimulatedPlatform
import Testing
import Verifying

@testable import Journaling

/// Bodies that were stripped because of an `erase` that no longer counts, and are still on other devices.
@Suite struct LostBodyTests {
  @Test func `Lost bodies: a copy without the body does not restore it, but a whole copy does`()
    throws
  {
    let log = try StrippedLog()
    var journal = try log.held(without: [2, 4], noting: [2...2, 4...4])
    try log.give(&journal, copiesWithout: [[4]])
    let (left, places) = (journal.bodiless, try journal.places())
    #expect(try log.bodies(in: journal) == [1, 2, 3, 5])
    #expect(left == [log.id: [4...4]])
    #expect(places.map(\.sequence) == [3])
    try log.give(&journal, copiesWithout: [[]])
    let nothing = journal.bodiless
    #expect(try log.bodies(in: journal) == [1, 2, 3, 4, 5])
    #expect(nothing == [:])
  }

  @Test(
    arguments: [[1, 1, 1, 1], [4]],
    [[[2, 4], []], [[], [2, 4]], [[2, 3], [4]], [[4], [2, 3]], [[2, 3, 5], [3, 4]]])
  func `Lost bodies: each is restored from the copy that has it`(
    commands: [Int], copies: [Set<UInt64>]
  ) throws {
    let log = try StrippedLog(commands: commands)
    var journal = try log.held(without: [2, 3, 4], noting: [2...4])
    try log.give(&journal, copiesWithout: copies)
    let lost = copies[0].intersection(copies[1]).sorted()
    let still = journal.bodiless
    #expect(try log.bodies(in: journal) == Set(1...5).subtracting(lost))
    #expect(still == (lost.isEmpty ? [:] : [log.id: lost.map { $0...$0 }]))
    #expect(try Verification.run(on: Bench.folder, disk: journal.parts.store.disk).faults == [])
  }

  @Test(arguments: [[1, 1, 1, 1], [4]])
  func `Lost bodies: an existing body is kept when copies without it arrive`(
    commands: [Int]
  ) throws {
    let log = try StrippedLog(commands: commands)
    // The hole was recorded before two of the bodies were restored.
    var journal = try log.held(without: [3], noting: [2...4])
    try log.give(&journal, copiesWithout: [[2], [2, 4]])
    #expect(try log.bodies(in: journal) == [1, 2, 3, 4, 5])
  }

  @Test func `Lost bodies: events restored without bodies are listed as bodiless`() throws {
    let log = try StrippedLog()
    let frames = try log.held(without: [3]).exported(log.id, keys: log.bench.keys)
    let disk = log.bench.machine.disk
    let files = disk.files.keys.filter { $0.parent == log.bench.logFolder }
    try #require(files.count == 1)
    disk.rot(files[0], at: 60, flipping: 4)
    var journal = try log.bench.journal()
    for frame in frames { try journal.receive(frame, of: log.id, on: .logs) }
    _ = try journal.commit()
    let (holes, bodiless) = (journal.holes(in: log.id), journal.bodiless)
    #expect(try log.bodies(in: journal) == [1, 2, 4, 5])
    #expect(holes == [])
    #expect(bodiless == [log.id: [3...3]])
  }
}

/// A log of five events; each copy lacks some of their bodies.
private struct StrippedLog {
  let bench: Bench
  private let whole: [Found]

  var id: UniqueID { bench.log }

  /// Writes a log that has, after the first event, commands of the given sizes.
  init(commands: [Int] = [1, 1, 1, 1]) throws {
    bench = try Bench()
    var journal = try bench.begun()
    for (number, count) in commands.enumerated() {
      let command = Bench.command(UInt64(number), events: count)
      _ = try journal.append([command], to: bench.log, keys: bench.keys)
    }
    try journal.seal(bench.log, keys: bench.keys)
    whole = try journal.contents(of: bench.log).events
  }

  /// The journal of a device that stripped some events because of an `erase` that no longer counts.
  func held(
    without sequences: Set<UInt64>, noting bodiless: [ClosedRange<UInt64>] = []
  ) throws -> Journal {
    let machine = bench.copy(of: bench.machine.disk.copy())
    var journal = try Bench.journal(on: machine)
    let erase = Landmark(
      log: UniqueID(high: 4, low: 4), sequence: 9, hash: UniqueID(high: 5, low: 5))
    var erasures = Erasures()
    for sequence in sequences { erasures.insert(EventName(log: id, sequence: sequence), by: erase) }
    _ = try journal.strip(erasures)
    journal = try Bench.journal(on: machine)
    journal.note(bodiless: [id: bodiless])
    return journal
  }

  /// Receives, in one commit, the frames of devices that have stripped the given events.
  func give(_ journal: inout Journal, copiesWithout copies: [Set<UInt64>]) throws {
    for copy in copies {
      for frame in try held(without: copy).exported(id, after: 1, keys: bench.keys) {
        try journal.receive(frame, of: id, on: .logs)
      }
    }
    _ = try journal.commit()
  }

  /// The events whose bodies a journal holds.
  ///
  /// All other content is expected to be intact.
  func bodies(in journal: borrowing Journal) throws -> Set<UInt64> {
    let (events, damage) = try journal.contents(of: id)
    #expect(damage == [])
    #expect(events.map(\.hash) == whole.map(\.hash))
    return Set(zip(events, whole).filter { $0 == $1 }.map(\.0.sequence))
  }
}
