package import Domain
package import Platform
package import ReadModel

/// Which to-dos belong to the sections of an agenda, see ``TodoFilter`` and ``TodoOrder``.
package struct Agenda {
  /// The number of days after today that are the next days.
  private static let daysAhead = 7

  /// The day of the agenda; nil if the clock is outside of the calendar.
  package let day: CivilDate?

  package init(day: CivilDate?) { self.day = day }

  /// The order of the to-dos in every section: by day, and within a day by priority.
  ///
  /// Without a day, this is the order by priority, and then by age.
  package static let order = TodoOrder.due

  package var undated: TodoFilter { .pending(.undated, on: day) }

  package var overdue: TodoFilter? { day.map { .pending(.before($0), on: $0) } }

  package var today: TodoFilter? { day.map { .pending(.on($0...$0), on: $0) } }

  /// The to-dos of the next days, and these days.
  package var next: (filter: TodoFilter, days: ClosedRange<CivilDate>)? {
    guard let first = day?.adding(days: 1), let last = day?.adding(days: Self.daysAhead) else {
      return nil
    }
    return (.pending(.on(first...last), on: day), first...last)
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
