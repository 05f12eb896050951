extension Document {
  /// The shown text; nil if there is none or it is empty.
  package func text(_ field: Field) -> String? {
    guard let text = value(field).text, !text.isEmpty else { return nil }
    return text
  }

  /// The shown strings; empty if there is no value.
  package func texts(_ field: Field) -> [String] {
    value(field).texts ?? []
  }

  /// The shown integer, or the meaning of an absent value; nil if the type of the field does not allow the value.
  package func integer(_ field: Field) -> Int64? {
    Schema.integer(value(field), of: field, in: kind)
  }

  /// The meaning of the shown value of a field; a done to-do is not cancelled.
  package func meaning(of field: FieldSchema) -> Value {
    guard kind == .todo, field.field == Field.Todo.cancelled else {
      return field.meaning(of: value(field.field))
    }
    return .boolean(isCancelled)
  }

  /// Whether the document is a to-do with a rule by which it repeats.
  package var hasRule: Bool { kind == .todo && text(Field.Todo.repeat) != nil }

  /// Whether a to-do was cancelled and is not done.
  var isCancelled: Bool {
    value(Field.Todo.cancelled).boolean == true && value(Field.Todo.done).boolean != true
  }

  /// Whether a field has several values, of which none has been chosen yet.
  func isInConflict(_ field: Field) -> Bool { shown(field)?.isConflict ?? false }

  package var note: String? { text(.note) }
}

// Tags, each of which is a separate register.

extension Document {
  package var tags: [String] { value(.tags).texts ?? [] }

  /// The value that a tag's register would need to show what the document shows: the text of the tag, or false.
  ///
  /// The tag may be shown only because it is in the list of tags.
  package func tag(_ field: Field) -> Value {
    switch value(field) {
    case let value where value.tagText != nil: value
    case .boolean(false): .boolean(false)
    default: tags.first { Field(tag: $0) == field }.map(Value.text) ?? .boolean(false)
    }
  }

  /// The write to the register of a shown tag; nil if the tag is shown because it is in the list of tags.
  package func tagWrite(of text: String) -> Stored? {
    fields[fields.firstPlace { $0.field > .last }...].first { $0.value.tagText == text }?
      .survivors.first
  }

  /// The writes that make the document show exactly the given tags, sorted by field.
  ///
  /// A tag that is shown with the same text is not written.
  package func tagWrites(for wanted: [String]) -> [Write] {
    var missing = Dictionary(
      wanted.map { (Tag.key(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var writes: [Field: Value] = [:]
    // Another program may have computed a different number for a tag.
    var registers: [[UInt8]: [Field]] = [:]
    for shown in fields[fields.firstPlace(isAfter: { $0.field > .last })...] {
      if let text = shown.value.tagText {
        registers[Tag.key(of: text), default: []].append(shown.field)
      }
    }
    for tag in tags {
      let key = Tag.key(of: tag)
      if let text = missing[key] {
        if text.utf8.elementsEqual(tag.utf8) { missing[key] = nil }
        continue
      }
      for field in registers[key, default: []] + [Field(tagKey: key)] {
        writes[field] = .boolean(false)
      }
    }
    for (key, text) in missing { writes[Field(tagKey: key)] = .text(text) }
    return writes.sorted { $0.key < $1.key }.map { Write($0.key, $0.value) }
  }
}
