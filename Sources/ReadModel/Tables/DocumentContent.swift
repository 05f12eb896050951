internal import Bytes
internal import Domain

/// The contents of a document's row: the shown values, with references as written.
///
/// The typed accessors return no value if the field's value is of a different type.
struct DocumentContent {
  let kind: Kind
  /// The shown member.
  let key: EventKey
  let id: UniqueID
  /// The effective time at which the shown member was added.
  let addedAt: Int64
  /// Whether the document is an occurrence of a repeating to-do.
  let isOccurrence: Bool
  let deleteAgainstEdit: Document.Dispute?
  /// The fields in conflict, each with its survivors, highest stamp first.
  let conflicts: [(field: Field, survivors: [Stored])]
  var values: [(field: Field, value: Value)]
  /// The columns of a repeating to-do; nil for any other record.
  var repeats: RepeatColumns?

  init(_ document: Document, in records: Records) {
    (kind, key, id) = (document.kind, document.key, document.id)
    isOccurrence = document.isOccurrence
    addedAt = records.entities[key]?.birth?.effectiveTime ?? 0
    deleteAgainstEdit = document.deleteAgainstEdit
    let written = records.distinctReferences(of: document)
    var conflicts: [(field: Field, survivors: [Stored])] = []
    values = document.fields.map { shown in
      // Tags are computed from several registers.
      guard shown.field != .tags, let survivors = written[shown.field] else {
        if shown.isConflict { conflicts.append((shown.field, shown.survivors)) }
        return (shown.field, shown.value)
      }
      if survivors.count > 1, !document.isQuiet(shown.field) {
        conflicts.append((shown.field, survivors))
      }
      let value = survivors.first?.value ?? .null
      // An occurrence whose shown owner is not a to-do belongs to nothing, as if it named itself.
      let isLost = shown.field == .owner && document.isOccurrence && value.reference == nil
      return (shown.field, isLost ? .reference(document.key) : value)
    }
    self.conflicts = conflicts
  }

  private init(
    _ kind: Kind, _ key: EventKey, _ id: UniqueID, addedAt: Int64,
    _ values: [(field: Field, value: Value)]
  ) {
    (self.kind, self.key, self.id, self.addedAt, self.values) = (kind, key, id, addedAt, values)
    (deleteAgainstEdit, conflicts) = (nil, [])
    isOccurrence =
      kind == .todo && values.contains { $0.field == .owner && $0.value.reference != nil }
  }

  /// Returns the content of a living entity, or nil if its own writes alone do not determine it.
  ///
  /// This is a function because an initializer would copy the records to own its arguments.
  static func plain(_ entity: Entity, in records: Records) -> DocumentContent? {
    guard let kind = entity.kind, let id = entity.id,
      let values = records.plainValues(of: entity)
    else { return nil }
    return DocumentContent(
      kind, entity.key, id, addedAt: entity.birth?.effectiveTime ?? 0, values)
  }

  func value(_ field: Field) -> Value { values.first { $0.field == field }?.value ?? .null }

  /// Replaces the value of a field.
  mutating func set(_ field: Field, _ value: Value) {
    if let place = values.firstIndex(where: { $0.field == field }) {
      values[place].value = value
    } else if value != .null {
      values.append((field, value))
    }
  }

  /// The text of a field, or nil if it is empty.
  func text(_ field: Field) -> String? {
    guard let text = value(field).text, !text.isEmpty else { return nil }
    return text
  }

  // An absent value may mean a number. A reference that is shown as null because its target is unknown does not mean a
  // number, but here it is still in its written form.
  func integer(_ field: Field) -> Int64? { Schema.integer(value(field), of: field, in: kind) }

  func boolean(_ field: Field) -> Bool? { value(field).boolean }
  func reference(_ field: Field) -> EventKey? { value(field).reference }
  func date(_ field: Field) -> CivilDate? { value(field).date }

  func bytes(_ field: Field) -> [UInt8]? {
    if case .bytes(let bytes) = value(field) { bytes } else { nil }
  }

  func texts(_ field: Field) -> [String] {
    value(field).texts ?? []
  }

  /// A list of strings as a JSON array, or a map from strings to strings as a JSON object.
  func json(_ field: Field) -> String? {
    switch value(field) {
    case .texts(let texts): JSON.array(texts.map(JSON.string)).text()
    case .other(let encoded): members(encoded).map { JSON.object($0).text() }
    default: nil
    }
  }

  private func members(_ encoded: [UInt8]) -> [JSON.Member]? {
    do throws(CBORError) {
      var reader = CBORReader(encoded.span)
      guard try reader.peek() == .map else { return nil }
      var members: [JSON.Member] = []
      for _ in 0..<(try reader.mapHeader()) {
        let name = try reader.text()
        members.append(JSON.Member(name, .string(try reader.text())))
      }
      return members
    } catch {
      // The column has no form for this value.
      return nil
    }
  }
}

extension Records {
  /// The survivors of the fields that contain references: one for each distinct value, highest stamp first.
  fileprivate func distinctReferences(of document: Document) -> [Field: [Stored]] {
    let written = writtenReferences(of: document)
    return Dictionary(uniqueKeysWithValues: written.map { ($0.field, distinct($0.survivors)) })
  }

  private func distinct(_ writes: [Stored]) -> [Stored] {
    guard writes.count > 1 else { return writes }
    var known: Set<[UInt8]> = []
    return causality.highestFirst(writes).filter { known.insert($0.value.encoded()).inserted }
  }
}
