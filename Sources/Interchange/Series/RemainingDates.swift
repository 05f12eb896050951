internal import Domain

/// The open dates of a series as a calendar describes them: a first date, a rule that counts from it, and exceptions.
struct RemainingDates: Equatable {
  enum Ending: Equatable {
    case never
    /// After a number of dates, including the first.
    case count(Int)
    /// After a day.
    case until(CivilDate)
  }

  /// The slot of the first date.
  let first: CivilDate
  /// The dates of the rule that are closed or passed over.
  private(set) var excluded: [CivilDate] = []
  private(set) var ending = Ending.never
  /// Whether an open date is left out, because the rule does not lead from it to the other dates.
  private(set) var leavesOut = false

  /// The maximum number of dates to exclude one by one.
  private static let mostExcluded = 1000
  /// The maximum number of dates to examine one by one.
  private static let mostCounted = 5000

  /// Computes the dates; nil if none is open.
  init?(_ state: SeriesState) {
    guard let current = state.current?.slot else { return nil }
    guard state.series.rule.basis != .done else {
      first = current
      ending = Self.endingFromDone(state)
      return
    }
    if let excluded = Self.excluded(after: current, in: state) {
      (first, self.excluded) = (current, excluded)
    } else {
      // If the current date is left out, the dates from the next date on are the dates of the rule.
      guard let next = state.next else {
        (first, ending) = (current, .count(1))
        return
      }
      (first, leavesOut) = (next, true)
      excluded = Self.excluded(after: next, in: state) ?? []
    }
    ending = Self.ending(of: state, from: first)
  }

  /// Returns the dates of the rule that come after the given date and are not open, up to the last date with stored
  /// data.
  ///
  /// - Returns: The dates; nil if the given date is not a date of the rule, or if there are too many dates to examine.
  private static func excluded(after first: CivilDate, in state: SeriesState) -> [CivilDate]? {
    let dates = state.series.dates
    guard dates.contains(first) else { return nil }
    let closed = Set(state.stored.filter { $0.closing != nil }.map(\.slot))
    let open = Set(state.stored.filter { $0.closing == nil }.map(\.slot))
    let last = state.next.map { max(closed.max() ?? $0, $0) } ?? open.max() ?? first
    var excluded: [CivilDate] = []
    var (day, count) = (first, 0)
    while let morrow = day.adding(days: 1), let date = dates.first(onOrAfter: morrow), date <= last
    {
      (day, count) = (date, count + 1)
      guard count <= mostCounted else { return nil }
      // Before the next date, only stored dates can be open. From the next date on, every date is open unless it was
      // closed.
      let follows = state.next.map { date >= $0 } ?? false
      if !open.contains(date), !follows || closed.contains(date) { excluded.append(date) }
    }
    return excluded.count > mostExcluded ? nil : excluded
  }

  private static func ending(of state: SeriesState, from first: CivilDate) -> Ending {
    let series = state.series
    guard state.next != nil else {
      let open = state.stored.filter { $0.closing == nil }.map(\.slot).max()
      return synchronised(.until(max(open ?? first, first)), series, first)
    }
    let until = series.until?.lastDay
    guard let most = series.rule.count else { return until.map { .until($0) } ?? .never }
    var left = most - series.dates.count(from: series.anchor, before: first)
    if let end = until?.adding(days: 1) {
      left = min(left, series.dates.count(from: first, before: end))
    }
    return synchronised(.count(max(left, 1)), series, first)
  }

  /// Returns an ending that all programs understand in the same way.
  ///
  /// Programs disagree on whether a first date that does not fit the rule counts as one of its dates, so such a rule
  /// ends on its last day instead of after a number of dates.
  private static func synchronised(
    _ ending: Ending, _ series: Series, _ first: CivilDate
  ) -> Ending {
    guard case .count(let count) = ending, first == series.anchor, count <= mostCounted,
      !series.rule.canFall(on: first)
    else { return ending }
    let last = Array(series.dates.prefix(count)).last
    return last.map { .until($0) } ?? ending
  }

  private static func endingFromDone(_ state: SeriesState) -> Ending {
    let closedCount = state.stored.count { $0.closing != nil }
    if let most = state.series.rule.count { return .count(max(1, most - closedCount)) }
    return state.series.until?.lastDay.map { .until($0) } ?? .never
  }
}

extension RepeatDates {
  /// Returns whether a day is one of the dates.
  func contains(_ day: CivilDate) -> Bool { day >= anchor && first(onOrAfter: day) == day }
}
