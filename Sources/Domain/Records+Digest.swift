package import Bytes
internal import Crypto

// The state digest: equal on two devices exactly if they show the same, byte for byte as protocol.md says.

extension Records {
  /// The digest of all documents; equal sets of facts give equal digests.
  package func digest() -> Digest {
    let documents = namedDocuments
    var hash = SHA256()
    var writer = CBORWriter()
    writer.arrayHeader(documents.count)
    for document in documents {
      encode(document, into: &writer)
      hash.update(writer.bytes)
      writer.removeAll(keepingCapacity: true)
    }
    hash.update(writer.bytes)
    return hash.finish()
  }

  /// A document by its id and shown member; what else is shown of it need not be worked out.
  private struct Named {
    let id: UniqueID
    let key: EventKey
    let isAlone: Bool
  }

  private var namedDocuments: [Named] {
    var documents: [Named] = []
    for (key, entity) in entities where entity.kind != nil {
      guard let id = entity.id else { continue }
      let isAlone = isAlone(entity)
      guard isAlone || shownMember(of: key) == key else { continue }
      documents.append(Named(id: id, key: key, isAlone: isAlone))
    }
    return documents.sorted { ($0.id, $0.key) < ($1.id, $1.key) }
  }

  /// Writes `[id, kind, alive, [* source], {* field => [+ value]}]`.
  private func encode(_ document: Named, into writer: inout CBORWriter) {
    guard let entity = entities[document.key], let kind = entity.kind else { return }
    let members =
      document.isAlone ? [entity] : members(of: entity, in: component(of: document.key))
    writer.arrayHeader(5)
    writer.uniqueID(document.id)
    writer.unsigned(kind.rawValue)
    writer.boolean(members.contains(where: isAlive))
    let sources = Set(members.compactMap(\.source)).map(\.encoded)
    writer.arrayHeader(sources.count)
    for source in sources.sorted(by: { $0.lexicographicallyPrecedes($1) }) { writer.raw(source) }
    if document.isAlone, let values = onlyValues(of: entity) {
      writer.mapHeader(values.count)
      for (field, value) in values {
        writer.integer(field.rawValue)
        writer.arrayHeader(1)
        encode(value, into: &writer)
      }
      return
    }
    let registers = registers(of: members)
    writer.mapHeader(registers.count)
    for (field, values) in registers {
      writer.integer(field.rawValue)
      writer.arrayHeader(values.count)
      for value in values { encode(value, into: &writer) }
    }
  }

  /// What ``registers(of:)`` gives for an entity whose fields were all written in one log; nil for any other.
  private func onlyValues(of entity: Entity) -> [(Field, Value)]? {
    var values: [(Field, Value)] = []
    values.reserveCapacity(entity.writes.count)
    var last: Field?
    for write in entity.writes {
      guard write.field != last else { return nil }
      last = write.field
      switch write.value {
      case .null: continue
      case .reference(let key):
        guard let shown = shownMember(of: key) else { continue }
        values.append((write.field, .reference(shown)))
      case let value: values.append((write.field, value))
      }
    }
    return values
  }

  /// The stored fields alone, without what to-dos derive; a register that holds nothing but null is left out.
  private func registers(of members: [Entity]) -> [(Field, [Value])] {
    fieldsWritten(in: members).compactMap { field in
      let values = distinctValues(members.flatMap { survivors($0.writes(of: field)) })
        .map(\.value)
      return values == [.null] ? nil : (field, values)
    }
  }

  /// Writes a value as it stands in a body, save that a reference is `[id]`.
  func encode(_ value: Value, into writer: inout CBORWriter) {
    switch value {
    case .null: writer.null()
    case .boolean(let flag): writer.boolean(flag)
    case .integer(let number): writer.integer(number)
    case .text(let text): writer.text(text)
    case .bytes(let bytes): writer.byteString(bytes)
    case .texts(let texts):
      writer.arrayHeader(texts.count)
      for text in texts { writer.text(text) }
    case .reference(let key):
      writer.arrayHeader(1)
      // A reference to an entity without a document was read as null when its values were collected.
      if let id = entities[key]?.id { writer.uniqueID(id) } else { writer.null() }
    case .other(let encoded): writer.raw(encoded)
    }
  }
}
