// Commands set all tags through the field *tags*, or change single tags through their registers; events write
// registers.

/// Takes the fields of tags out of a command.
///
/// The field *tags* sets all tags. The register of a tag adds its text or, with false, removes it; if a command both
/// adds and removes a tag, the tag remains.
///
/// - Parameters:
///   - fields: The fields of the command.
///   - document: The document; nil if the command adds it.
///   - schema: The kind of the document.
/// - Returns: The writes to registers of tags, sorted by field.
/// - Throws: ``Refusal`` if a tag is too long or the document would have too many.
func takeTags(
  from fields: inout [Field: Value], of document: Document?, _ schema: KindSchema
) throws(Refusal) -> [Write] {
  let given = fields.filter { $0.key == .tags || $0.key.isTag }
  guard !given.isEmpty else { return [] }
  var tags = document?.tags ?? []
  var added: [String] = []
  for (field, value) in given.sorted(by: { $0.key < $1.key }) {
    fields[field] = nil
    guard let field = schema.field(field) else { throw .unknownField(schema.kind, field) }
    switch try admit(value, for: field, in: schema.kind) {
    case .texts(let texts): tags = texts
    case .null: tags = []
    case .text(let text): added.append(text)
    default:
      tags.removeAll { tag in
        Field(tag: tag) == field.field || document?.value(field.field).text == tag
      }
    }
  }
  // A tag added in another spelling takes the new spelling.
  tags = Tag.sorted(added + tags)
  guard tags.count <= Schema.Limit.tags || tags.count <= document?.tags.count ?? 0 else {
    throw .badValue(schema.kind, .tags, .tooMany(maximumCount: Schema.Limit.tags))
  }
  if let document { return document.tagWrites(for: tags) }
  return tags.map { Write(Field(tag: $0), .text($0)) }.sorted { $0.field < $1.field }
}
