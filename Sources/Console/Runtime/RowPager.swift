import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// A page of an answer, as `--limit` and `--after` request it.
struct PageWish {
  let limit: Int?
  fileprivate let after: EventKey?
  fileprivate let kind: Kind?

  fileprivate var isAsked: Bool { limit != nil || after != nil }

  /// The rows to read: one more than the limit, to find out whether there are more.
  var page: Page {
    Page(after: after, count: limit.map { $0 == .max ? $0 : $0 + 1 })
  }
}

/// The option for the length of a page.
let limitOption = option("limit", "N", "Show at most N records.")

/// The option for the start of a page.
let afterOption = option("after", "ID", "Show only records after this record.")

/// The record that a row of a list shows.
struct ListedRow {
  let key: EventKey
  let id: UniqueID

  init(key: EventKey, id: UniqueID) { (self.key, self.id) = (key, id) }

  init(_ head: RowHead) { (key, id) = (head.key, head.id) }

  init(_ candidate: Candidate) { (key, id) = (candidate.key, candidate.id) }
}

/// The short ids and conflict marks of the rows of a list.
struct RowMarks: Sendable {
  private let names: ShortNames
  /// The records that are in conflict.
  private let disputed: Set<EventKey>

  fileprivate init(_ names: ShortNames, disputed: Set<EventKey>) {
    (self.names, self.disputed) = (names, disputed)
  }

  /// Returns the short id of a row, for its first cell.
  func name(of row: ListedRow) -> String { names.name(of: row.id) }

  /// Returns the cells of a row, followed by a conflict mark if its record is in conflict.
  func complete(_ cells: [Cell], of row: ListedRow) -> [Cell] {
    disputed.contains(row.key) ? cells + [Cell("conflict", .urgent, giving: .never)] : cells
  }
}

/// Answers with a list, page by page.
struct RowPager {
  let context: CommandContext
  /// The state whose rows are listed.
  let snapshot: Snapshot
  private var output: Output { context.output }

  /// Parses the values of `--limit` and `--after`.
  func wish(_ limit: String?, _ after: String?, _ kind: Kind? = nil) throws -> PageWish {
    let count = try limit.map { Int(clamping: try context.reader.number($0, "--limit", from: 1)) }
    let key = try after.map { words in
      let found = try context.find(words, kind: kind, on: snapshot)
      return try snapshot.document(withID: found.id, called: words).key
    }
    return PageWish(limit: count, after: key, kind: kind)
  }

  /// Writes rows: as JSON from their documents, or as a table from their cells.
  ///
  /// With `--limit` or `--after`, the JSON is an object with `records` and `after`, the id to continue from, which is
  /// null on the last page.
  func answer<Row: Sendable>(
    _ rows: [Row], _ wish: PageWish, named name: @escaping (Row) -> ListedRow,
    _ json: (Snapshot) -> (Document) throws -> JSON, _ line: (Row, String) throws -> [Cell]
  ) throws {
    try answer(rows, wish, named: name, json) { rows, marks in
      var table = Table()
      for row in rows {
        let listed = name(row)
        let cells = try line(row, marks.name(of: listed))
        table.append(marks.complete(cells, of: listed))
      }
      return [table]
    }
  }

  /// Writes rows: as JSON from their documents, or as the parts of a table that `parts` makes from the rows shown.
  func answer<Row: Sendable>(
    _ rows: [Row], _ wish: PageWish, named name: @escaping (Row) -> ListedRow,
    _ json: (Snapshot) -> (Document) throws -> JSON, parts: ([Row], RowMarks) throws -> [Table]
  ) throws {
    // Avoid copying the rows if all are shown.
    let shown = wish.limit.map { Array(rows.prefix($0)) } ?? rows
    let names = shown.lazy.map(name)
    let next = shown.count < rows.count ? names.last?.id : nil
    if output.isJSON {
      var snapshot = snapshot
      try snapshot.loadConflicts()
      let records = JSON.array(try snapshot.documents(Array(names.map(\.key))).map(json(snapshot)))
      guard wish.isAsked else { return output.answer(records) }
      let after = next.map { JSON.string($0.uuid) } ?? .null
      return output.answer(.object(("records", records), ("after", after)))
    }
    let short = try snapshot.book.finder.shortNames(of: names.map(\.id))
    if shown.isEmpty, wish.after == nil {
      EmptyListHint(context: context).show(nothingOf: wish.kind)
    }
    let marks = RowMarks(short, disputed: try snapshot.disputed(among: names))
    output.answer(try parts(shown, marks))
    if let next {
      output.note(
        "there are more records; to see them, run the same command with --after \(short.name(of: next))."
      )
    }
    context.environment.process.keep(rows)
  }
}

extension Snapshot {
  /// Returns the keys of the rows whose documents are in conflict.
  ///
  /// The row of a series also shows a conflict in its current occurrence.
  fileprivate func disputed(among rows: some Sequence<ListedRow>) throws -> Set<EventKey> {
    let unsettled = try book.conflictReader.unsettled(in: model)
    if unsettled.isEmpty { return [] }
    let shown = Set(rows.lazy.map(\.key))
    var meant = unsettled.intersection(shown)
    for key in unsettled.subtracting(shown) {
      guard let owner = try model.repeats.owner(of: key),
        let series = try model.documents.document(owner)?.key, shown.contains(series),
        try model.todos.todo(key) == nil
      else { continue }
      meant.insert(key)
    }
    let disputed = try book.conflictReader.conflicts(of: meant, in: model).map(\.document)
    return Set(
      disputed.map { shown.contains($0.key) ? $0.key : $0.value(.owner).reference ?? $0.key })
  }
}
