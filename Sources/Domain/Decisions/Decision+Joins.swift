/// The events that join two documents, or none if they are already the same document.
///
/// The joined document contains all values of the first document and, from the second document, the values that the
/// first lacks; alternatively, differing values are both kept, as conflicts. Colours that were assigned to lists
/// automatically are not kept.
///
/// Two documents that differ in a field written only by adds would be in conflict forever, so they cannot be joined.
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
    + joiningProperties(of: document, and: other, fields, on: shelf) + [alias]
}

/// The edits that give both documents the foreign properties of both, if each has some.
///
/// If the result would be too long, both documents get the properties of the first.
private func joiningProperties(
  of document: Document, and other: Document, _ fields: [FieldSchema], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  let values = [document.value(.extra), other.value(.extra)]
  guard fields.contains(where: { $0.field == .extra }), !values.contains(.null) else { return [] }
  let joined = Value.map(ForeignProperties.joined(values))
  let extra = (try? FieldType.map(maximumBytes: Schema.Limit.mapBytes).admit(joined)) ?? values[0]
  return try edit(document, [.extra: extra], on: shelf) + edit(other, [.extra: extra], on: shelf)
}

/// The edits that give a document the values of the document it is joined with, where both have a value.
///
/// Otherwise each of these values would be in conflict with the other.
private func takingValues(
  of document: Document, to other: Document, _ fields: [FieldSchema], on shelf: some Shelf
) throws(Refusal) -> [Draft] {
  var values: [Field: Value] = [:]
  for field in fields
  where !field.isFixed && !field.isQuiet && ![.tags, .extra].contains(field.field) {
    let (value, old) = (document.value(field.field), other.value(field.field))
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

/// Whether a value refers to one of the given documents; a sub-task that is joined with its parent must not become its
/// own parent.
private func isAbout(_ value: Value, _ documents: [Document]) -> Bool {
  guard let key = value.reference else { return false }
  return documents.contains { $0.members.contains(key) }
}

extension FieldSchema {
  /// The fields that a joined record has taken from the second record, because the first had no value of its own.
  ///
  /// Fields that the program writes automatically are left out, as are fields in conflict.
  ///
  /// - Parameters:
  ///   - joined: The joined record.
  ///   - second: The second record before it was joined.
  ///   - first: The first record before it was joined.
  /// - Returns: The fields, in the order of the schema.
  package static func taken(
    by joined: Document, of second: Document, since first: Document
  ) -> [FieldSchema] {
    let fields = Schema.schema(of: joined.kind)?.fields ?? []
    return fields.filter { field in
      guard field.field != .tags else { return !Set(joined.tags).isSubset(of: first.tags) }
      guard !field.isQuiet, field.field != .extra, !joined.isInConflict(field.field) else {
        return false
      }
      let value = second.value(field.field)
      // A field can also look different because of another field. For example, a to-do that is done is no longer
      // cancelled.
      return value != .null && joined.value(field.field).isIdentical(to: value)
        && !joined.meaning(of: field).isIdentical(to: first.meaning(of: field))
        && !isAbout(value, [joined])
    }
  }
}
