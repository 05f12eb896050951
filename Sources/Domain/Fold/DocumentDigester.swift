internal import Bytes
internal import Crypto

/// The contribution of one document to the state digest.
package struct DocumentDigest: Sendable {
  /// The entity under which the document is shown.
  package let key: EventKey
  package let document: StateDigest.Document
  /// Whether the document refers to an entity whose add is not folded; the digest can change once it is folded.
  package let awaitsOthers: Bool
}

/// Computes the contributions of documents to the state digest, one after the other.
///
/// The state digest covers everything that was written and survives, byte for byte as protocol.md specifies. Values
/// that are only implied by a write to *done* or by an add are not part of the digest.
package struct DocumentDigester: ~Copyable {
  private var hash = SHA256()
  private var writer = CBORWriter()

  package init() {}

  /// The contribution of the document shown under an entity; nil if there is none.
  package mutating func digest(
    under entity: borrowing Entity, in joined: JoinedEntities
  ) -> DocumentDigest? {
    guard let kind = entity.kind, let id = entity.id else { return nil }
    writer.removeAll(keepingCapacity: true)
    writer.arrayHeader(5)
    writer.uniqueID(id)
    writer.unsigned(kind.rawValue)
    var awaitsOthers = false
    if joined.isAlone(entity) {
      encode(entity, in: joined)
      awaitsOthers = Self.awaitsOthers(entity, in: joined)
    } else {
      guard let membership = joined.membership(of: entity), membership.shown == entity.key else {
        return nil
      }
      let members = membership.members.compactMap { joined.entities[$0] }
      encode(members, isAlive: membership.isAlive, in: joined)
      awaitsOthers = members.contains { Self.awaitsOthers($0, in: joined) }
    }
    hash.update(writer.bytes)
    return DocumentDigest(
      key: entity.key, document: StateDigest.Document(id: id, digest: hash.finish()),
      awaitsOthers: awaitsOthers)
  }

  private static func awaitsOthers(_ entity: Entity, in joined: JoinedEntities) -> Bool {
    for write in entity.writes {
      if let key = write.value.reference, joined.entities.kind(of: key) == nil { return true }
    }
    return false
  }

  // A document is written as `[id, kind, alive, [* source], {* field => [+ value]}]`.

  /// Writes a document with one member, except for its id and kind.
  private mutating func encode(_ entity: Entity, in joined: JoinedEntities) {
    let isAlive = entity.isAlive(by: joined.causality)
    guard let values = Self.onlyValues(of: entity, in: joined) else {
      return encode([entity], isAlive: isAlive, in: joined)
    }
    writer.boolean(isAlive)
    writer.arrayHeader(entity.source == nil ? 0 : 1)
    entity.source?.encode(into: &writer)
    writer.mapHeader(values.count)
    for (field, value) in values {
      writer.integer(field.rawValue)
      writer.arrayHeader(1)
      joined.encode(value, into: &writer)
    }
  }

  /// Writes a document with the given members, except for its id and kind.
  private mutating func encode(_ members: [Entity], isAlive: Bool, in joined: JoinedEntities) {
    writer.boolean(isAlive)
    encodeSources(of: members)
    let registers = Self.values(of: members, in: joined)
    writer.mapHeader(registers.count)
    for (field, values) in registers {
      writer.integer(field.rawValue)
      writer.arrayHeader(values.count)
      for value in values { joined.encode(value, into: &writer) }
    }
  }

  private mutating func encodeSources(of members: [Entity]) {
    let sources = Set(members.compactMap(\.source)).map(\.encoded)
    writer.arrayHeader(sources.count)
    for source in sources.sorted(by: { $0.lexicographicallyPrecedes($1) }) { writer.raw(source) }
  }

  /// The result of ``values(of:in:)`` for an entity that keeps one write per field; nil for any other entity.
  private static func onlyValues(
    of entity: Entity, in joined: JoinedEntities
  ) -> [(Field, Value)]? {
    var values: [(Field, Value)] = []
    values.reserveCapacity(entity.writes.count)
    var last: Field?
    for write in entity.writes {
      guard write.field != last, !write.field.isAlternative else { return nil }
      last = write.field
      switch write.value {
      case .null: continue
      case .reference(let key):
        guard let shown = joined.shownMember(of: key) else { continue }
        values.append((write.field, .reference(shown)))
      case let value: values.append((write.field, value))
      }
    }
    return values
  }

  /// The stored fields, without the values that are derived for to-dos.
  ///
  /// A register is left out if it holds only null, or if none of its writes survives. The latter can happen because two
  /// events can each claim to have seen the other.
  private static func values(
    of members: [Entity], in joined: JoinedEntities
  ) -> [(Field, [Value])] {
    Register.all(of: members, by: joined.causality, \.runs).compactMap { register in
      let values = joined.distinctValues(register.survivors).map(\.value)
      return values.isEmpty || values == [.null] ? nil : (register.field, values)
    }
  }
}
