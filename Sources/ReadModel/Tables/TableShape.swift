internal import SQLite

/// What a table is made of besides its own columns: what SQLite works out of them, and its indexes.
struct TableShape {
  let name: String
  /// The columns that are written, those of the key first.
  let columns: [String]
  /// How many columns the key has.
  var keyWidth = 2
  /// Whether rows come in the order of the key where all are written at once.
  var comesInOrder = true
  var derived: [DerivedColumn] = []
  var indexes: [TableIndex] = []

  /// What SQLite is told of the derived columns, in the table's definition.
  var derivations: String { derived.map { ",\n  " + $0.definition }.joined() }

  /// What makes the indexes.
  var indexing: String { indexes.map { $0.definition(on: name) }.joined(separator: "\n") }
}

/// A column that SQLite works out of another one of its row, and which is kept in indexes only.
struct DerivedColumn {
  enum Rule {
    case negative
    case isMissing
    case isThere
    /// Zero where there is none.
    case orZero
    /// So many characters from its beginning.
    case start(Int)
  }

  let name: String
  let rule: Rule
  let source: String

  init(_ name: String, _ rule: Rule, _ source: String) {
    (self.name, self.rule, self.source) = (name, rule, source)
  }

  fileprivate var definition: String {
    let (type, expression) =
      switch rule {
      case .negative: ("INTEGER", "-\(source)")
      case .isMissing: ("INTEGER", "\(source) IS NULL")
      case .isThere: ("INTEGER", "\(source) IS NOT NULL")
      case .orZero: ("INTEGER", "coalesce(\(source), 0)")
      case .start(let count): ("TEXT", "substr(\(source), 1, \(count))")
      }
    return "\(name) \(type) AS (\(expression))"
  }

}

extension DerivedColumn.Rule {
  /// What SQLite would make of a value.
  func value(of source: SQLiteValue) -> SQLiteValue {
    switch (self, source) {
    case (.negative, .integer(let number)): .integer(0 &- number)
    case (.isMissing, _): .integer(source == .null ? 1 as Int64 : 0)
    case (.isThere, _): .integer(source == .null ? 0 as Int64 : 1)
    case (.orZero, .null): .integer(0 as Int64)
    case (.orZero, _): source
    case (.start(let count), .text(let text)): .text(Self.start(of: text, count))
    case (.negative, _), (.start, _): .null
    }
  }

  /// SQLite counts Unicode scalars, and takes a text to end before the first that is zero.
  private static func start(of text: String, _ count: Int) -> String {
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex)
    let start = scalars[..<(end ?? scalars.endIndex)]
    return String(start.firstIndex(of: "\0").map { start[..<$0] } ?? start)
  }
}

/// An index of a table; each is of use only where the queries in this module have one like it.
struct TableIndex {
  /// The rows that stand in an index.
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
