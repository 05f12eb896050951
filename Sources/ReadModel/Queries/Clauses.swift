package import Domain
internal import SQLite

/// A part of a long result.
///
/// It begins behind a row and not at a number, so that nothing is left out and nothing comes twice when
/// rows come and go between one page and the next.
package struct Page: Hashable, Sendable {
  /// The row behind which it begins, by its document's shown member; where that is not shown, there is
  /// nothing behind it.
  package var after: EventKey?
  package var count: Int?

  package init(after: EventKey? = nil, count: Int?) {
    self.after = after
    self.count = count
  }

  package static let all = Page(count: nil)
}

/// What comes behind `FROM` in a query, with the values of its parameters.
struct Clauses {
  private(set) var values: [SQLiteValue] = []
  private var conditions: [String] = []
  private var ending: [String] = []

  var sql: String {
    let all = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    return ([all] + ending).joined(separator: "\n")
  }

  /// Takes a value in.
  ///
  /// - Returns: The parameter that stands for it.
  mutating func parameter(_ value: SQLiteValue) -> String {
    values.append(value)
    return "?\(values.count)"
  }

  /// Takes an event's log and sequence in, as the two parameters of a row value.
  mutating func parameters(_ key: EventKey) -> String {
    "\(parameter(.integer(key.log))), \(parameter(.integer(key.sequence)))"
  }

  mutating func require(_ condition: String) { conditions.append(condition) }

  /// Sorts what was asked for, and takes a page of it.
  ///
  /// The terms are sorted upwards and are never null, and no two rows are equal in all of them.
  mutating func take(_ page: Page, of source: String, by terms: [String]) {
    let order = terms.joined(separator: ", ")
    if let after = page.after {
      let key = parameters(after)
      require(
        "(\(order)) > (SELECT \(order) FROM \(source) WHERE (log, sequence) = (\(key)))")
    }
    ending = ["ORDER BY \(order)"]
    if let count = page.count { ending.append("LIMIT \(parameter(.integer(Int64(count))))") }
  }
}

extension EventKey {
  var values: [SQLiteValue] { [.integer(log), .integer(sequence)] }
}
