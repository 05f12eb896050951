import Bytes

/// The part of a shown body that decides whether the event belongs to the proof.
enum EventBody {
  /// A reference to an event, in the log itself or in the log at an index of its table.
  struct Reference: Hashable {
    var index: UInt64?
    var sequence: UInt64
  }

  case open(key: [UInt8], incarnation: UniqueID, name: String)
  case admit(key: [UInt8], name: String, naming: UInt64)
  /// The kept events are the last ones that still count, by log.
  case revoke(key: [UInt8], kept: [(log: UniqueID, sequence: UInt64)])
  /// The hash is that of the event that added the record.
  case erase(add: UniqueID?)
  case add(kind: UInt64)
  /// An edit, a delete or a restore.
  case change(Reference)
  case alias(Reference, with: Reference?)
  /// An event that a proof does not need.
  case other

  /// Reads a body.
  ///
  /// - Throws: ``CBORError`` if the body is malformed.
  init(_ bytes: [UInt8]) throws(CBORError) {
    var reader = CBORReader(bytes.span)
    // This checks the whole encoding, so the rest need not be read.
    var ahead = reader
    _ = try ahead.skip()
    try ahead.finish()
    let count = try reader.arrayHeader()
    guard count > 0 else { throw .truncated(at: 0) }
    switch try reader.unsigned() {
    case 0: self = .add(kind: try reader.kind(of: count))
    case 1, 2, 3:
      let place = reader.offset
      guard count.isMultiple(of: 2) else { throw .wrongLength(expected: 2, at: place) }
      self = .change(try reader.reference())
      try reader.skipFields(count)
    case 4: self = try Self.alias(&reader, count)
    case 8:
      let key = try reader.byteString(count: 32)
      _ = try reader.byteString(count: 32)
      let incarnation = try reader.uniqueID()
      self = .open(key: key, incarnation: incarnation, name: try reader.text())
    case 9:
      let key = try reader.byteString(count: 32)
      let name = try reader.text()
      var naming: UInt64 = 0
      if count > 3, try reader.peek() == .unsigned { naming = try reader.unsigned() }
      self = .admit(key: key, name: name, naming: naming)
    case 10: self = try Self.revoke(&reader)
    case 12:
      _ = try reader.reference()
      var add: UniqueID?
      if count > 2, try reader.peek() == .bytes { add = try reader.uniqueID() }
      self = .erase(add: add)
    default: self = .other
    }
  }

  private static func alias(_ reader: inout CBORReader, _ count: Int) throws(CBORError) -> EventBody
  {
    guard count.isMultiple(of: 2) else { throw .wrongLength(expected: 2, at: 0) }
    let target = try reader.reference()
    var other: Reference?
    for _ in 1..<count / 2 {
      guard try reader.integer() == 5 else {
        _ = try reader.skip()
        continue
      }
      // The last value counts, and anything but a reference joins nothing.
      var value = reader
      _ = try reader.skip()
      other = try? value.referenceValue()
    }
    return .alias(target, with: other)
  }

  private static func revoke(_ reader: inout CBORReader) throws(CBORError) -> EventBody {
    let key = try reader.byteString(count: 32)
    var kept: [(log: UniqueID, sequence: UInt64)] = []
    for _ in 0..<(try reader.arrayHeader()) {
      let place = reader.offset
      guard try reader.arrayHeader() == 3 else { throw .wrongLength(expected: 3, at: place) }
      let log = try reader.uniqueID()
      kept.append((log, try reader.unsigned()))
      _ = try reader.uniqueID()
    }
    return .revoke(key: key, kept: kept)
  }
}

extension CBORReader {
  /// Reads the kind of an add, and the fields after it.
  @_lifetime(self: copy self)
  fileprivate mutating func kind(of count: Int) throws(CBORError) -> UInt64 {
    guard count.isMultiple(of: 2) else { throw .wrongLength(expected: 2, at: offset) }
    let kind = try unsigned()
    try skipFields(count)
    return kind
  }

  @_lifetime(self: copy self)
  fileprivate mutating func skipFields(_ count: Int) throws(CBORError) {
    for _ in 1..<count / 2 {
      _ = try integer()
      _ = try skip()
    }
  }

  /// Reads a reference as the target of an event.
  @_lifetime(self: copy self)
  fileprivate mutating func reference() throws(CBORError) -> EventBody.Reference {
    guard try peek() == .array else {
      return EventBody.Reference(index: nil, sequence: try sequence())
    }
    let place = offset
    guard try arrayHeader() == 2 else { throw .wrongLength(expected: 2, at: place) }
    let index = try unsigned()
    return EventBody.Reference(index: index, sequence: try sequence())
  }

  /// Reads a reference as the value of a field.
  @_lifetime(self: copy self)
  fileprivate mutating func referenceValue() throws(CBORError) -> EventBody.Reference {
    let place = offset
    switch try arrayHeader() {
    case 1: return EventBody.Reference(index: nil, sequence: try sequence())
    case 2:
      let index = try unsigned()
      return EventBody.Reference(index: index, sequence: try sequence())
    default: throw .wrongLength(expected: 2, at: place)
    }
  }

  @_lifetime(self: copy self)
  private mutating func sequence() throws(CBORError) -> UInt64 {
    let place = offset
    let sequence = try unsigned()
    guard sequence > 0, sequence < 1 << 62 else { throw .outOfRange(at: place) }
    return sequence
  }
}
