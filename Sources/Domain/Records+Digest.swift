package import Bytes
internal import Crypto

// The state digest: equal on two devices exactly if they show the same, byte for byte as protocol.md says.

extension Records {
  /// The digest of all documents; equal sets of facts give equal digests.
  package func digest() -> Digest {
    let documents = documents { _ in true }
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

  /// Writes `[id, kind, alive, [* source], {* field => [+ value]}]`.
  private func encode(_ document: Document, into writer: inout CBORWriter) {
    let members = document.members.compactMap { entities[$0] }
    let registers = registers(of: members)
    writer.arrayHeader(5)
    writer.uniqueID(document.id)
    writer.unsigned(document.kind.rawValue)
    writer.boolean(document.isAlive)
    writer.arrayHeader(document.sources.count)
    let sources = document.sources.map(\.encoded).sorted { $0.lexicographicallyPrecedes($1) }
    for source in sources { writer.raw(source) }
    writer.mapHeader(registers.count)
    for (field, values) in registers {
      writer.integer(field.rawValue)
      writer.arrayHeader(values.count)
      for value in values { encode(value, into: &writer) }
    }
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
