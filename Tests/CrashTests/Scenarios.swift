import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform

extension Scenario {
  static let all = writing + tidying + forking + healing + poison

  private static let writing: [Scenario] = [
    Scenario(name: "the first log", prepare: nothing, perform: begin),
    Scenario(name: "appending", perform: append),
    Scenario(name: "appending a batch", perform: appendBatch),
    Scenario(name: "a large event", perform: appendOnce(Desk.command(50, byteCount: 4_400))),
    Scenario(
      name: "a large command", perform: appendOnce(Desk.command(50, events: 24, byteCount: 150))),
    Scenario(
      name: "the first large event", prepare: nothing,
      perform: appendOnce(Desk.command(50, byteCount: 4_300))),
    Scenario(
      name: "a large event after a torn tail", prepare: tornTail,
      perform: appendOnce(Desk.command(50, byteCount: 4_200))),
    Scenario(
      name: "a command after a torn tail", prepare: tornTail,
      perform: appendOnce(Desk.command(50, events: 9, byteCount: 450))),
    Scenario(
      name: "filling the tail", prepare: almostFullTail, recoveryCuts: 2, perform: fillTail),
    Scenario(name: "sealing", perform: seal),
    Scenario(name: "an import", recoveryCuts: 2, perform: importLines),
    Scenario(name: "a new incarnation", perform: beginIncarnation),
    Scenario(name: "a flush that fails", isFailing: true, perform: appendAfterFailedFlush),
    Scenario(name: "a tail that was torn", prepare: tornTail, perform: append),
    Scenario(name: "extending another's log", prepare: otherLog, perform: extendOther),
    Scenario(name: "another's log", perform: receiveOther),
    Scenario(name: "another's sealed log", recoveryCuts: 2, perform: receiveMuch),
    Scenario(name: "admitting a log", perform: admit),
  ]

  // MARK: Initial states

  /// An empty folder for the book, whose name is already durable.
  static func nothing(_ journal: inout Journal, _ desk: Desk) throws {
    try desk.disk.makeDirectories(Desk.folder)
  }

  /// A log with a sealed file and a tail.
  static func sealedFileAndTail(_ journal: inout Journal, _ desk: Desk) throws {
    try desk.begin(&journal)
    try desk.append((1...2).map { Desk.command($0, events: 2) }, to: &journal)
    try journal.seal(desk.log, keys: desk.keys)
    try desk.append([Desk.command(4, events: 2)], to: &journal)
  }

  static func almostFullTail(_ journal: inout Journal, _ desk: Desk) throws {
    try desk.begin(&journal)
    let byteCount = (Limit.tailBytes - 1_000) / 4
    for number in UInt64(1)...4 {
      try desk.append([Desk.command(number, byteCount: byteCount)], to: &journal)
    }
  }

  /// A log whose tail ends in a partial frame.
  static func tornTail(_ journal: inout Journal, _ desk: Desk) throws {
    try sealedFileAndTail(&journal, desk)
    desk.disk.failCall(1, with: .io, .fromThenOn, halfway: true)
    // This call must fail.
    try? desk.append([Desk.command(5, events: 3)], to: &journal)
    desk.disk.clearWeather()
  }

  static func otherLog(_ journal: inout Journal, _ desk: Desk) throws {
    try sealedFileAndTail(&journal, desk)
    for frame in try OtherLog().frames(1...3) {
      try journal.receive(frame, of: OtherLog.id(), on: .logs)
    }
    _ = try journal.commit()
  }

  // MARK: Operations

  static func begin(_ journal: inout Journal, _ record: inout Record) throws {
    try record.desk.begin(&journal)
    try record.acknowledge()
    try record.append(Desk.command(1), to: &journal)
  }

  static func append(_ journal: inout Journal, _ record: inout Record) throws {
    try record.append(Desk.command(50), to: &journal)
    try record.append(Desk.command(51, events: 3), to: &journal)
    try record.append(Desk.command(52, byteCount: 1_900), to: &journal)
    try record.append(Desk.command(53), Desk.command(54, events: 2), to: &journal)
  }

  static func appendOnce(
    _ command: Command
  ) -> @Sendable (inout Journal, inout Record) throws -> Void {
    { journal, record in
      if journal.logs[record.desk.log] == nil { try record.desk.begin(&journal) }
      try record.append(command, to: &journal)
    }
  }

  static func appendBatch(_ journal: inout Journal, _ record: inout Record) throws {
    let commands = (50..<62).map { Desk.command($0, events: 2, byteCount: 40) }
    try record.desk.append(commands, to: &journal)
    try record.acknowledge()
  }

  static func fillTail(_ journal: inout Journal, _ record: inout Record) throws {
    try record.append(Desk.command(50, byteCount: 1_200), to: &journal)
    try record.append(Desk.command(51), to: &journal)
  }

  static func seal(_ journal: inout Journal, _ record: inout Record) throws {
    for number in UInt64(50)...52 {
      try record.append(Desk.command(number), to: &journal)
      try journal.seal(record.desk.log, keys: record.desk.keys)
    }
  }

  /// Batches between the markers of a run, one of which is large enough to be sealed immediately.
  static func importLines(_ journal: inout Journal, _ record: inout Record) throws {
    func marker(_ edge: RunMarker.Edge, _ count: UInt64) -> Command {
      let marker = RunMarker(edge, source: SHA256.digest(of: [1]), count: count)
      return Command(time: Desk.start + 60_000, events: [NewEvent(body: marker.encode())])
    }
    try record.append(marker(.begin, 0), Desk.command(61, events: 2), to: &journal)
    try record.append(
      Desk.command(62, events: 2, byteCount: 17_000),
      Desk.command(63, events: 2, byteCount: 17_000), to: &journal)
    try record.append(Desk.command(64, events: 3), marker(.end, 9), to: &journal)
  }

  static func beginIncarnation(_ journal: inout Journal, _ record: inout Record) throws {
    let keys = record.desk.keys
    let log = try journal.begin(
      keys, incarnation: UniqueID(high: 1, low: 1), name: "again", at: Desk.start)
    try record.acknowledge()
    _ = try journal.append([Desk.command(50, events: 2)], to: log, keys: keys)
    try record.acknowledge()
  }

  /// A write that could not be flushed stays visible, and the next process builds on it.
  static func appendAfterFailedFlush(
    _ journal: inout Journal, _ record: inout Record
  ) throws {
    record.disk.failCall(2, with: .io)
    // This call must fail.
    try? record.desk.append([Desk.command(50, events: 2)], to: &journal)
    journal = try record.restarted()
    try record.append(Desk.command(51, events: 2), to: &journal)
    try record.append(Desk.command(52), to: &journal)
  }

  // MARK: Logs of other devices

  static func extendOther(_ journal: inout Journal, _ record: inout Record) throws {
    try receive(OtherLog().frames(3...5), &journal, &record)
    try receive(OtherLog().frames(6...8), &journal, &record)
  }

  static func receiveOther(_ journal: inout Journal, _ record: inout Record) throws {
    try receive(OtherLog().frames(1...6), &journal, &record)
  }

  static func receiveMuch(_ journal: inout Journal, _ record: inout Record) throws {
    try receive(OtherLog().frames(1...2), &journal, &record)
    try receive(OtherLog(byteCount: 34_000).frames(3...4), &journal, &record)
    try receive(OtherLog(byteCount: 34_000).frames(5...5), &journal, &record)
  }

  static func admit(_ journal: inout Journal, _ record: inout Record) throws {
    try receive(OtherLog().frames(1...3), &journal, &record, on: .aside)
    try journal.admit(OtherLog.id())
    try record.acknowledge()
    try receive(OtherLog().frames(4...5), &journal, &record)
  }

  static func receive(
    _ frames: [[UInt8]], _ journal: inout Journal, _ record: inout Record,
    on shelf: LogShelf = .logs
  ) throws {
    for frame in frames { try journal.receive(frame, of: OtherLog.id(), on: shelf) }
    _ = try journal.commit()
    try record.acknowledge()
  }
}

/// The log of another device, in the form in which that device sends it.
struct OtherLog {
  /// The body size of the third event and all later events.
  var byteCount = 8
  /// The sequences at which the log branches off; from each of them on, the events have different contents.
  var branchings: [UInt64] = []

  static func id() throws -> UniqueID { try Desk(keySeed: 5).log }

  /// Each frame contains one event.
  ///
  /// The first frame opens the log.
  func frames(_ sequences: ClosedRange<UInt64>) throws -> [[UInt8]] {
    let desk = try Desk(seed: 5, keySeed: 5)
    var journal = try desk.journal(on: desk.disk)
    var frames: [[UInt8]] = []
    for sequence in 1...sequences.upperBound {
      try write(sequence, to: &journal, desk)
      guard sequences.contains(sequence) else { continue }
      let held = try journal.hash(of: desk.log, at: sequence - 1).map {
        [Place(log: desk.log, sequence: sequence - 1, hash: $0)]
      }
      var export = try journal.export(of: desk.log, lackedBy: held ?? [], keys: desk.keys)
      while let frame = try export.next() { frames.append(frame) }
    }
    return frames
  }

  /// Writes the log as its own device does.
  func write(upTo last: UInt64, to journal: inout Journal, _ desk: Desk) throws {
    for sequence in 1...last { try write(sequence, to: &journal, desk) }
  }

  private func write(_ sequence: UInt64, to journal: inout Journal, _ desk: Desk) throws {
    guard sequence > 1 else { return try desk.begin(&journal) }
    let size = sequence < 3 ? 8 : byteCount
    let turn = UInt64(branchings.filter { $0 <= sequence }.count)
    try desk.append([Desk.command(sequence + turn * 100, byteCount: size)], to: &journal)
  }
}
