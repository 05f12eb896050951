internal import SQLite

/// The columns, key, derived columns and indexes of a table.
struct TableShape {
  let name: String
  /// The stored columns; the columns of the key come first.
  let columns: [String]
  /// The number of columns in the key.
  var keyWidth = 2
  /// Whether rows arrive in the order of the key when a whole table is built.
  var comesInOrder = true
  var derived: [DerivedColumn] = []
  var indexes: [TableIndex] = []

  /// The derived columns as part of the table's definition in SQL.
  var derivations: String { derived.map { ",\n  " + $0.definition }.joined() }

  /// The statements that create the indexes.
  var indexing: String { indexes.map { $0.definition(on: name) }.joined(separator: "\n") }
}

/// A generated column that SQLite computes from another column of its row, and that only indexes store.
struct DerivedColumn {
  enum Rule {
    case negative
    case isMissing
    case isThere
    /// The given number if the source is NULL.
    case or(Int64)
    /// The first characters, at most this many.
    case start(Int)
  }

  let name: String
  let rule: Rule
  let source: String
  /// The source for rows in which `source` is NULL.
  let otherSource: String?

  init(_ name: String, _ rule: Rule, _ source: String, or otherSource: String? = nil) {
    (self.name, self.rule, self.source, self.otherSource) = (name, rule, source, otherSource)
  }

  fileprivate var definition: String {
    let column = otherSource.map { "coalesce(\(source), \($0))" } ?? source
    let (type, expression) =
      switch rule {
      case .negative: ("INTEGER", "-\(column)")
      case .isMissing: ("INTEGER", "\(column) IS NULL")
      case .isThere: ("INTEGER", "\(column) IS NOT NULL")
      case .or(let number): ("INTEGER", "coalesce(\(column), \(number))")
      case .start(let count): ("TEXT", "substr(\(column), 1, \(count))")
      }
    return "\(name) \(type) AS (\(expression))"
  }

}

extension DerivedColumn.Rule {
  /// Computes the value that SQLite would compute.
  func value(of source: SQLiteValue) -> SQLiteValue {
    switch (self, source) {
    case (.negative, .integer(let number)): .integer(0 &- number)
    case (.isMissing, _): .integer(source == .null ? 1 as Int64 : 0)
    case (.isThere, _): .integer(source == .null ? 0 as Int64 : 1)
    case (.or(let number), .null): .integer(number)
    case (.or, _): source
    case (.start(let count), .text(let text)): .text(Self.start(of: text, count))
    case (.negative, _), (.start, _): .null
    }
  }

  /// Returns the first Unicode scalars, as SQLite counts characters, up to the first U+0000, where text ends for
  /// SQLite.
  private static func start(of text: String, _ count: Int) -> String {
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex)
    let start = scalars[..<(end ?? scalars.endIndex)]
    return String(start.firstIndex(of: "\0").map { start[..<$0] } ?? start)
  }
}

/// An index of a table.
///
/// SQLite uses an index only for queries that match its columns and condition, so it must agree with the queries of
/// this module.
struct TableIndex {
  /// The condition that the rows of a partial index meet.
  enum Condition {
    case has(String)
    case holds(String)
    case fails(String)
  }

  let name: String
  let columns: [String]
  let condition: Condition?

  init(_ name: String, _ columns: String..., where condition: Condition? = nil) {
    self.init(name, columns, where: condition)
  }

  init(_ name: String, _ columns: [String], where condition: Condition? = nil) {
    (self.name, self.columns, self.condition) = (name, columns, condition)
  }

  fileprivate func definition(on table: String) -> String {
    let end =
      switch condition {
      case .has(let column): " WHERE \(column) IS NOT NULL"
      case .holds(let column): " WHERE \(column)"
      case .fails(let column): " WHERE NOT \(column)"
      case nil: ""
      }
    return "CREATE INDEX \(name) ON \(table) (\(columns.joined(separator: ", ")))\(end);"
  }
}
