import Bytes

/// The parts of an event's header that a proof depends on.
struct EventHeader {
  /// The time since the log's previous event, in ms.
  var delta: UInt64 = 0
  /// The time that a source stated, minus the last such time of the log, in ms; nil if no source stated a time.
  var whenDelta: Int64?
  /// The logs that the event adds to the log's table.
  var introduced: [UniqueID] = []

  init(_ bytes: [UInt8]) throws(CBORError) {
    var reader = CBORReader(bytes.span)
    guard try reader.peek() == .array else {
      delta = try reader.unsigned()
      try reader.finish()
      return
    }
    guard try reader.arrayHeader() == 2 else { throw .wrongLength(expected: 2, at: 0) }
    delta = try reader.unsigned()
    // Skipping the map checks its encoding, including the order of its keys.
    var ahead = reader
    _ = try ahead.skip()
    try ahead.finish()
    let map = reader.offset
    let count = try reader.mapHeader()
    guard count > 0 else { throw .truncated(at: map) }
    for _ in 0..<count {
      guard try reader.peek() == .unsigned else { return }
      switch try reader.unsigned() {
      case 0: whenDelta = try reader.integer()
      case 1: introduced = try Self.introduced(&reader)
      default: _ = try reader.skip()
      }
    }
  }

  private static func introduced(_ reader: inout CBORReader) throws(CBORError) -> [UniqueID] {
    var logs: [UniqueID] = []
    for _ in 0..<(try reader.arrayHeader()) {
      let start = reader.offset
      let items = try reader.arrayHeader()
      guard items == 3 || items == 4 else { throw .wrongLength(expected: 3, at: start) }
      if try reader.peek() == .bytes {
        logs.append(try reader.uniqueID())
      } else {
        _ = try reader.unsigned()
      }
      for _ in 1..<items { _ = try reader.skip() }
    }
    return logs
  }
}
