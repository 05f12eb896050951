package import Domain
package import Platform
package import ReadModel

/// The sections of to-dos that users see as the agenda of a day: overdue, due on the day, due soon, and undated.
package struct Agenda {
  /// The number of days after today that are shown as the next days.
  private static let daysAhead = 7
  /// The number of additional to-dos that are read so that to-dos from other zones can be sorted by local time.
  private static let margin = 100

  private let dues: LocalDues
  private let model: ReadModel

  /// Creates the agenda for the time with which `dues` compares due dates.
  package init(_ dues: LocalDues, in model: ReadModel) { (self.dues, self.model) = (dues, model) }

  /// The day of the agenda; nil if the clock is outside the calendar.
  package var day: CivilDate? { dues.today }

  package var undated: TodoFilter { .pending(.undated, on: day) }

  /// The to-dos that were due before the day, or earlier on that day.
  package func overdue() throws(ReadModelError) -> TodoFilter? {
    guard let day, let due = try dues.overdue(in: model) else { return nil }
    return .pending(due, on: day)
  }

  /// The other to-dos that are due on the day.
  package func today() throws(ReadModelError) -> TodoFilter? {
    guard let day, let due = try dues.restOfToday(in: model) else { return nil }
    return .pending(due, on: day)
  }

  /// The days after today that are shown as the next days.
  package var nextDays: ClosedRange<CivilDate>? {
    guard let first = day?.adding(days: 1), let last = day?.adding(days: Self.daysAhead) else {
      return nil
    }
    return first...last
  }

  /// The to-dos of the next days.
  package func next() throws(ReadModelError) -> TodoFilter? {
    guard let nextDays else { return nil }
    return .pending(try dues.due(endingOn: nextDays, in: model), on: day)
  }

  /// The milliseconds of the day, from midnight to midnight in local time.
  package func span(at timekeeper: any Timekeeper) -> Range<Int64>? {
    guard let day, let next = day.adding(days: 1) else { return nil }
    let (start, end) = (
      timekeeper.moment(of: day, seconds: 0), timekeeper.moment(of: next, seconds: 0)
    )
    guard let start, let end, start < end else { return nil }
    return start.milliseconds..<end.milliseconds
  }
}

extension Agenda {
  /// The order in which the to-dos of every section are read.
  ///
  /// Without a day, the to-dos are ordered by priority, and then by age.
  private static let order = TodoOrder.due

  /// Returns the to-dos of a section by local day and time, with those without a time last in their day, and then by
  /// priority.
  ///
  /// - Parameters:
  ///   - filter: The section; nil for no section.
  ///   - most: The maximum number of to-dos to return.
  /// - Returns: The first to-dos of the section.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  package func todos(
    _ filter: TodoFilter?, upTo most: Int = .max
  ) throws(ReadModelError) -> [TodoRow] {
    guard let filter else { return [] }
    let isExact = !filter.due.dependsOnZones
    if most == .max || isExact {
      let page = most == .max ? Page.all : Page(count: most)
      let rows = try model.todos.todos(filter, by: Self.order, page: page)
      return isExact ? rows : sorted(rows)
    }
    // The clocks of other zones put to-dos into a slightly different order.
    let rows = try model.todos.todos(filter, by: Self.order, page: Page(count: most + Self.margin))
    return Array(sorted(rows).prefix(most))
  }

  private func sorted(_ rows: [TodoRow]) -> [TodoRow] {
    let dated = rows.map { row in (row, dues.localDue(of: row)) }
    let sorted = dated.enumerated().sorted { left, right in
      guard let first = left.element.1, let second = right.element.1 else {
        return left.offset < right.offset
      }
      if LocalDue.isBefore(first, second) { return true }
      if LocalDue.isBefore(second, first) { return false }
      // To-dos with the same local time may be separated by other to-dos, because the stored order ignores zones.
      let urgencies = (-left.element.0.priority, -right.element.0.priority)
      return (urgencies.0, left.offset) < (urgencies.1, right.offset)
    }
    return sorted.map(\.element.0)
  }
}
