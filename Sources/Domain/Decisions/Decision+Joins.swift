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
  let alias = Draft(.alias, .entity(document.key), [Write(.with, .reference(other.key))])
  return try takingColour(of: document, to: other, on: shelf) + [alias]
}

/// The edit that gives a list the colour of the list that it is joined with, if the user has chosen neither.
///
/// Otherwise the two colours would be a conflict for the user to settle.
private func takingColour(
  of document: Document, to other: Document, on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard let colour = TodoList(document)?.colour, let old = TodoList(other)?.colour,
    ListColour.palette.contains(colour), ListColour.palette.contains(old)
  else { return [] }
  return try edit(other, [Field.List.colour: .integer(colour)], on: shelf)
}
