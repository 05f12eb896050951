extension SeriesState {
  /// The latest open date that is due by the given day; nil if even the current date is due later.
  ///
  /// A date that was missed stays current until it is closed. The dates after it are due anyway.
  package func latest(dueBy day: CivilDate) -> Current? {
    guard let current, current.due <= day else { return nil }
    guard hasDatesAhead, var last = day.adding(days: -series.dueDistance) else { return current }
    if let end = series.until?.lastDay { last = min(last, end) }
    while let slot = series.dates.last(onOrBefore: last, after: current.slot) {
      if let date = open(slot), date.due <= day { return date }
      guard let earlier = slot.adding(days: -1) else { break }
      last = earlier
    }
    return current
  }

  /// The first open date after another date; nil after the last date, or if the next date depends on the day of
  /// closing.
  package func following(_ date: Current) -> Current? {
    guard hasDatesAhead else { return nil }
    var slot = date.slot
    while let morrow = slot.adding(days: 1), let next = series.dates.first(onOrAfter: morrow),
      series.until?.lastDay.map({ next <= $0 }) ?? true
    {
      if let date = open(next) { return date }
      slot = next
    }
    return nil
  }

  /// The number of open dates from the current date up to, but not including, a slot.
  package func openDates(before slot: CivilDate) -> Int {
    guard let current, current.slot < slot else { return 0 }
    let closed = stored.count { one in
      one.closing != nil && one.slot > current.slot && one.slot < slot
        && series.dates.first(onOrAfter: one.slot) == one.slot
    }
    let morrow = current.slot.adding(days: 1) ?? slot
    return 1 + series.dates.count(from: morrow, before: slot) - closed
  }

  /// Whether the dates after the current date are known before it is closed.
  private var hasDatesAhead: Bool { series.rule.basis != .done }

  /// The date at a slot; nil if it is closed.
  private func open(_ slot: CivilDate) -> Current? {
    let known = stored.first { $0.slot == slot }
    if let known, known.closing != nil { return nil }
    return Current(
      slot: slot, due: known?.due ?? series.due(of: slot),
      start: known?.start ?? series.start(of: slot), keys: known?.keys ?? [])
  }
}

extension RepeatDates {
  /// The last date on or before a day that is later than another day; nil if there is none.
  package func last(onOrBefore day: CivilDate, after earlier: CivilDate) -> CivilDate? {
    guard let least = earlier.adding(days: 1) else { return nil }
    var days = 1
    // Doubling the distance each time takes few steps, whether the dates are close together or far apart.
    while least <= day {
      let start = day.adding(days: -days).map { Swift.max($0, least) } ?? least
      if let last = last(from: start, through: day) { return last }
      if start == least { break }
      days *= 2
    }
    return nil
  }

  private func last(from start: CivilDate, through day: CivilDate) -> CivilDate? {
    var (last, from): (CivilDate?, CivilDate?) = (nil, start)
    while let earliest = from, earliest <= day, let date = first(onOrAfter: earliest), date <= day {
      (last, from) = (date, date.adding(days: 1))
    }
    return last
  }
}
