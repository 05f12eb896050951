extension Document {
  /// The text shown, without an empty one.
  package func text(_ field: Field) -> String? {
    guard let text = value(field).text, !text.isEmpty else { return nil }
    return text
  }

  /// The texts shown; none where there is no value.
  package func texts(_ field: Field) -> [String] {
    if case .texts(let texts) = value(field) { texts } else { [] }
  }

  /// The integer shown, or what its absence means; nil for one that the field's type does not know.
  package func integer(_ field: Field) -> Int64? {
    Schema.integer(value(field), of: field, in: kind)
  }

  package var note: String? { text(.note) }
  package var tags: [String] { texts(.tags) }
}
