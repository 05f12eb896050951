package import Bytes

extension Header {
  package func encode(to writer: inout CBORWriter) {
    guard hasExtras else { return writer.unsigned(delta) }
    writer.arrayHeader(2)
    writer.unsigned(delta)
    let present = [whenDelta != nil, !seen.isEmpty, more > 0, link != nil]
    writer.mapHeader(present.count { $0 })
    if let whenDelta {
      writer.unsigned(0)
      writer.integer(whenDelta)
    }
    if !seen.isEmpty {
      writer.unsigned(1)
      writer.arrayHeader(seen.count)
      for entry in seen { entry.encode(to: &writer) }
    }
    if more > 0 {
      writer.unsigned(2)
      writer.unsigned(more)
    }
    if let link {
      writer.unsigned(3)
      link.encode(to: &writer)
    }
  }

  package func encode() -> [UInt8] {
    var writer = CBORWriter()
    encode(to: &writer)
    return writer.bytes
  }

  /// Reads a header; unknown keys of a newer version are skipped.
  package static func decode(_ reader: inout CBORReader) throws(CBORError) -> Header {
    guard try reader.peek() == .array else { return Header(delta: try reader.unsigned()) }
    let start = reader.offset
    guard try reader.arrayHeader() == 2 else { throw .wrongLength(expected: 2, at: start) }
    var header = Header(delta: try reader.unsigned())
    let map = reader
    let count = try reader.mapHeader()
    guard count > 0 else { throw .truncated(at: map.offset) }
    var previous: UInt64?
    for _ in 0..<count {
      let place = reader.offset
      guard try reader.peek() == .unsigned else {
        // Keys of other types sort after the numbers. Skipping the whole map again checks their order.
        reader = map
        try header.passOver(&reader)
        return header
      }
      let key = try reader.unsigned()
      if let previous, previous >= key {
        throw previous == key ? .duplicateKey(at: place) : .unsortedKeys(at: place)
      }
      previous = key
      try header.decode(key, &reader)
    }
    return header
  }

  private mutating func decode(
    _ key: UInt64, _ reader: inout CBORReader
  ) throws(CBORError) {
    let place = reader.offset
    switch key {
    case 0: whenDelta = try reader.integer()
    case 1:
      let count = try reader.arrayHeader()
      guard count > 0, count <= Limit.seenEntries else { throw .tooMany(at: place) }
      for _ in 0..<count { seen.append(try Seen.decode(&reader)) }
    case 2:
      more = try reader.unsigned()
      guard more > 0 else { throw .outOfRange(at: place) }
    case 3:
      let link = try Reference.decode(&reader)
      guard link.isInRange else { throw .outOfRange(at: place) }
      self.link = link
    default: _ = try reader.skip()
    }
  }

  private func passOver(_ reader: inout CBORReader) throws(CBORError) {
    _ = try reader.skip()
  }
}

extension Seen {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(missing.isEmpty ? 3 : 4)
    switch log {
    case .index(let index): writer.unsigned(index)
    case .introduced(let id): writer.uniqueID(id)
    }
    writer.unsigned(sequence)
    writer.uniqueID(hash)
    guard !missing.isEmpty else { return }
    writer.arrayHeader(missing.count * 2)
    for range in missing {
      writer.unsigned(range.lowerBound)
      writer.unsigned(range.upperBound - range.lowerBound + 1)
    }
  }

  fileprivate static func decode(_ reader: inout CBORReader) throws(CBORError) -> Seen {
    let start = reader.offset
    let count = try reader.arrayHeader()
    guard count == 3 || count == 4 else { throw .wrongLength(expected: 3, at: start) }
    let log: Log =
      try reader.peek() == .bytes
      ? .introduced(try reader.uniqueID()) : .index(try reader.unsigned())
    let place = reader.offset
    let sequence = try reader.unsigned()
    guard sequence > 0, sequence < Limit.lastSequence else { throw .outOfRange(at: place) }
    var seen = Seen(log: log, sequence: sequence, hash: try reader.uniqueID())
    if count == 4 { seen.missing = try ranges(&reader, upTo: sequence) }
    return seen
  }

  private static func ranges(
    _ reader: inout CBORReader, upTo last: UInt64
  ) throws(CBORError) -> [ClosedRange<UInt64>] {
    let start = reader.offset
    let count = try reader.arrayHeader()
    guard count > 0, count.isMultiple(of: 2) else { throw .wrongLength(expected: 2, at: start) }
    var ranges: [ClosedRange<UInt64>] = []
    var least: UInt64 = 1
    for _ in 0..<count / 2 {
      let place = reader.offset
      let first = try reader.unsigned()
      let length = try reader.unsigned()
      guard first >= least, first <= last, length > 0, length <= last - first + 1 else {
        throw .outOfRange(at: place)
      }
      ranges.append(first...first + length - 1)
      // Adjacent ranges must be written as one range.
      least = first + length + 1
    }
    return ranges
  }
}
