import Bytes
import Daybook
import Domain
import Phrasing

/// Makes the leaf of conflicts.
struct ConflictsView {
  let page: PageSnapshot

  /// Returns all conflicts, each with its sides.
  func view() throws -> PageView {
    let conflicts = try page.book.conflictReader.conflicts(in: page.model)
    var view = PageView(
      PageView.Head(
        margin: conflicts.isEmpty ? nil : "\(conflicts.count)", title: "Conflicts",
        line: conflicts.isEmpty
          ? nil
          : "Devices changed the same record without knowing of each other's changes. "
            + "All versions are kept, and one is shown until you settle the conflict."))
    view.add("conflicts", "", rank: 0, try conflicts.map(row))
    view.more = .object(("settleAll", .boolean(page.isNow && conflicts.count > 1)))
    if conflicts.isEmpty {
      view.empty = PageView.Empty(
        picture: "scales", sentence: "No conflicts.",
        hint:
          "If two devices set the same field to different values before they sync, both values appear here."
      )
    }
    return view
  }

  private func row(_ conflict: Conflict) throws -> PageRow {
    let document = conflict.document
    let field = conflict.schema
    var row = PageRow(
      "conflict", key: "\(document.id.uuid) \(field?.name ?? "life")", document.datedTitle.visible)
    row.id = document.id
    let sides = try conflict.sides.indices.map { try json(side: $0, of: conflict) }
    row.more = .object(
      ("subject", .string(conflict.subjectWords)), ("field", .words(field?.name)),
      ("type", .words(field.flatMap(otherValueInput))), ("kindWords", .string(document.kind.title)),
      ("options", field.map { .array(page.options(of: $0)) } ?? .null),
      ("canSettle", .boolean(page.isNow && (field.map { !$0.isFixed } ?? true))),
      ("sides", .array(sides)))
    return row
  }

  /// Returns the kind of input for entering another value; nil for a rule, because a rule needs the first date that its
  /// device wrote with it.
  private func otherValueInput(_ field: FieldSchema) -> String? {
    field.type == .repeatRule ? nil : field.inputName
  }

  private func json(side place: Int, of conflict: Conflict) throws -> JSON {
    let side = conflict.sides[place]
    let writers = side.writers.map(\.device.visible).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    let value: String
    let label: String
    switch side.content {
    case .edited: (value, label) = ("Keep it", "Keep it")
    case .deleted: (value, label) = ("Delete it", "Delete it")
    case .value(let content):
      (value, label) = (try words(content, of: conflict), "keep this")
    }
    let date: CivilDate? = if case .value(let content) = side.content { content.date } else { nil }
    let isDate = conflict.schema?.type == .date
    let weekday = isDate ? date?.longWeekdayName.map { "a \($0)" } : nil
    let deed: String? =
      switch side.content {
      case .edited: "changed"
      case .deleted: "deleted"
      case .value: nil
      }
    let detail = [weekday, deed, side.writers.first.map { page.momentWords($0.time) }]
      .compactMap(\.self).joined(separator: " · ")
    return .object(
      ("take", .string(side.take)), ("device", .string(writers.joined(separator: ", "))),
      ("shown", .boolean(place == 0)), ("value", .string(value)), ("detail", .string(detail)),
      ("label", .string(label)))
  }

  private func words(_ value: Value, of conflict: Conflict) throws -> String {
    guard let field = conflict.schema else { return "a value from a newer version of daybook" }
    return try words(field.meaning(of: value), field)
  }

  /// Returns the text that the page shows for a field's value.
  func words(_ value: Value, _ field: FieldSchema) throws -> String {
    if field.type == .date, let date = value.date { return date.shortWords }
    return try page.snapshot.words(value, field.type)
  }
}

extension Conflict {
  /// The field in conflict; nil for a conflict between a delete and an edit, and for a field from a newer version.
  var schema: FieldSchema? {
    guard case .field(let field) = subject else { return nil }
    return Schema.field(field, of: document.kind)
  }

  fileprivate var subjectWords: String {
    switch subject {
    case .life: "deleted on one device, changed on another"
    case .field(let field): schema?.label.lowercased() ?? "field \(field.rawValue)"
    }
  }
}

extension Conflict.Side {
  /// The name of this side in a wish.
  var take: String {
    switch content {
    case .edited: "keep"
    case .deleted: "delete"
    case .value:
      writers.first.map { "\($0.event.log.hex):\($0.event.sequence):\($0.alternative)" } ?? ""
    }
  }
}
