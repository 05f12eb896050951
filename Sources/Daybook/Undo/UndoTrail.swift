import Bytes
import Domain
import ReadModel

/// What the latest commands of this device found, kept with the read model, so that to undo one of them not all logs
/// are folded.
///
/// The commands follow one another up to where the read model is, and nothing of any other log was posted between
/// them: what one of them wrote, nobody else has written to since.
struct UndoTrail {
  /// One command.
  struct Mark {
    var first: UInt64
    var last: UInt64
    /// The command that it undoes, by its first event.
    var undoes: UInt64?
    /// The states of all that it touched, as they were before; nil where there was nothing.
    var before: [EventKey: [UInt8]?]
  }

  /// The own log.
  var log: UniqueID
  private(set) var marks: [Mark] = []

  /// Half of them, since each undo is one more, can be undone one after the other; who goes further back waits longer.
  private static let mostMarks = 64
  /// What an import or a deletion of many records touches is worth no copy.
  private static let mostBytes = 1 << 14

  init(of log: UniqueID) { self.log = log }

  /// The last event of the last command.
  var end: UInt64 { marks.last?.last ?? 0 }

  /// Takes down a command; where it does not follow the others, they are forgotten.
  mutating func append(_ mark: Mark) {
    if end + 1 != mark.first { marks = [] }
    marks.append(mark)
    dropWhatHasNoRoom()
    // An undo whose command is not here any more says nothing to go by.
    while let undone = marks.firstIndex(where: { mark in
      mark.undoes.map { undone in !marks.contains { $0.first == undone } } ?? false
    }) { marks.removeFirst(undone + 1) }
  }

  /// Keeps the latest.
  private mutating func dropWhatHasNoRoom() {
    var room = Self.mostBytes
    let kept = marks.reversed().prefix(Self.mostMarks).prefix { mark in
      room -= mark.before.values.reduce(0) { $0 + ($1?.count ?? 0) }
      return room >= 0
    }
    marks.removeFirst(marks.count - kept.count)
  }

  /// The command that an undo takes back now.
  var next: Mark? {
    let steps = marks.map { mark in
      Step(first: mark.first, events: [mark.first...mark.last], undoes: mark.undoes, time: 0)
    }
    guard let step = UndoStack(steps).done.last else { return nil }
    return marks.first { $0.first == step.first }
  }
}

extension UndoTrail.Mark {
  /// The entities that it touched, as they were before.
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
