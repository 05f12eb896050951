package import Domain
internal import SQLite

/// One page of a long result.
///
/// A page begins after a row instead of at an offset, so no row is skipped or repeated when other rows are added or
/// removed between two pages.
package struct Page: Hashable, Sendable {
  /// The row after which the page begins, identified by the shown member of its document.
  ///
  /// If that row is not shown, the page is empty.
  package var after: EventKey?
  package var count: Int?

  package init(after: EventKey? = nil, count: Int?) {
    self.after = after
    self.count = count
  }

  package static let all = Page(count: nil)
}

/// The clauses that follow `FROM` in a query, with the values of their parameters.
struct Clauses {
  /// The columns with which conditions compare due times.
  let due: DueColumns
  private(set) var values: [SQLiteValue] = []
  private var conditions: [String] = []
  private var ending: [String] = []

  init(comparing due: DueColumns = .derived) { self.due = due }

  var sql: String {
    let all = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    return ([all] + ending).joined(separator: "\n")
  }

  /// Adds a value as a parameter of the statement.
  ///
  /// - Returns: The parameter for the value.
  mutating func parameter(_ value: SQLiteValue) -> String {
    values.append(value)
    return "?\(values.count)"
  }

  /// Adds the log and the sequence of an event, as the two parameters of a row value.
  mutating func parameters(_ key: EventKey) -> String {
    "\(parameter(.integer(key.log))), \(parameter(.integer(key.sequence)))"
  }

  mutating func require(_ condition: String) { conditions.append(condition) }

  /// Sorts the rows and limits them to a page.
  ///
  /// The terms sort in ascending order. The terms must not be null, and no two rows may be equal in all of them. The
  /// row after which the page begins must meet the condition.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - source: The table, or the query in parentheses, that the row after which the page begins is read from.
  ///   - condition: The condition that this row must meet.
  ///   - terms: The terms that rows are sorted by.
  ///   - leavesTies: Whether rows that differ only in the last term may come in any order.
  mutating func take(
    _ page: Page, of source: String, where condition: String = "TRUE", by terms: [String],
    leavingTies leavesTies: Bool = false
  ) {
    let order = terms.joined(separator: ", ")
    if let after = page.after {
      let isAfter = "(log, sequence) = (\(parameters(after))) AND \(condition)"
      require("(\(order)) > (SELECT \(order) FROM \(source) WHERE \(isAfter))")
    }
    let sorted = leavesTies ? terms.dropLast().joined(separator: ", ") : order
    ending = ["ORDER BY \(sorted)"]
    if let count = page.count { ending.append("LIMIT \(parameter(.integer(Int64(count))))") }
  }
}

extension EventKey {
  var values: [SQLiteValue] { [.integer(log), .integer(sequence)] }
}
