internal import Bytes
internal import Domain

extension Rehearsal {
  /// Writes edits for the fields in which the stage differs from the truth.
  ///
  /// Such fields are rare: when operations are applied in order, the concurrent write with the highest stamp takes
  /// effect last, as in the fold. However, completing a to-do that is already done changes nothing on the stage, while
  /// the fold treats it as the later completion.
  mutating func correct() {
    for schema in Schema.kinds {
      for document in truth.documents(schema.kind) where document.isAlive {
        // The second pass corrects the effects of the first correction.
        for _ in 0..<2 {
          guard let operation = correction(of: document, schema) else { break }
          perform(operation, for: document.key, keepsIdle: false)
        }
      }
    }
  }

  private func correction(of document: Document, _ schema: KindSchema) -> Operation? {
    guard let id = ids[document.key], let staged = stageDocument(of: document.key) else {
      return nil
    }
    var operation = Operation(.edit, schema.kind, id: id)
    for field in schema.fields where !field.isFixed {
      guard let content = content(field, of: document, keys: { $0 }),
        !isSame(content, self.content(field, of: staged, keys: { trueKeys[$0] }), field)
      else { continue }
      operation.assignments.append(Operation.Assignment(field.field, content))
      let time = document.shown(field.field)?.survivors.first?.effectiveTime
      operation.time = [operation.time, time].compactMap(\.self).max()
    }
    return operation.assignments.isEmpty ? nil : operation
  }

  private func content(
    _ field: FieldSchema, of document: Document, keys: (EventKey) -> EventKey?
  ) -> Operation.Content? {
    var value = field.meaning(of: document.value(field.field))
    if let key = value.reference { value = keys(key).map(Value.reference) ?? .null }
    return field.content(of: value, ids: ids)
  }

  /// Returns whether both values would be written with the same bytes; strings that are equal in Swift can have
  /// different bytes.
  private func isSame(
    _ left: Operation.Content, _ right: Operation.Content?, _ field: FieldSchema
  ) -> Bool {
    switch (left, right) {
    case (.source(let left), .source(let right)?): left.utf8.elementsEqual(right.utf8)
    case (.value(let left), .value(let right)?): field.json(of: left) == field.json(of: right)
    default: false
    }
  }
}
