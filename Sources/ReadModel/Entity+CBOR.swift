internal import Bytes
internal import Domain

// The kept state of an entity as bytes, from which the fold goes on exactly where it stood.
//
// Nobody else reads them, so they may change with the schema's version. An entity is
// [birth / null, [* write], [* giver], [* delete], [* alias], [* promise]], its own key left out; a key is two
// items, and a time that is usually equal to the one before it stands as the difference.

extension Entity {
  /// The state, without the key.
  func encoded() -> [UInt8] {
    var writer = CBORWriter()
    encode(into: &writer)
    return writer.bytes
  }

  func encode(into writer: inout CBORWriter) {
    writer.arrayHeader(6)
    if let birth { writer.birth(birth) } else { writer.null() }
    #if PLANTED
    var writes = writes
    if Planted.dropUnknownFields.isOn { writes.removeAll { $0.field.rawValue > 40 } }
    #endif
    writer.list(writes) { $0.stored($1) }
    writer.list(givers) { $0.mark($1) }
    writer.list(deletes) { $0.mark($1) }
    writer.list(aliases) { $0.key($1) }
    writer.list(promises) {
      $0.key($1.parent)
      $0.mark($1.mark)
    }
  }

  /// Reads back what ``encoded()`` wrote.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)``, as only a damaged file holds anything else.
  init(_ key: EventKey, state: [UInt8]) throws(ReadModelError) {
    self.init(key: key)
    do throws(CBORError) {
      var reader = CBORReader(state.span)
      guard try reader.arrayHeader() == 6 else { throw .reserved(at: 0) }
      if try reader.peek() == .null { try reader.null() } else { birth = try reader.birth() }
      for _ in 0..<(try reader.arrayHeader()) { writes.append(try reader.stored()) }
      for _ in 0..<(try reader.arrayHeader()) { givers.append(try reader.mark()) }
      for _ in 0..<(try reader.arrayHeader()) { deletes.append(try reader.mark()) }
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

extension CBORWriter {
  // The elements of a list may be several items, so it opens with an array head that only counts them. Such
  // bytes are no single CBOR item, which nobody but the reader below has to mind.
  fileprivate mutating func list<Element>(
    _ elements: [Element], _ write: (inout CBORWriter, Element) -> Void
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

  fileprivate mutating func stored(_ write: Stored) {
    integer(write.field.rawValue)
    key(write.key)
    times(write.time, write.effectiveTime)
    uniqueID(write.hash)
    value(write.value)
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
  fileprivate mutating func stored() throws(CBORError) -> Stored {
    let field = Field(rawValue: try integer())
    let mark = try mark()
    return Stored(
      field: field, key: mark.key, time: mark.time, effectiveTime: mark.effectiveTime,
      hash: try uniqueID(), value: try domainValue())
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
