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

  /// The meaning of the shown value of a field; a to-do that is done is not cancelled.
  package func meaning(of field: FieldSchema) -> Value {
    guard kind == .todo, field.field == Field.Todo.cancelled else {
      return field.meaning(of: value(field.field))
    }
    return .boolean(isCancelled)
  }

  /// Whether a to-do was cancelled and is not done.
  var isCancelled: Bool {
    value(Field.Todo.cancelled).boolean == true && value(Field.Todo.done).boolean != true
  }

  /// Whether a field has several values between which nobody has decided yet.
  func isInConflict(_ field: Field) -> Bool { shown(field)?.isConflict ?? false }

  package var note: String? { text(.note) }
}
