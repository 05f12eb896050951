/// The events that join two documents, or no drafts if they are already the same document.
///
/// The joined document has the values of the first one, and of the other only those that the first lacks;
/// alternatively, differing values are both kept, as conflicts. Colours that were assigned to lists automatically are
/// not kept.
///
/// Two documents that differ in a field written only by adds would be in conflict forever, so they are refused.
func join(
  _ first: EventKey, _ second: EventKey, keepsBoth: Bool, on shelf: some Shelf
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
  let fields = schema.fields.filter { field in
    !keepsBoth || isChosenByProgram(field.field, of: [document, other])
  }
  return try takingValues(of: document, to: other, fields, on: shelf)
    + takingProperties(of: other, to: document, fields, on: shelf) + [alias]
}

/// The edit that gives the first document the foreign properties of the other one too.
private func takingProperties(
  of other: Document, to document: Document, _ fields: [FieldSchema], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  guard fields.contains(where: { $0.field == .extra }), document.value(.extra) != .null,
    other.value(.extra) != .null
  else { return [] }
  let joined = properties(of: document, and: other)
  guard !joined.isIdentical(to: document.value(.extra)) else { return [] }
  return try edit(document, [.extra: joined], on: shelf)
}

/// The foreign properties of two documents; those of the first one where both have a property.
///
/// A format's states of the record in other books belong together, so they are those of the first document that has
/// properties of the format. If the result would be too long, it has only the properties of the first document.
private func properties(of document: Document, and other: Document) -> Value {
  let own = document.value(.extra).textPairs ?? []
  let names = Set(own.map(\.0))
  let formats = Set(own.map { $0.0.prefix { $0 != "." } })
  let more = (other.value(.extra).textPairs ?? []).filter { name, _ in
    let isState = [".base", ".known"].contains(where: name.hasSuffix)
    return !names.contains(name) && !(isState && formats.contains(name.prefix { $0 != "." }))
  }
  let joined = try? FieldType.map(maximumBytes: Schema.Limit.mapBytes).admit(.map(own + more))
  return joined ?? document.value(.extra)
}

/// The edits that give a document the values of the document it is joined with, where both have a value.
///
/// Otherwise each of these values would be in conflict with the other.
private func takingValues(
  of document: Document, to other: Document, _ fields: [FieldSchema], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  var values: [Field: Value] = [:]
  for field in fields where !field.isFixed && !field.isQuiet && field.field != .tags {
    let old = other.value(field.field)
    let value =
      field.field == .extra && old != .null
      ? properties(of: document, and: other) : document.value(field.field)
    guard value != .null, old != .null, !isAbout(value, [document, other]) else { continue }
    // A reference to a deleted record cannot be written again.
    if let key = value.reference, !shelf.isAlive(key) { continue }
    values[field.field] = value
  }
  return values.isEmpty ? [] : try edit(other, values, on: shelf)
}

/// Whether the user has chosen neither value of a field, as with the automatically assigned colours of lists.
private func isChosenByProgram(_ field: Field, of documents: [Document]) -> Bool {
  field == Field.List.colour
    && documents.allSatisfy { document in
      TodoList(document)?.colour.map(ListColour.palette.contains) ?? false
    }
}

/// Whether a value refers to one of the given documents: a sub-task that is joined with its parent is not its own
/// parent.
private func isAbout(_ value: Value, _ documents: [Document]) -> Bool {
  guard let key = value.reference else { return false }
  return documents.contains { $0.members.contains(key) }
}
