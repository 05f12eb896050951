package import Domain
internal import SQLite

/// Which to-dos are asked for.
package struct TodoFilter: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case anywhere
    /// On the list that an entity belongs to.
    case list(EventKey)
    case withoutList
  }

  package enum Due: Hashable, Sendable {
    case whenever
    case dated
    case undated
    /// From the first day that is meant to the last, as dates stand in events.
    case within(ClosedRange<Int64>)
    /// Before a day; what is due in some month or year only, is due on no day.
    case before(CivilDate)
  }

  package var place: Place
  package var includesDone: Bool
  package var includesOpen: Bool
  /// The number of the one priority that is asked for.
  package var priority: Int64?
  package var due: Due
  /// Tags, all of which are there, whatever their case, width or diacritics.
  package var tags: [String]
  /// What the title contains, whatever the case, width or diacritics.
  package var fragment: String

  package init(
    place: Place = .anywhere, includesDone: Bool = true, includesOpen: Bool = true,
    priority: Int64? = nil, due: Due = .whenever, tags: [String] = [], fragment: String = ""
  ) {
    self.place = place
    self.includesDone = includesDone
    self.includesOpen = includesOpen
    self.priority = priority
    self.due = due
    self.tags = tags
    self.fragment = fragment
  }
}

extension TodoFilter {
  /// Restricts a query of to-dos, sorted in some order, to those that are asked for.
  func restrict(_ clauses: inout Clauses, by order: TodoOrder) {
    if !includesDone { clauses.require("NOT done") }
    if !includesOpen { clauses.require("done") }
    if let priority {
      // The index of urgency leads to all of a priority; to the first of them only in an order that it has.
      let column = order.isByUrgency ? "urgency = -" : "priority = "
      clauses.require(column + clauses.parameter(.integer(priority)))
    }
    if !fragment.isEmpty {
      let part = clauses.parameter(.text(Folding.fold(fragment)))
      clauses.require("instr(title_folded, \(part)) > 0")
    }
    for tag in tags {
      let line = clauses.parameter(.text(CommonColumns.line(ofTag: tag) + "\n"))
      clauses.require("instr(char(10) || search || char(10), \(line)) > 0")
    }
    switch place {
    case .anywhere: break
    case .withoutList: clauses.require("shown_list_log IS NULL")
    case .list(let key):
      let members = DocumentQueries.members(of: clauses.parameters(key))
      clauses.require("(list_log, list_sequence) IN (\(members))")
    }
    restrictDue(&clauses, by: order)
  }

  /// By the columns that the indexes have, so that no row is read for its day alone.
  private func restrictDue(_ clauses: inout Clauses, by order: TodoOrder) {
    switch due {
    case .whenever: break
    case .dated: clauses.require("undated = 0")
    case .undated: clauses.require("undated = 1")
    case .within(let days):
      let first = clauses.parameter(.integer(days.lowerBound))
      let last = clauses.parameter(.integer(days.upperBound))
      clauses.require("undated = 0 AND due_order BETWEEN \(first) AND \(last)")
    case .before(let day):
      let number = clauses.parameter(.integer(day.packed))
      // In time much has been due before: an order finds the first of it soon, and need not sort all of it.
      let plain = order == .due ? "" : "+"
      clauses.require(
        "\(plain)undated = 0 AND \(plain)due_order < \(number) AND \(plain)due_order >= 512")
      clauses.require("due_order % 32 > 0")
    }
  }
}
