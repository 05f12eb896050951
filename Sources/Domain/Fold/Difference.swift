/// What differs between two folds of the same logs: the records that came, went and changed.
///
/// It is about what people are shown; a record hidden with its list has gone.
package struct Difference: Sendable {
  /// A record that is shown no more.
  package struct Departure: Sendable {
    package enum Reason: Sendable {
      case deleted
      /// The record it hangs on is not shown either.
      case hidden
      /// It was joined with another, which is shown in its place.
      case joined(Document)
      /// The later look is at a time before it was added.
      case notAdded
    }

    package let document: Document
    package let reason: Reason
  }

  /// A record that is shown in both, and differently.
  package struct Change: Sendable {
    package let earlier: Document
    package let later: Document
    /// The fields that differ, in the order of the kind.
    package let fields: [FieldSchema]
    /// Whether a conflict between a delete and an edit came up or was settled.
    package var isDisputeChanged: Bool {
      (earlier.deleteAgainstEdit == nil) != (later.deleteAgainstEdit == nil)
    }
  }

  /// By kind, then id.
  package private(set) var came: [Document] = []
  package private(set) var went: [Departure] = []
  package private(set) var changed: [Change] = []

  package var isEmpty: Bool { came.isEmpty && went.isEmpty && changed.isEmpty }

  /// Compares two folds that number the logs alike.
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

  /// Whether a field shows the same values in both.
  private static func isAlike(_ field: FieldSchema, _ left: Document, _ right: Document) -> Bool {
    let (left, right) = (left.shownValues(of: field), right.shownValues(of: field))
    return left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
  }
}

extension Document {
  /// What a field shows, its conflicting values too; what absence means where there is none.
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
