package import Domain
internal import SQLite

/// The conditions that to-dos must meet.
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
    /// The first and last days, as dates that are packed in the same way as in events.
    ///
    /// A to-do with a due time in one of the zones must be due within the span of that zone instead.
    case within(ClosedRange<Int64>, zones: [DueSpan] = [])
    /// Before the given day.
    ///
    /// A month or a year matches if its last day does; a date without a year never matches.
    case before(CivilDate)
    /// Before the given day, or on that day before the given minute.
    ///
    /// A to-do with a due time in one of the zones must be due within the span of that zone instead.
    case overdue(CivilDate, minute: Int64, zones: [DueSpan] = [])
    /// On one of a few days; on the first day, not before the given minute.
    ///
    /// A month or a year matches if its last day does; a date without a year never matches. A to-do with a due time in
    /// one of the zones must be due within the span of that zone instead.
    case on(ClosedRange<CivilDate>, minute: Int64 = 0, zones: [DueSpan] = [])

    /// Whether the condition uses different times for some zones; the to-dos of these zones might not follow the order
    /// of local times.
    package var dependsOnZones: Bool {
      switch self {
      case .within(_, let zones), .overdue(_, _, let zones), .on(_, _, let zones): !zones.isEmpty
      case .whenever, .dated, .undated, .before: false
      }
    }

    /// Whether all matching to-dos are due on the same day.
    package var isOneDay: Bool {
      switch self {
      case .within(let days, _):
        days.lowerBound == days.upperBound && CivilDate(packed: days.lowerBound)?.day != nil
      case .on(let days, _, _): days.lowerBound == days.upperBound
      case .whenever, .dated, .undated, .before, .overdue: false
      }
    }
  }

  /// Whether to-dos that have not started yet are included.
  ///
  /// A to-do is hidden until its start, but not once the day, month or year in which it is due has begun.
  package enum Hidden: Hashable, Sendable {
    case included
    /// Only to-dos that are not hidden on the given day.
    case excluded(on: CivilDate)
    /// Only to-dos that are hidden on the given day.
    case only(on: CivilDate)
  }

  package var place: Place
  package var includesClosed: Bool
  package var includesOpen: Bool
  /// The number of the required priority; nil for any.
  package var priority: Int64?
  package var due: Due
  /// The tags, all of which a to-do must have, ignoring case, width and diacritics.
  package var tags: [String]
  /// The tags of which a to-do must have at least one; if the list is empty, any to-do matches.
  package var anyTags: [String]
  /// The text that the title must contain, ignoring case, width and diacritics.
  package var fragment: String
  package var hidden: Hidden

  package init(
    place: Place = .anywhere, includesClosed: Bool = true, includesOpen: Bool = true,
    priority: Int64? = nil, due: Due = .whenever, tags: [String] = [],
    anyTags: [String] = [], fragment: String = "", hidden: Hidden = .included
  ) {
    self.place = place
    self.includesClosed = includesClosed
    self.includesOpen = includesOpen
    self.priority = priority
    self.due = due
    self.tags = tags
    self.anyTags = anyTags
    self.fragment = fragment
    self.hidden = hidden
  }
}

extension TodoFilter {
  /// The to-dos that lists show by default: open and not hidden on the given day; all open ones if no day is given.
  package static func visible(on day: CivilDate?) -> TodoFilter {
    TodoFilter(includesClosed: false, hidden: day.map { .excluded(on: $0) } ?? .included)
  }

  /// The to-dos of ``visible(on:)``, restricted to the given due dates.
  package static func pending(_ due: Due, on day: CivilDate?) -> TodoFilter {
    var filter = visible(on: day)
    filter.due = due
    return filter
  }

  /// Whether the filter has no conditions except those on the state of a to-do: open, done, cancelled, hidden.
  package var isOnlyOfState: Bool {
    self
      == TodoFilter(includesClosed: includesClosed, includesOpen: includesOpen, hidden: hidden)
  }

  /// Adds the conditions of the filter to a query of to-dos in a given order.
  func restrict(_ clauses: inout Clauses, by order: TodoOrder) {
    clauses.require(includesClosed ? "NOT ended" : "NOT closed")
    if !includesOpen { clauses.require("closed") }
    if let priority {
      // The index of urgency finds all to-dos with a given priority. Use this index only for an order that it also
      // supports.
      let column = order.isByUrgency ? "urgency = -" : "priority = "
      clauses.require(column + clauses.parameter(.integer(priority)))
    }
    if !fragment.isEmpty {
      let part = clauses.parameter(.text(Folding.fold(fragment)))
      clauses.require("instr(title_folded, \(part)) > 0")
    }
    for tag in tags { clauses.require(Self.condition(ofTag: tag, &clauses)) }
    if !anyTags.isEmpty {
      let conditions = anyTags.map { Self.condition(ofTag: $0, &clauses) }
      clauses.require("(\(conditions.joined(separator: " OR ")))")
    }
    switch place {
    case .anywhere: break
    case .withoutList: clauses.require("NOT EXISTS \(TodoTable.shownList)")
    case .list(let key):
      let members = DocumentQueries.members(of: clauses.parameters(key))
      clauses.require("(list_log, list_sequence) IN (\(members))")
    }
    restrictDue(&clauses, by: order)
    switch hidden {
    case .included: break
    case .excluded(let day): clauses.require(Self.isHidden(on: day, &clauses) + " IS NOT TRUE")
    case .only(let day): clauses.require(Self.isHidden(on: day, &clauses))
    }
  }

  /// Returns the condition that ``Todo/isHidden(start:due:on:)`` checks; it is NULL for a to-do without a start.
  ///
  /// In this form, the condition lets SQLite use the index of the to-dos that have a start.
  static func isHidden(on day: CivilDate, _ clauses: inout Clauses) -> String {
    let number = clauses.parameter(.integer(day.packed))
    let isLater = "\(clauses.due.isMissing) OR \(clauses.due.day) > \(number)"
    return "(start_number > \(number) AND (\(isLater)))"
  }

  private static func condition(ofTag tag: String, _ clauses: inout Clauses) -> String {
    let line = clauses.parameter(.text(CommonColumns.line(ofTag: tag) + "\n"))
    return "instr(char(10) || search || char(10), \(line)) > 0"
  }

  /// Adds the conditions on due dates, on indexed columns, so that SQLite reads no row just for its date.
  private func restrictDue(_ clauses: inout Clauses, by order: TodoOrder) {
    switch due {
    case .whenever: break
    case .dated: clauses.require(clauses.due.isThere)
    case .undated: clauses.require(clauses.due.isMissing)
    case .within(let days, let zones): restrict(&clauses, to: days, zones)
    case .before(let day): restrict(&clauses, before: day, minute: 0, [], by: order)
    case .overdue(let day, let minute, let zones):
      restrict(&clauses, before: day, minute: minute, zones, by: order)
    case .on(let days, let minute, let zones):
      restrict(&clauses, toEndOn: days, minute: minute, zones)
    }
  }
}
