/// The state of a series: its current occurrence, computed from the stored occurrences.
///
/// The state depends only on the stored values, not on a clock, a zone or the order in which events arrived. The
/// current occurrence is the earliest of a set, so there is never more than one.
///
/// The read model computes the state of each ``Series`` whenever the series or one of its occurrences changes, and
/// shows ``current`` in the row of the series.
package struct SeriesState: Sendable {
  /// The stored data about a slot, from all documents that have it.
  package struct Stored: Sendable {
    package let slot: CivilDate
    /// The documents, in the order of their ids; empty if the slot was closed by a write to the series itself.
    package fileprivate(set) var keys: [EventKey]
    /// How the slot was closed; nil if it is open.
    package fileprivate(set) var closing: Series.Closing.Kind?
    /// The day of closing, the latest if there are several; nil if the slot is open.
    ///
    /// A closing without a stored day counts as a closing on the due date of the slot.
    package fileprivate(set) var closedOn: CivilDate?
    package fileprivate(set) var due: CivilDate?
    package fileprivate(set) var start: CivilDate?

    fileprivate init(slot: CivilDate) { (self.slot, keys) = (slot, []) }

    /// Joins a closing with the known closings.
    ///
    /// Done wins over skipped.
    fileprivate mutating func join(_ closing: Series.Closing?, in series: Series) {
      guard let closing else { return }
      let known = closing.day.flatMap { $0.isComplete ? $0 : nil }
      let day = known ?? series.due(of: slot)
      self.closing = self.closing == .done ? .done : closing.kind
      closedOn = closedOn.map { max($0, day) } ?? day
    }
  }

  /// The occurrence that a series shows.
  package struct Current: Hashable, Sendable {
    package let slot: CivilDate
    package let due: CivilDate
    package let start: CivilDate?
    /// The documents that store something about the occurrence, in the order of their ids; empty if nothing is stored.
    package let keys: [EventKey]

    package init(slot: CivilDate, due: CivilDate, start: CivilDate?, keys: [EventKey]) {
      self.slot = slot
      self.due = due
      self.start = start
      self.keys = keys
    }
  }

  package let series: Series
  /// The stored slots, in order, each once.
  package let stored: [Stored]
  /// The slot that follows from the closed slots; nil if the rule has ended.
  package let next: CivilDate?
  /// The occurrence to show; nil if the series is finished.
  package let current: Current?

  package init(_ series: Series, _ occurrences: [Series.Occurrence]) {
    self.init(series, stored: Self.merged(series, occurrences))
  }

  fileprivate init(_ series: Series, stored: [Stored]) {
    self.series = series
    self.stored = stored
    let closed = stored.filter { $0.closing != nil }
    next = Self.next(series, closed)
    let open = stored.first { $0.closing == nil }
    if let open, next.map({ open.slot <= $0 }) ?? true {
      current = Current(
        slot: open.slot, due: open.due ?? series.due(of: open.slot),
        start: open.start ?? series.start(of: open.slot), keys: open.keys)
    } else {
      current = next.map {
        Current(slot: $0, due: series.due(of: $0), start: series.start(of: $0), keys: [])
      }
    }
  }

  /// Whether no occurrence is left.
  package var isFinished: Bool { current == nil }

  /// Whether a date was closed by a separate document rather than by a write to the series itself.
  package var hasClosedDates: Bool { stored.contains { $0.closing != nil && !$0.keys.isEmpty } }

  /// The slot that `undone` reopens: the latest of the slots that were closed last.
  package var latestClosed: Stored? {
    stored.filter { $0.closing != nil }
      .max { ($0.closedOn ?? $0.slot, $0.slot) < ($1.closedOn ?? $1.slot, $1.slot) }
  }

  /// The state that the series would have with another end, or without an end if `until` is nil.
  func ending(on until: CivilDate?) -> SeriesState { of(series.ending(on: until)) }

  /// The same state with the values of another series.
  func of(_ series: Series) -> SeriesState { SeriesState(series, stored: stored) }

  /// The same state without the given documents.
  func without(_ keys: Set<EventKey>) -> SeriesState {
    SeriesState(series, stored: stored.filter { $0.keys.isEmpty || !keys.isSuperset(of: $0.keys) })
  }

  /// The documents of the slots stored as open.
  package var openKeys: [EventKey] { stored.filter { $0.closing == nil }.flatMap(\.keys) }

  /// The documents of the skipped slots after the end; cancelling a series ends it and skips what is stored as open.
  package var keysSkippedAfterEnd: [EventKey] {
    guard let end = series.until?.lastDay else { return [] }
    return stored.filter { $0.slot > end && $0.closing == .skipped }.flatMap(\.keys)
  }
}

// MARK: The next slot

extension SeriesState {
  private static func next(_ series: Series, _ closed: [Stored]) -> CivilDate? {
    let found = closed.last.map { follower(series, closed, of: $0.slot) } ?? series.anchor
    let end = series.until?.lastDay
    guard let found, end.map({ found <= $0 }) ?? true else { return nil }
    return found
  }

  private static func follower(
    _ series: Series, _ closed: [Stored], of last: CivilDate
  ) -> CivilDate? {
    let closedOn = closed.compactMap(\.closedOn).max() ?? last
    if series.rule.basis == .done {
      return afterDone(series, last, closedOn, count: closed.count)
    }
    if series.rule.keepsMissed { return firstOpen(series, closed) }
    return dateNotBefore(closedOn, after: last, in: series)
  }

  private static func afterDone(
    _ series: Series, _ last: CivilDate, _ closedOn: CivilDate, count: Int
  ) -> CivilDate? {
    if let most = series.rule.count, count >= most { return nil }
    return last.adding(days: 1).flatMap { series.dateAfter(closing: closedOn, notBefore: $0) }
  }

  private static func firstOpen(_ series: Series, _ closed: [Stored]) -> CivilDate? {
    var rest = closed[...]
    return series.dates.first { date in
      rest = rest.drop { $0.slot < date }
      return rest.first?.slot != date
    }
  }

  /// The first slot after the given slot that is not due before the given day.
  private static func dateNotBefore(
    _ day: CivilDate, after slot: CivilDate, in series: Series
  ) -> CivilDate? {
    guard let morrow = slot.adding(days: 1) else { return nil }
    // Most slots are due after the same number of days, but a slot whose due date would be outside the years 1 to 9999
    // is due on the slot itself.
    let starts = [day.adding(days: -series.dueDistance) ?? morrow, day]
    let dates = starts.compactMap { series.dates.first(onOrAfter: max(morrow, $0)) }
    return dates.filter { series.due(of: $0) >= day }.min()
  }

  /// Joins documents with equal slots, in the order of their slots.
  private static func merged(_ series: Series, _ occurrences: [Series.Occurrence]) -> [Stored] {
    var stored: [Stored] = []
    let sorted = occurrences.filter(\.slot.isComplete)
      .sorted { ($0.slot, $0.id) < ($1.slot, $1.id) }
    for one in sorted {
      if stored.last?.slot != one.slot { stored.append(Stored(slot: one.slot)) }
      let place = stored.count - 1
      stored[place].keys.append(one.key)
      stored[place].join(one.closing, in: series)
      stored[place].due = stored[place].due ?? one.due
      stored[place].start = stored[place].start ?? one.start
    }
    if let closing = series.closing {
      let place = stored.firstIndex { $0.slot >= series.anchor } ?? stored.count
      if place == stored.count || stored[place].slot != series.anchor {
        stored.insert(Stored(slot: series.anchor), at: place)
        stored[place].join(closing, in: series)
      }
    }
    return stored
  }
}

// MARK: Queries for commands and rows

extension SeriesState {
  /// The number of dates after the current date that are due before today and must be closed: `2 more missed`.
  ///
  /// The number is 0 unless the rule keeps missed dates.
  package func missed(before today: CivilDate) -> Int {
    guard series.rule.keepsMissed, series.rule.basis != .done, let current,
      let start = current.slot.adding(days: 1),
      let end = today.adding(days: -series.dueDistance)
    else { return 0 }
    let open = stored.filter { $0.closing == nil && $0.slot >= start && $0.slot < end }
    return unstored(from: start, before: end) + open.count
  }

  /// The number of dates that were passed over when a slot was closed: `passed over 2 missed dates`.
  ///
  /// These dates are between the slot and the next slot, or the day of closing if there is no next slot.
  package func passedOver(after slot: CivilDate) -> Int {
    guard !series.rule.keepsMissed, series.rule.basis != .done,
      let closed = stored.first(where: { $0.slot == slot }), let closedOn = closed.closedOn,
      let start = slot.adding(days: 1)
    else { return 0 }
    let end = next ?? closedOn.adding(days: -series.dueDistance) ?? start
    return end > start ? unstored(from: start, before: end) : 0
  }

  /// The due dates that come after the current date if it is closed on the given day.
  ///
  /// A rule that counts from the day of closing has one such date.
  package func datesToCome(_ most: Int, closingOn day: CivilDate) -> [CivilDate] {
    guard let current, var start = current.slot.adding(days: 1) else { return [] }
    let end = series.until?.lastDay
    if series.rule.basis == .done {
      let count = stored.count { $0.closing != nil } + 1
      let next = Self.afterDone(series, current.slot, day, count: count)
      return [next].compactMap(\.self).filter { date in end.map { date <= $0 } ?? true }
    }
    if !series.rule.keepsMissed {
      guard let first = Self.dateNotBefore(day, after: current.slot, in: series) else { return [] }
      start = first
    }
    var dates: [CivilDate] = []
    while dates.count < most, let slot = series.dates.first(onOrAfter: start),
      end.map({ slot <= $0 }) ?? true
    {
      let known = stored.first { $0.slot == slot }
      if known?.closing == nil { dates.append(known?.due ?? series.due(of: slot)) }
      guard let morrow = slot.adding(days: 1) else { break }
      start = morrow
    }
    return dates
  }

  /// The number of dates of the rule in a span, up to its end, about which nothing is stored.
  private func unstored(from start: CivilDate, before end: CivilDate) -> Int {
    var end = end
    if let until = series.until?.lastDay { end = min(end, until.adding(days: 1) ?? until) }
    let dates = series.dates
    var count = dates.count(from: start, before: end)
    if let most = series.rule.count, count > 0 {
      let before = dates.count(from: dates.anchor, before: start)
      count = min(count, max(0, most - before))
    }
    return count - stored.count { $0.slot >= start && $0.slot < end && isDate($0.slot) }
  }

  /// Whether the rule has a date on the given day, with COUNT taken into account.
  private func isDate(_ day: CivilDate) -> Bool {
    day >= series.anchor && series.dates.first(onOrAfter: day) == day
  }
}
