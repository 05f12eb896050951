package import Bytes

/// The reason why the bytes of a body were refused.
package enum BodyError: Error, Hashable, Sendable {
  case encoding(CBORError)
  /// The items do not form a body with this verb.
  case malformed
  /// The target is in a log that is missing from the author's table.
  case unknownLog(index: UInt64)
}

extension Body {
  /// Encodes the body as stored in an event.
  ///
  /// `index` returns the index of a log in the author's table, or nil for the author's own log.
  package func encode(referring index: (UInt32) -> UInt64?) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(2 + writes.count * 2)
    writer.unsigned(verb.rawValue)
    switch target {
    case .kind(let kind): writer.unsigned(kind.rawValue)
    case .entity(let key):
      if let index = index(key.log) {
        writer.arrayHeader(2)
        writer.unsigned(index)
      }
      writer.unsigned(key.sequence)
    }
    for write in writes {
      writer.integer(write.field.rawValue)
      write.value.encode(into: &writer, referring: index)
    }
    return writer.bytes
  }

  /// Decodes a body.
  ///
  /// `author` is the number of the log that contains the body. `log` returns the number of the log at an index of the
  /// author's table.
  ///
  /// Without `withWrites`, only the verb and the target are returned. Writes that ``ValueBounds`` does not admit are
  /// always left out.
  ///
  /// - Returns: nil if the body is not an array (for example after an erasure), or if its verb is unknown.
  package static func decode(
    _ bytes: Span<UInt8>, author: UInt32, withWrites: Bool = true,
    resolving log: (UInt64) -> UInt32?
  ) throws(BodyError) -> Body? {
    do {
      return try read(bytes, author: author, withWrites: withWrites, resolving: log)
    } catch let error as BodyError {
      throw error
    } catch let error as CBORError {
      throw .encoding(error)
    } catch {
      preconditionFailure("reading throws no other errors")
    }
  }

  /// The number of writes for which space is reserved.
  private static let fewWrites = 32

  private static func read(
    _ bytes: Span<UInt8>, author: UInt32, withWrites: Bool,
    resolving log: (UInt64) -> UInt32?
  ) throws -> Body? {
    var reader = CBORReader(bytes)
    // An erased body is a map.
    guard try reader.peek() == .array else { return nil }
    let count = try reader.arrayHeader()
    guard count >= 2 else { throw BodyError.malformed }
    guard let verb = Verb(rawValue: try reader.unsigned()) else { return nil }
    guard count.isMultiple(of: 2) else { throw BodyError.malformed }
    let target: Target
    if verb == .add {
      target = .kind(Kind(rawValue: try reader.unsigned()))
    } else if try reader.peek() == .unsigned {
      target = .entity(EventKey(log: author, sequence: try reader.unsigned()))
    } else {
      guard try reader.arrayHeader() == 2 else { throw BodyError.malformed }
      let index = try reader.unsigned()
      guard let other = log(index) else { throw BodyError.unknownLog(index: index) }
      target = .entity(EventKey(log: other, sequence: try reader.unsigned()))
    }
    if case .entity(let key) = target, !EventKey.sequences.contains(key.sequence) {
      throw BodyError.malformed
    }
    var writes: [Write] = []
    guard withWrites else {
      for _ in 1..<count / 2 { (_, _) = (try reader.integer(), try reader.skip()) }
      try reader.finish()
      return Body(verb, target)
    }
    // Writes that are left out must not take space, however many there are.
    writes.reserveCapacity(min(count / 2 - 1, Self.fewWrites))
    for _ in 1..<count / 2 {
      let field = Field(rawValue: try reader.integer())
      let value = try Value(from: bytes, &reader, author: author, resolving: log)
      if ValueBounds.admit(value, in: field) { writes.append(Write(field, value)) }
    }
    writes.keepLastOfEachField()
    if writes.contains(where: \.field.isAlternative) {
      // An alternative is valid only if the same event also writes the first value.
      let fields = Set(writes.map(\.field))
      writes.removeAll { $0.field.isAlternative && !fields.contains($0.field.base) }
    }
    try reader.finish()
    return Body(verb, target, writes)
  }
}

extension [Write] {
  /// Keeps only the last write to each field.
  ///
  /// Earlier writes are ignored, including any parents that they refer to.
  fileprivate mutating func keepLastOfEachField() {
    guard zip(self, dropFirst()).contains(where: { $0.field >= $1.field }) else { return }
    var known: Set<Field> = []
    self = Array(reversed().filter { known.insert($0.field).inserted }.reversed())
  }
}

extension Value {
  fileprivate func encode(into writer: inout CBORWriter, referring index: (UInt32) -> UInt64?) {
    switch self {
    case .null: writer.null()
    case .boolean(let flag): writer.boolean(flag)
    case .integer(let number): writer.integer(number)
    case .text(let text): writer.text(text)
    case .bytes(let bytes): writer.byteString(bytes)
    case .reference(let key):
      let index = index(key.log)
      writer.arrayHeader(index == nil ? 1 : 2)
      if let index { writer.unsigned(index) }
      writer.unsigned(key.sequence)
    case .texts(let texts):
      // An empty array has no element type, and an empty list has the same meaning as no value.
      guard !texts.isEmpty else { return writer.null() }
      writer.arrayHeader(texts.count)
      for text in texts { writer.text(text) }
    case .other(let encoded): writer.raw(encoded)
    }
  }

  /// Reads any item; an item of unknown shape is kept in its encoded form.
  @_lifetime(reader: copy reader)
  fileprivate init(
    from bytes: Span<UInt8>, _ reader: inout CBORReader, author: UInt32,
    resolving log: (UInt64) -> UInt32?
  ) throws(CBORError) {
    switch try reader.peek() {
    case .text: self = .text(try reader.text())
    case .boolean: self = .boolean(try reader.boolean())
    case .bytes: self = .bytes(try reader.byteString())
    case .unsigned, .negative: self = try Value(integerIn: bytes, &reader)
    case .null:
      try reader.null()
      self = .null
    default:
      let range = try reader.skip()
      // The item is well-formed at this point, so only its shape can be unknown.
      var item = CBORReader(bytes, at: range.lowerBound)
      self = Value(shapeOf: &item, author: author, resolving: log) ?? .other(bytes.copy(range))
    }
  }

  /// Reads an integer; an integer that does not fit into 64 signed bits is kept in its encoded form.
  @_lifetime(reader: copy reader)
  private init(integerIn bytes: Span<UInt8>, _ reader: inout CBORReader) throws(CBORError) {
    let start = reader
    do throws(CBORError) {
      self = .integer(try reader.integer())
    } catch {
      reader = start
      self = .other(bytes.copy(try reader.skip()))
    }
  }

  @_lifetime(item: copy item)
  private init?(
    shapeOf item: inout CBORReader, author: UInt32, resolving log: (UInt64) -> UInt32?
  ) {
    do throws(CBORError) {
      guard try item.peek() == .array,
        let value = try Value(elementsOf: &item, author: author, resolving: log)
      else { return nil }
      self = value
    } catch {
      // The item is well-formed, so an error means that its shape is unknown.
      return nil
    }
  }

  /// Reads an array that is a reference or a list of strings; nil for any other array.
  @_lifetime(item: copy item)
  private init?(
    elementsOf item: inout CBORReader, author: UInt32, resolving log: (UInt64) -> UInt32?
  ) throws(CBORError) {
    let count = try item.arrayHeader()
    guard count > 0 else { return nil }
    if try item.peek() == .unsigned {
      guard count <= 2 else { return nil }
      let first = try item.unsigned()
      guard count == 2 else {
        guard EventKey.sequences.contains(first) else { return nil }
        self = .reference(EventKey(log: author, sequence: first))
        return
      }
      guard try item.peek() == .unsigned, let other = log(first) else { return nil }
      let sequence = try item.unsigned()
      guard EventKey.sequences.contains(sequence) else { return nil }
      self = .reference(EventKey(log: other, sequence: sequence))
      return
    }
    var texts: [String] = []
    for _ in 0..<count {
      guard try item.peek() == .text else { return nil }
      texts.append(try item.text())
    }
    self = .texts(texts)
  }
}
