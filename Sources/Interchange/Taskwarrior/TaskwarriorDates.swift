internal import Domain

/// The dates of a series as Taskwarrior stores them: a mask with a character for each date, and children.
struct TaskwarriorDates {
  struct Child {
    let slot: CivilDate
    /// The index of the date in the series.
    let index: Int
    let stored: StoredSlot?
    /// The stored data about the date.
    let document: Document?

    var status: String {
      switch stored?.state {
      case .done: "completed"
      case .skipped: "deleted"
      default: "pending"
      }
    }
  }

  /// The period after which the dates repeat.
  let recur: String
  private(set) var mask = ""
  /// The children for the closed dates, and for the dates that are open for Taskwarrior.
  ///
  /// These include the first date after the day of the export, because Taskwarrior would add it.
  private(set) var children: [Child] = []
  /// The last date; nil if there is no end.
  let last: CivilDate?

  private static let mostDates = 20_000

  /// Computes the dates; nil if no Taskwarrior period has these dates, or if there are too many dates.
  init?(_ series: ExportedSeries, keeping kept: String?, _ settings: ExportSettings) {
    let (state, told) = (series.state, series.state.series)
    guard let recur = TaskwarriorRepeat.text(told.rule, from: told.due, as: kept) else {
      return nil
    }
    self.recur = recur
    last = Self.last(of: told)
    let open = Self.open(state, settings.today)
    let closed = series.stored.filter { !$0.isOpen }
    let end = max(open.max() ?? told.anchor, closed.map(\.slot).max() ?? told.anchor)
    var slots: [CivilDate: StoredSlot] = [:]
    for slot in series.stored { slots[slot.slot] = slot }
    for (index, date) in told.dates.enumerated() {
      guard date <= end else { break }
      guard index < Self.mostDates else { return nil }
      let stored = slots[date]
      let isOpen = stored?.isOpen ?? open.contains(date)
      mask += isOpen ? "-" : stored?.state == .done ? "+" : "X"
      guard isOpen || stored != nil else { continue }
      children.append(
        Child(slot: date, index: index, stored: stored, document: series.document(of: date)))
    }
  }

  /// Returns the dates that are open for Taskwarrior.
  private static func open(_ state: SeriesState, _ today: CivilDate?) -> Set<CivilDate> {
    var open = Set(state.stored.filter { $0.closing == nil }.map(\.slot))
    guard let current = state.current?.slot else { return open }
    open.insert(current)
    let closed = Set(state.stored.filter { $0.closing != nil }.map(\.slot))
    guard let next = state.next else { return open }
    let end = state.series.until?.lastDay
    func isOpen(_ date: CivilDate) -> Bool {
      date >= next && !closed.contains(date) && end.map { date <= $0 } ?? true
    }
    let morrow = today?.adding(days: 1) ?? current
    if let date = state.series.dates.first(onOrAfter: max(morrow, next)), isOpen(date) {
      open.insert(date)
    }
    guard state.series.rule.keepsMissed else { return open }
    for date in state.series.dates.prefix(mostDates) {
      if date >= morrow { break }
      if isOpen(date) { open.insert(date) }
    }
    return open
  }

  private static func last(of series: Series) -> CivilDate? {
    let end = series.until?.lastDay
    guard let count = series.rule.count, count <= mostDates,
      let last = Array(series.dates.prefix(count)).last
    else { return end }
    let due = series.due(of: last)
    return end.map { min($0, due) } ?? due
  }
}
