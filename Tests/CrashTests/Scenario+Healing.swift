import Bytes
import Journaling
import Platform
import SimulatedPlatform

/// Lost events that are restored from another copy.
extension Scenario {
  static let healing: [Scenario] = [
    Scenario(
      name: "a damaged file that comes back", prepare: damaged(smallFiles(3), at: 4),
      perform: heal(smallFiles(3))),
    Scenario(
      name: "a damaged frame that comes back", prepare: damaged(growingTail, at: 4),
      perform: heal(growingTail)),
    Scenario(
      name: "a lost file that comes back", prepare: lost(smallFiles(4), at: 4),
      perform: heal(smallFiles(4))),
    Scenario(
      name: "another's damaged log that comes back",
      prepare: damaged(otherTail, at: 3, isOwn: false), perform: healOther),
  ]

  private typealias Prepare = @Sendable (inout Journal, Desk) throws -> Void

  /// A log with several frames in one tail.
  private static func growingTail(_ journal: inout Journal, _ desk: Desk) throws {
    try desk.begin(&journal)
    for number in UInt64(1)...4 {
      try desk.append([Desk.command(number, events: 2)], to: &journal)
    }
  }

  private static func otherTail(_ journal: inout Journal, _ desk: Desk) throws {
    try sealedFileAndTail(&journal, desk)
    for sequences: ClosedRange<UInt64> in [1...2, 3...3, 4...5] {
      for frame in try OtherLog().frames(sequences) {
        try journal.receive(frame, of: OtherLog.id(), on: .logs)
      }
      _ = try journal.commit()
    }
  }

  /// Changes a byte in the middle of the frame of an event after `prepare`.
  private static func damaged(
    _ prepare: @escaping Prepare, at sequence: UInt64, isOwn: Bool = true
  ) -> Prepare {
    { journal, desk in
      try prepare(&journal, desk)
      let log = try isOwn ? desk.log : OtherLog.id()
      var reader = try journal.reader(of: log, from: sequence)
      guard let read = try reader.read() else { return }
      desk.disk.rot(read.file, at: read.offset + read.frame.length / 2, flipping: 4)
    }
  }

  /// Removes the file of an event after `prepare`.
  private static func lost(_ prepare: @escaping Prepare, at sequence: UInt64) -> Prepare {
    { journal, desk in
      try prepare(&journal, desk)
      var reader = try journal.reader(of: desk.log, from: sequence)
      guard let read = try reader.read() else { return }
      try desk.disk.remove(read.file)
      try desk.disk.flushDirectory(read.file.parent)
    }
  }

  private static func heal(
    _ prepare: @escaping Prepare
  ) -> @Sendable (inout Journal, inout Record) throws -> Void {
    { journal, record in
      // The same device has written the same events on a disk that kept them.
      let intact = try Desk()
      var whole = try intact.journal(on: intact.disk)
      try prepare(&whole, intact)
      try fill(&journal, from: whole, of: intact.log, intact, &record)
      try record.append(Desk.command(50, events: 2), to: &journal)
    }
  }

  static func healOther(_ journal: inout Journal, _ record: inout Record) throws {
    let other = try Desk(seed: 5, keySeed: 5)
    var whole = try other.journal(on: other.disk)
    try OtherLog().write(upTo: 5, to: &whole, other)
    try fill(&journal, from: whole, of: other.log, other, &record)
    try receive(OtherLog().frames(6...7), &journal, &record)
  }

  /// Records the lost events of a log as holes and fills them from another journal.
  private static func fill(
    _ journal: inout Journal, from whole: borrowing Journal, of log: UniqueID, _ desk: Desk,
    _ record: inout Record
  ) throws {
    let held = try Contents(of: journal)
    // At most one frame of three events is lost. The other events are readable, regardless of what precedes them.
    let all = try Contents(of: whole).hashes(of: log)
    guard held.hashes(of: log).count + 3 >= all.count else { throw JournalError.damaged(log) }
    let missing = held.damage.compactMap { damage in
      if case .missing(let range) = damage.kind { range } else { nil }
    }
    try journal.note(holes: [log: missing])
    try record.acknowledge()
    var export = try whole.export(
      of: log, lackedBy: try journal.places(), keys: desk.keys)
    while let frame = try export.next() { try journal.receive(frame, of: log, on: .logs) }
    _ = try journal.commit()
    guard try Contents(of: journal).hashes(of: log) == all else { throw JournalError.damaged(log) }
    try record.acknowledge()
  }
}
