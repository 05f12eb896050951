internal import Bytes
package import Domain

// The stored state of an entity as bytes, from which the fold continues exactly.
//
// Only this module reads the bytes, so the format can change with the schema version. An entity is [birth / null,
// [* write], [* giver], [* delete], [* alias], [* promise]], without its key. A key takes two items. The second of an
// event's two times is encoded as its difference from the first, since they are usually equal. Most writes belong to
// the event that added the entity or to the event of the previous write; for these, one byte replaces the key, times
// and hash of the event.

extension Entity {
  /// The state as bytes, without the key.
  package func encoded() -> [UInt8] {
    var writer = CBORWriter()
    encode(into: &writer)
    return writer.bytes
  }

  func encode(into writer: inout CBORWriter) {
    writer.arrayHeader(6)
    if let birth { writer.birth(birth) } else { writer.null() }
    var before = birth.map { Origin(of: $0, adding: key) }
    let added = before
    writer.list(writes) { writer, write in
      let origin = Origin(of: write)
      writer.integer(write.field.rawValue)
      switch origin {
      case added: writer.unsigned(OriginMark.added)
      case before: writer.unsigned(OriginMark.same)
      default: writer.origin(origin)
      }
      writer.value(write.value)
      before = origin
    }
    writer.list(givers) { $0.mark($1) }
    writer.list(deletes) { $0.mark($1) }
    writer.list(aliases) { $0.key($1) }
    writer.list(promises) {
      $0.key($1.parent)
      $0.mark($1.mark)
    }
  }

  /// Decodes the bytes that ``encoded()`` returned.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)`` if the bytes have a different form, as in a damaged file.
  package init(_ key: EventKey, state: [UInt8]) throws(ReadModelError) {
    self.init(key: key)
    do throws(CBORError) {
      var reader = CBORReader(state.span)
      guard try reader.arrayHeader() == 6 else { throw .reserved(at: 0) }
      if try reader.peek() == .null { try reader.null() } else { birth = try reader.birth() }
      let added = birth.map { Origin(of: $0, adding: key) }
      var before = added
      for _ in 0..<(try reader.arrayHeader()) {
        let field = Field(rawValue: try reader.integer())
        before = try reader.origin(added: added, before: before)
        guard let before else { throw .reserved(at: reader.offset) }
        writes.append(before.write(of: field, try reader.domainValue()))
      }
      givers = try reader.marks()
      deletes = try reader.marks()
      for _ in 0..<(try reader.arrayHeader()) { aliases.append(try reader.key()) }
      for _ in 0..<(try reader.arrayHeader()) {
        promises.append(Promise(parent: try reader.key(), mark: try reader.mark()))
      }
      try reader.finish()
    } catch {
      throw .unusable(.damaged)
    }
  }
}

/// A mark before the value of a write, which identifies the event that made the write.
private enum OriginMark {
  /// The event that added the entity.
  static let added: UInt64 = 0
  /// The event of the previous write.
  static let same: UInt64 = 1
  /// The event whose key, times and hash follow.
  static let given: UInt64 = 2
}

extension CBORWriter {
  // An element may consist of several CBOR items. The array header counts elements, not items, so the bytes are
  // not one well-formed CBOR item. Only the reader below reads them.
  fileprivate mutating func list<Element>(
    _ elements: some Collection<Element>, _ write: (inout CBORWriter, Element) -> Void
  ) {
    arrayHeader(elements.count)
    for element in elements { write(&self, element) }
  }

  fileprivate mutating func key(_ key: EventKey) {
    unsigned(UInt64(key.log))
    unsigned(key.sequence)
  }

  fileprivate mutating func times(_ time: Int64, _ effectiveTime: Int64) {
    integer(time)
    integer(effectiveTime &- time)
  }

  fileprivate mutating func mark(_ mark: Mark) {
    key(mark.key)
    times(mark.time, mark.effectiveTime)
  }

  fileprivate mutating func origin(_ origin: Origin) {
    unsigned(OriginMark.given)
    key(origin.key)
    times(origin.time, origin.effectiveTime)
    uniqueID(origin.hash)
  }

  fileprivate mutating func birth(_ birth: Entity.Birth) {
    arrayHeader(6)
    if let kind = birth.kind { unsigned(kind.rawValue) } else { null() }
    times(birth.time, birth.effectiveTime)
    uniqueID(birth.hash)
    if let source = birth.source { value(source.value) } else { null() }
    list(birth.joins) { $0.key($1) }
  }
}

extension CBORReader {
  @_lifetime(self: copy self)
  fileprivate mutating func key() throws(CBORError) -> EventKey {
    let log = try unsigned()
    return EventKey(log: UInt32(truncatingIfNeeded: log), sequence: try unsigned())
  }

  @_lifetime(self: copy self)
  fileprivate mutating func mark() throws(CBORError) -> Mark {
    let key = try key()
    let time = try integer()
    return Mark(key: key, time: time, effectiveTime: time &+ (try integer()))
  }

  @_lifetime(self: copy self)
  fileprivate mutating func marks() throws(CBORError) -> [Mark] {
    var marks: [Mark] = []
    for _ in 0..<(try arrayHeader()) { marks.append(try mark()) }
    return marks
  }

  @_lifetime(self: copy self)
  fileprivate mutating func origin(added: Origin?, before: Origin?) throws(CBORError) -> Origin? {
    switch try unsigned() {
    case OriginMark.added: return added
    case OriginMark.same: return before
    default:
      let mark = try mark()
      return Origin(
        key: mark.key, time: mark.time, effectiveTime: mark.effectiveTime, hash: try uniqueID())
    }
  }

  @_lifetime(self: copy self)
  fileprivate mutating func birth() throws(CBORError) -> Entity.Birth {
    _ = try arrayHeader()
    var kind: Kind?
    if try peek() == .null { try null() } else { kind = Kind(rawValue: try unsigned()) }
    let time = try integer()
    let effectiveTime = time &+ (try integer())
    let hash = try uniqueID()
    let source = Source(try domainValue())
    var joins: [EventKey] = []
    for _ in 0..<(try arrayHeader()) { joins.append(try key()) }
    return Entity.Birth(
      kind: kind, time: time, effectiveTime: effectiveTime, hash: hash, source: source,
      joins: joins)
  }
}
