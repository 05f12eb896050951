/// The difference between two folds of the same logs: the records that appeared, disappeared or changed.
///
/// Only shown records count; a record that is hidden with its list has disappeared.
package struct Difference: Sendable {
  /// A record that is no longer shown.
  package struct Departure: Sendable {
    package enum Reason: Sendable {
      case deleted
      /// The parent of the record is deleted or, for a choice or a pick, unknown.
      case hidden
      /// The record was joined with another record, which is shown instead.
      case joined(Document)
      /// The add of the record is not in the later fold.
      case notAdded
    }

    package let document: Document
    package let reason: Reason
  }

  /// A record that both folds show, but differently.
  package struct Change: Sendable {
    package let earlier: Document
    package let later: Document
    /// The fields that differ, in the order of the schema.
    package let fields: [FieldSchema]
    /// Whether a conflict between a delete and an edit appeared or was settled.
    package var isDisputeChanged: Bool {
      (earlier.deleteAgainstEdit == nil) != (later.deleteAgainstEdit == nil)
    }
  }

  /// The records that appeared, disappeared or changed, each sorted by kind, then by id.
  package private(set) var came: [Document] = []
  package private(set) var went: [Departure] = []
  package private(set) var changed: [Change] = []

  package var isEmpty: Bool { came.isEmpty && went.isEmpty && changed.isEmpty }

  /// Compares two folds that use the same numbers for the logs.
  package init(from earlier: Records, to later: Records) {
    for kind in Schema.kinds {
      let before = earlier.shown(kind)
      let after = later.shown(kind)
      let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
      let new = Set(after.map(\.id))
      for document in before where !new.contains(document.id) {
        let reason = later.reason(forMissing: document)
        went.append(Departure(document: document, reason: reason))
      }
      for document in after {
        guard let former = old[document.id] else {
          came.append(document)
          continue
        }
        let fields = kind.fields.filter { !Self.isAlike($0, former, document) }
        let change = Change(earlier: former, later: document, fields: fields)
        if !fields.isEmpty || change.isDisputeChanged { changed.append(change) }
      }
    }
  }

  /// Whether both documents show the same values for a field.
  private static func isAlike(_ field: FieldSchema, _ left: Document, _ right: Document) -> Bool {
    let (left, right) = (left.shownValues(of: field), right.shownValues(of: field))
    return left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
  }
}

extension Document {
  /// The values that are shown for a field, including conflicting ones, or the meaning of an absent value.
  package func shownValues(of field: FieldSchema) -> [Value] {
    let survivors = shown(field.field)?.survivors.map(\.value) ?? []
    let values = field.isQuiet ? Array(survivors.prefix(1)) : survivors
    return values.isEmpty ? [field.meaning(of: .null)] : values.map(field.meaning)
  }
}

extension Records {
  fileprivate func shown(_ kind: KindSchema) -> [Document] {
    documents(kind.kind).filter(isShown)
  }

  fileprivate func reason(forMissing document: Document) -> Difference.Departure.Reason {
    guard let now = self.document(of: document.key) else { return .notAdded }
    if !now.isAlive { return .deleted }
    if !isShown(now) { return .hidden }
    return .joined(now)
  }
}
