import Bytes
import Domain
import ReadModel

/// The state before the latest commands of this device, kept in the read model, so that an undo of one of them need
/// not fold all logs.
///
/// The commands are consecutive and end at the read model's position in this device's own log. No event of another log
/// was posted between or after them, so no other log has since written to the entities that they touched.
struct UndoTrail {
  /// One command of the trail.
  struct Mark {
    var first: UInt64
    var last: UInt64
    /// The first event of the command that this command undoes.
    var undoes: UInt64?
    /// The states of the touched entities before the command; nil for an entity that did not exist.
    var before: [EventKey: [UInt8]?]
  }

  /// This device's own log.
  var log: UniqueID
  private(set) var marks: [Mark] = []

  /// The maximum number of commands in the trail.
  ///
  /// Each undo adds a command, so about half of them can be undone in a row. Undoing more commands requires a fold of
  /// the logs.
  private static let mostMarks = 64
  /// The maximum number of bytes of states in the trail, so that the states before an import or a deletion of many
  /// records are not kept.
  private static let mostBytes = 1 << 14

  init(of log: UniqueID) { self.log = log }

  /// The last event of the last command; 0 if the trail is empty.
  var end: UInt64 { marks.last?.last ?? 0 }

  /// Adds a command; if it does not directly follow the last command, all earlier commands are dropped.
  mutating func append(_ mark: Mark) {
    if end + 1 != mark.first { marks = [] }
    marks.append(mark)
    dropWhatHasNoRoom()
    // An undo whose command is no longer in the trail cannot be interpreted, so it and all marks before it are
    // dropped.
    while let undone = marks.firstIndex(where: { mark in
      mark.undoes.map { undone in !marks.contains { $0.first == undone } } ?? false
    }) { marks.removeFirst(undone + 1) }
  }

  /// Drops the oldest marks beyond either limit.
  private mutating func dropWhatHasNoRoom() {
    var room = Self.mostBytes
    let kept = marks.reversed().prefix(Self.mostMarks).prefix { mark in
      room -= mark.before.values.reduce(0) { $0 + ($1?.count ?? 0) }
      return room >= 0
    }
    marks.removeFirst(marks.count - kept.count)
  }

  /// The command that the next undo reverses.
  var next: Mark? {
    let steps = marks.map { mark in
      Step(first: mark.first, events: [mark.first...mark.last], undoes: mark.undoes, time: 0)
    }
    guard let step = UndoStack(steps).done.last else { return nil }
    return marks.first { $0.first == step.first }
  }
}

extension UndoTrail.Mark {
  /// The touched entities that existed, as they were before the command.
  func entities() throws(ReadModelError) -> [Entity] {
    var entities: [Entity] = []
    for (key, state) in before.sorted(by: { $0.key < $1.key }) {
      if let state { entities.append(try Entity(key, state: state)) }
    }
    return entities
  }
}

// MARK: Bytes

extension UndoTrail {
  func encode() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(2)
    writer.byteString(log.bytes)
    writer.arrayHeader(marks.count)
    for mark in marks {
      writer.arrayHeader(3 + mark.before.count * 3)
      writer.unsigned(mark.first)
      writer.unsigned(mark.last)
      writer.unsigned(mark.undoes ?? 0)
      for (key, state) in mark.before.sorted(by: { $0.key < $1.key }) {
        writer.unsigned(UInt64(key.log))
        writer.unsigned(key.sequence)
        if let state { writer.byteString(state) } else { writer.null() }
      }
    }
    return writer.bytes
  }

  init(decoding bytes: [UInt8]) throws(CBORError) {
    var reader = CBORReader(bytes.span)
    let start = reader.offset
    guard try reader.arrayHeader() == 2 else { throw .wrongLength(expected: 2, at: start) }
    log = try reader.uniqueID()
    for _ in 0..<(try reader.arrayHeader()) {
      let count = try reader.arrayHeader() / 3 - 1
      let (first, last) = (try reader.unsigned(), try reader.unsigned())
      let undone = try reader.unsigned()
      var before: [EventKey: [UInt8]?] = [:]
      for _ in 0..<max(0, count) {
        let log = UInt32(truncatingIfNeeded: try reader.unsigned())
        let key = EventKey(log: log, sequence: try reader.unsigned())
        if try reader.peek() == .null {
          try reader.null()
          before.updateValue(nil, forKey: key)
        } else {
          before[key] = try reader.byteString()
        }
      }
      marks.append(
        Mark(first: first, last: last, undoes: undone == 0 ? nil : undone, before: before))
    }
    try reader.finish()
  }
}
