import Bytes
import Daybook
import Domain

/// Checks that records show the values that a request has just written.
struct ShownCheck {
  private let request: Request
  /// The day on which the device closes to-dos; nil if its clock has never been set.
  private let day: CivilDate?
  /// The to-dos to which occurrences belong, by the occurrences' ids.
  private let series: [UniqueID: UniqueID]

  init(_ request: Request, closingOn day: CivilDate?, series: [UniqueID: UniqueID]) {
    (self.request, self.day, self.series) = (request, day, series)
  }

  /// The first field whose shown value differs from the written value, with both values; nil if there is none.
  func difference(_ performed: Performed) -> String? {
    switch request {
    case .edit(let id, let assignments, _): difference(assignments, of: id, performed)
    case .editEach(let edits, let scope): difference(edits, scope, performed)
    case .setDone(_, let isDone, _):
      performed.changes.lazy.compactMap { difference($0, Field.Todo.done, isDone) }.first
    case .cancel, .skip:
      performed.changes.lazy.compactMap { difference($0, Field.Todo.cancelled, true) }.first
    default: nil
    }
  }

  // MARK: Edits

  /// The difference in the last edit of each record; if a field was given several values, the last one applies.
  private func difference(
    _ edits: [(id: UniqueID, assignments: [Request.Assignment])], _ scope: Request.EditScope,
    _ performed: Performed
  ) -> String? {
    let named = Set(edits.map(\.id))
    var last: [UniqueID: [Request.Assignment]] = [:]
    for (id, assignments) in edits {
      last[scope == .series ? series[id] ?? id : id] = assignments
    }
    return last.lazy.compactMap { id, assignments in
      difference(assignments, of: id, besides: named.subtracting([id]), performed)
    }.first
  }

  /// The difference in an edit of a record by a request that also edits other records.
  ///
  /// A change to an occurrence belongs to the edit of its series, unless another edit names the occurrence.
  private func difference(
    _ assignments: [Request.Assignment], of id: UniqueID, besides others: Set<UniqueID> = [],
    _ performed: Performed
  ) -> String? {
    let changes = performed.changes.filter {
      $0.document.id == id || $0.occurrence?.todo.id == id && !others.contains($0.document.id)
    }
    // If the rule is cleared, the series ends with its current date, regardless of any other end in the edit.
    let endsSeries = assignments.contains { assignment in
      guard case .value(.null) = assignment.content else { return false }
      return assignment.field == Field.Todo.repeat
    }
    return assignments.lazy.compactMap { assignment -> String? in
      guard case .value(let wanted) = assignment.content else { return nil }
      let field = assignment.field
      if endsSeries, field == Field.Todo.until { return nil }
      let written = field.isTag ? .tags : field
      guard let document = changes.first(where: { $0.fields.contains(written) })?.document,
        !shows(document, field, wanted)
      else { return nil }
      return "\(field.rawValue) \(document.value(written)) instead of \(wanted)"
    }.first
  }

  private func shows(_ document: Document, _ field: Field, _ wanted: Value) -> Bool {
    let tags = Set(document.tags.map { Field(tag: $0) })
    if field.isTag { return tags.contains(field) == (wanted.tagText != nil) }
    if field == .tags { return tags == Set((wanted.texts ?? []).map { Field(tag: $0) }) }
    if field == Field.Todo.repeat, let rule = Self.rule(wanted) {
      return Self.rule(document.value(field)) == rule
    }
    guard let schema = Schema.field(field, of: document.kind) else { return true }
    return schema.meaning(of: document.value(field)) == schema.meaning(of: wanted)
  }

  /// Reads a rule without its SKIP, which a command omits if all months of the rule have the rule's days.
  private static func rule(_ value: Value) -> RepeatRule? {
    value.text.flatMap(RepeatRule.init(canonicalIfValid:))?.skippingBackward(false)
  }

  // MARK: Closing

  /// The difference in the day of closing of a to-do that was closed or reopened.
  private func difference(
    _ change: Performed.Change, _ field: Field, _ wanted: Bool
  ) -> String? {
    let document = change.document
    if change.fields.contains(field), document.value(field) != .boolean(wanted) {
      return "\(field.rawValue) \(document.value(field)) instead of \(wanted)"
    }
    let closedOn = document.value(Field.Todo.closedOn).date
    let hasDay = wanted && (field == Field.Todo.cancelled || document.isOccurrence)
    let expected = hasDay ? day ?? document.slot : nil
    guard change.fields.contains(Field.Todo.closedOn), closedOn != expected else { return nil }
    return "closed on \(closedOn?.iso ?? "no day") instead of \(expected?.iso ?? "no day")"
  }
}
