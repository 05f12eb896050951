import Domain
internal import SQLite

/// Times on the clocks of one zone.
///
/// A due time is stored as the clocks of its zone show it. A filter for local days compares the due time with the times
/// that those clocks show when the local days begin and end.
package struct DueSpan: Hashable, Sendable {
  /// A time on a clock: a day, packed as in events, and a minute of that day.
  package struct Point: Hashable, Sendable {
    package let day: Int64
    package let minute: Int64

    package init(day: Int64, minute: Int64) { (self.day, self.minute) = (day, minute) }

    /// The point before all other points.
    package static let first = Point(day: 0, minute: 0)
  }

  package let zone: String
  package let start: Point
  /// The first point after the span.
  package let end: Point

  package init(zone: String, start: Point, end: Point) {
    (self.zone, self.start, self.end) = (zone, start, end)
  }

  /// Whether a to-do of the zone is due in the span.
  func contains(_ row: TodoRow) -> Bool {
    let point = Point(row)
    return !(point < start) && point < end
  }

  fileprivate func condition(_ clauses: inout Clauses) -> String {
    let points = [start, end].map { point in
      "(\(clauses.parameter(.integer(point.day))), \(clauses.parameter(.integer(point.minute))))"
    }
    let point = clauses.due.point
    return "(\(point) >= \(points[0]) AND \(point) < \(points[1]))"
  }
}

extension DueSpan.Point: Comparable {
  /// When a to-do is due on the clocks of its zone; a to-do without a time is sorted after the last minute of its day.
  init(_ row: TodoRow) {
    self.init(day: row.due?.packed ?? 0, minute: row.dueTime ?? TodoTable.untimed)
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.day, left.minute) < (right.day, right.minute)
  }
}

extension TodoFilter {
  func restrict(_ clauses: inout Clauses, to days: ClosedRange<Int64>, _ zones: [DueSpan]) {
    let widest = zones.reduce(days) { widest, span in
      min(widest.lowerBound, span.start.day)...max(widest.upperBound, span.end.day)
    }
    let bounds = [days, widest].map { days in
      "BETWEEN \(clauses.parameter(.integer(days.lowerBound))) "
        + "AND \(clauses.parameter(.integer(days.upperBound)))"
    }
    let due = clauses.due
    clauses.require("\(due.isThere) AND \(due.day) \(bounds[1])")
    guard !zones.isEmpty else { return }
    clauses.require(Self.byZone(zones, otherwise: "\(due.day) \(bounds[0])", &clauses))
  }

  func restrict(
    _ clauses: inout Clauses, before day: CivilDate, minute: Int64, _ zones: [DueSpan],
    by order: TodoOrder
  ) {
    let number = clauses.parameter(.integer(day.packed))
    // If to-dos that are due on the day itself can match, the bound must be after that day.
    let isOnlyBefore = zones.isEmpty && minute == 0
    let latest = zones.reduce(isOnlyBefore ? day.packed : day.packed + 1) { latest, span in
      max(latest, span.end.day + 1)
    }
    let bound = isOnlyBefore ? number : clauses.parameter(.integer(latest))
    // Over time, most due dates are in the past. An index in the requested order finds the first of them quickly,
    // without sorting all of them.
    let due = clauses.due
    let plain = order == .due ? "" : "+"
    clauses.require(
      "\(plain)\(due.isThere) AND \(plain)\(due.day) < \(bound) AND \(plain)\(due.day) >= 512")
    // A month has no day, and a year has neither day nor month. A month or year is over once a later one has begun.
    let month = clauses.parameter(.integer(day.packed - day.packed % 32))
    let year = clauses.parameter(.integer(day.packed - day.packed % 512))
    clauses.require(
      "(\(due.day) % 32 > 0 OR \(due.day) < iif(\(due.day) % 512 > 0, \(month), \(year)))")
    guard !isOnlyBefore else { return }
    let time = clauses.parameter(.integer(minute))
    // To-dos without a time are sorted after the last minute of their day.
    let isPast = "\(due.point) < (\(number), \(time))"
    clauses.require(
      "(\(due.day) % 32 = 0 OR \(Self.byZone(zones, otherwise: isPast, &clauses)))")
  }

  /// Lists the dates instead of a range, so that an index finds each of them directly and in order, although months and
  /// years sort before all of their days.
  func restrict(
    _ clauses: inout Clauses, toEndOn days: ClosedRange<CivilDate>, minute: Int64,
    _ zones: [DueSpan]
  ) {
    let (first, last) = (days.lowerBound.packed, days.upperBound.packed)
    let whole = zones.reduce(first...last) { widest, span in
      min(widest.lowerBound, span.start.day)...max(widest.upperBound, span.end.day)
    }
    let dates = Self.dates(endingOn: days).union(Self.days(in: whole)).sorted()
    let listed = dates.map { clauses.parameter(.integer($0)) }.joined(separator: ", ")
    let due = clauses.due
    clauses.require("\(due.isThere) AND \(due.day) IN (\(listed))")
    guard !zones.isEmpty || minute > 0 else { return }
    let start = clauses.parameter(.integer(first))
    let end = clauses.parameter(.integer(last))
    let time = clauses.parameter(.integer(minute))
    // To-dos without a time are sorted after the last minute of their day.
    let isThen = "\(due.point) >= (\(start), \(time)) AND \(due.day) <= \(end)"
    clauses.require(
      "(\(due.day) % 32 = 0 OR \(Self.byZone(zones, otherwise: isThen, &clauses)))")
  }

  /// The packed days, and the months and years whose last day is one of them.
  private static func dates(endingOn days: ClosedRange<CivilDate>) -> Set<Int64> {
    var dates = Self.days(in: days.lowerBound.packed...days.upperBound.packed)
    for day in dates {
      guard let day = CivilDate(packed: day), day.adding(days: 1)?.day ?? 1 == 1 else { continue }
      // There is no day after the last day of the calendar, which also ends a month.
      dates.insert(day.packed - day.packed % 32)
      if day.month == 12 { dates.insert(day.packed - day.packed % 512) }
    }
    return dates
  }

  private static func days(in packed: ClosedRange<Int64>) -> Set<Int64> {
    var days: Set<Int64> = []
    var day = CivilDate(packed: packed.lowerBound)
    while let current = day, current.packed <= packed.upperBound {
      days.insert(current.packed)
      day = current.adding(days: 1)
    }
    return days
  }

  /// A condition for to-dos with a due time in one of the zones, and another for all others.
  private static func byZone(
    _ zones: [DueSpan], otherwise: String, _ clauses: inout Clauses
  ) -> String {
    guard !zones.isEmpty else { return otherwise }
    let cases = zones.map { span in
      "WHEN zone = \(clauses.parameter(.text(span.zone))) AND due_time IS NOT NULL "
        + "AND \(clauses.due.day) % 32 > 0 THEN \(span.condition(&clauses))"
    }
    return "CASE \(cases.joined(separator: " ")) ELSE \(otherwise) END"
  }
}
