import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// A row of a live query whose changes can be printed.
protocol ChangeRow: QueryRow {
  /// Returns the row as text, without its id.
  func words(in context: CommandContext) -> [String]
  /// Returns the members of the row in JSON, with the names that records have in JSON.
  ///
  /// `dues` provides the current day, and the instants of due times.
  func members(by dues: LocalDues) -> [JSON.Member]
}

/// Prints the change sets of a live query.
struct ChangeSetPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Prints the steps, one per line.
  func tell<Row: ChangeRow>(_ changes: ChangeSet<Row>, isDivided: Bool) throws {
    if output.isJSON {
      let dues = LocalDues(context.machine.timekeeper)
      return output.answer(lines: changes.steps.map { $0.json(by: dues) })
    }
    let ids = try context.book().finder.shortIDs(for: changes.steps.compactMap(\.rowID))
    output.answer(
      changes.steps.map { step in
        step.line(ids, isDivided: isDivided) { $0.words(in: context) }
      })
  }
}

extension ChangeSet.Step where Row: ChangeRow {
  /// The id of the row that the step is about.
  fileprivate var rowID: UniqueID? {
    switch self {
    case .delete(_, let id): id
    case .insert(_, let row), .move(_, _, let row, _), .update(_, _, let row): row.rowID
    case .begin, .end, .deleteSection, .insertSection: nil
    }
  }

  /// Returns the step as text.
  fileprivate func line(
    _ ids: [UniqueID: String], isDivided: Bool, _ words: (Row) -> [String]
  ) -> String {
    func place(_ place: RowPlace) -> String {
      isDivided ? "\(place.section).\(place.row)" : "\(place.row)"
    }
    func text(_ row: Row) -> String {
      ([ids[row.rowID] ?? ""] + words(row).filter { !$0.isEmpty }).joined(separator: "  ")
    }
    switch self {
    case .begin(let sections, let rows):
      return "begin: \(Self.counts(sections, rows, isDivided: isDivided))"
    case .delete(let old, let id): return "delete \(place(old))  \(ids[id] ?? "")"
    case .deleteSection(let old, let key): return "delete section \(old)  \(key.title.visible)"
    case .insertSection(let new, let key): return "insert section \(new)  \(key.title.visible)"
    case .insert(let new, let row): return "insert \(place(new))  \(text(row))"
    case .move(let old, let new, let row, _):
      return "move \(place(old)) to \(place(new))  \(text(row))"
    case .update(let old, let new, let row):
      return "update \(place(old)) to \(place(new))  \(text(row))"
    case .end(let sections, let rows):
      return "end: \(Self.counts(sections, rows, isDivided: isDivided))"
    }
  }

  private static func counts(_ sections: Int, _ rows: Int, isDivided: Bool) -> String {
    let rows = rows == 1 ? "1 row" : "\(rows) rows"
    return isDivided ? "\(rows) in \(sections) \(sections == 1 ? "section" : "sections")" : rows
  }

  fileprivate func json(by dues: LocalDues) -> JSON {
    switch self {
    case .begin(let sections, let rows):
      Self.step("begin", ("sections", .integer(Int64(sections))), ("rows", .integer(Int64(rows))))
    case .delete(let old, let id):
      Self.step("delete", ("from", old.json), ("id", .string(id.uuid)))
    case .deleteSection(let old, let key):
      Self.step("delete-section", ("from", .integer(Int64(old))), ("title", .string(key.title)))
    case .insertSection(let new, let key):
      Self.step("insert-section", ("to", .integer(Int64(new))), ("title", .string(key.title)))
    case .insert(let new, let row):
      Self.step("insert", ("to", new.json), ("record", row.json(by: dues)))
    case .move(let old, let new, let row, let isChanged):
      Self.step(
        "move", ("from", old.json), ("to", new.json), ("changed", .boolean(isChanged)),
        ("record", row.json(by: dues)))
    case .update(let old, let new, let row):
      Self.step("update", ("from", old.json), ("to", new.json), ("record", row.json(by: dues)))
    case .end(let sections, let rows):
      Self.step("end", ("sections", .integer(Int64(sections))), ("rows", .integer(Int64(rows))))
    }
  }

  private static func step(_ name: String, _ members: (String, JSON)...) -> JSON {
    .object([JSON.Member("step", .string(name))] + members.map { JSON.Member($0.0, $0.1) })
  }
}

extension RowPlace {
  fileprivate var json: JSON {
    .object(("section", .integer(Int64(section))), ("row", .integer(Int64(row))))
  }
}

extension ChangeRow {
  fileprivate func json(by dues: LocalDues) -> JSON {
    .object(
      [JSON.Member("id", .string(rowID.uuid))] + members(by: dues) + [
        JSON.Member("note", .words(head.note)),
        JSON.Member("tags", .array(head.tags.map { .string($0) })),
      ])
  }
}
