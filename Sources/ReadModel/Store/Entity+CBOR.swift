internal import Bytes
package import Domain

// The kept state of an entity as bytes, from which the fold goes on exactly where it stood.
//
// Nobody else reads them, so they may change with the schema's version. An entity is
// [birth / null, [* write], [* giver], [* delete], [* alias], [* promise]], its own key left out; a key is two
// items, and a time that is usually equal to the one before it stands as the difference. Most writes are of the event
// that added the entity, or of the same one as the write before: that is said in one byte.

extension Entity {
  /// The state, without the key.
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

  /// Reads back what ``encoded()`` wrote.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)``, as only a damaged file holds anything else.
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

/// What stands before a write for its event.
private enum OriginMark {
  /// The one that added the entity.
  static let added: UInt64 = 0
  /// That of the write before.
  static let same: UInt64 = 1
  /// One that follows.
  static let given: UInt64 = 2
}

extension CBORWriter {
  // The elements of a list may be several items, so it opens with an array head that only counts them. Such
  // bytes are no single CBOR item, which nobody but the reader below has to mind.
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
