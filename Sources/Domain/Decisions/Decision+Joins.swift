/// The alias that joins two documents, or no drafts if they are the same document already.
///
/// Documents that differ in a field that only adds write would be in conflict forever, so they are refused.
func join(
  _ first: EventKey, _ second: EventKey, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let documents = try distinctDocuments(of: [first, second], on: shelf)
  guard let document = documents.first, let other = documents.dropFirst().first else { return [] }
  guard document.kind == other.kind else {
    throw .unlikeKinds(document.kind, other.kind)
  }
  guard let schema = Schema.schema(of: document.kind) else { throw .unknownKind(document.kind) }
  for field in schema.fields where field.isFixed {
    guard document.value(field.field).isIdentical(to: other.value(field.field)) else {
      throw .unlike(document.kind, field.field)
    }
  }
  return [Draft(.alias, .entity(document.key), [Write(.with, .reference(other.key))])]
}
