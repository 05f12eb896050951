package import Domain
package import Platform
package import ReadModel

/// When a to-do is due according to the calendar and clock of this device.
package struct LocalDue: Hashable, Sendable {
  /// The local day, which can differ from the stored date, because the stored date is the day in the to-do's zone.
  package let day: CivilDate
  /// The local time; nil if the to-do is due at any time of the day.
  package let time: TimeOfDay?
  /// The instant, if there is a time.
  package let moment: Moment?
  /// The zone's name, if this device does not recognize it; the time is then treated as local.
  package let unknownZone: String?

  /// The length to which an unknown name is shortened, because another device can write any text.
  private static let zoneShown = 40

  /// The date and the time: `2026-11-27 17:00`.
  package var text: String { day.iso + suffix }

  /// The time as it follows the date, such as ` 17:00`; empty if there is none.
  package var suffix: String {
    guard let time else { return "" }
    let zone = unknownZone.map { " " + String($0.prefix(Self.zoneShown)).visible }
    return " \(time.text)\(zone ?? "")"
  }

  /// Sorts by day, and within a day by time, with due dates without a time last.
  package static func isBefore(_ left: LocalDue, _ right: LocalDue) -> Bool {
    (left.day.packed, left.time?.minute ?? .max) < (right.day.packed, right.time?.minute ?? .max)
  }
}

/// Converts due dates to local dates, and compares them with the present or with another time that is shown.
package struct LocalDues: Sendable {
  private let timekeeper: any Timekeeper
  /// The time that is shown.
  package let now: Moment
  /// The local day of that time.
  package let today: CivilDate?

  package init(_ timekeeper: any Timekeeper, at moment: Moment? = nil) {
    self.timekeeper = timekeeper
    now = moment ?? timekeeper.now()
    today = timekeeper.localDay(of: now)
  }

  /// Returns the local due date of a to-do; nil if it has none.
  package func localDue(of row: TodoRow) -> LocalDue? { localDue(of: row, on: row.due) }

  /// Returns the local due date of a to-do on another day, such as another date of a repeating to-do.
  package func localDue(of row: TodoRow, on due: CivilDate?) -> LocalDue? {
    localDue(due, row.dueTime, row.zone)
  }

  /// Returns the local due date of a to-do; nil if it has none.
  package func localDue(of todo: Todo) -> LocalDue? { localDue(todo.due, todo.dueTime, todo.zone) }

  /// Whether an open to-do was due before today, or earlier today.
  package func isOverdue(_ row: TodoRow) -> Bool {
    !row.isClosed && localDue(of: row).map(isPast) ?? false
  }

  /// Whether a due date is before today, or is today at a time that has passed.
  ///
  /// A month or a year has passed after its last day, and a time after its minute.
  package func isPast(_ due: LocalDue) -> Bool {
    guard let today, let last = due.day.lastDay else { return false }
    if last != today { return last < today }
    return due.moment.map { $0.milliseconds + 60_000 <= now.milliseconds } ?? false
  }

  /// Returns the time of a reminder for a to-do that is due on a day.
  ///
  /// Without a due time, the reminder counts back from 09:00. For a to-do that is due in a month or year, the reminder
  /// counts back from the day after that period.
  package func moment(
    of lead: ReminderLead, before row: TodoRow, on due: CivilDate
  ) -> Moment? {
    let minute = due.isComplete ? row.dueTime : nil
    let rules = minute == nil ? nil : row.zone.flatMap(timekeeper.zone(named:))
    let (days, minutes) = lead.parts
    let last = due.isComplete ? due : due.lastDay?.adding(days: 1)
    guard let day = last?.adding(days: -days),
      let moment = timekeeper.moment(
        of: day, seconds: (minute ?? ReminderLead.minuteOfUntimed) * 60, in: rules)
    else { return nil }
    return Moment(milliseconds: moment.milliseconds - minutes * 60_000)
  }

  /// Returns the local day of a time; nil outside the calendar.
  package func localDay(of moment: Moment) -> CivilDate? { timekeeper.localDay(of: moment) }

  /// Returns the day that it would currently be if days began at the given minute rather than at midnight; nil outside
  /// the calendar.
  package func day(since minute: Int64) -> CivilDate? {
    guard let today, let start = timekeeper.moment(of: today, seconds: minute * 60) else {
      return nil
    }
    return start <= now ? today : today.adding(days: -1)
  }

  private func localDue(_ day: CivilDate?, _ minute: Int64?, _ zone: String?) -> LocalDue? {
    guard let day else { return nil }
    guard day.isComplete, let time = minute.flatMap(TimeOfDay.init(minute:)) else {
      return LocalDue(day: day, time: nil, moment: nil, unknownZone: nil)
    }
    let rules = zone.flatMap(timekeeper.zone(named:))
    let moment = timekeeper.moment(of: day, seconds: time.minute * 60, in: rules)
    let unknown = rules == nil ? zone : nil
    guard let moment, let localDay = timekeeper.localDay(of: moment) else {
      return LocalDue(day: day, time: time, moment: moment, unknownZone: unknown)
    }
    // Local clocks skip a time when they are put forward; the to-do is then due at the time that they show instead.
    return LocalDue(
      day: localDay, time: TimeOfDay(text: timekeeper.localClock(of: moment.milliseconds)),
      moment: moment, unknownZone: unknown)
  }
}

// MARK: Filters

extension LocalDues {
  /// Returns the condition that a to-do was due before today, or earlier today; nil if today is unknown.
  package func overdue(in model: ReadModel) throws(ReadModelError) -> TodoFilter.Due? {
    guard let today, let point = point(of: now, in: nil) else { return nil }
    let spans = try zones(near: today.packed...today.packed, in: model).compactMap { name, rules in
      self.point(of: now, in: rules).map { DueSpan(zone: name, start: .first, end: $0) }
    }
    return .overdue(today, minute: point.minute, zones: spans)
  }

  /// Returns the condition that a to-do is due in a range of local days.
  ///
  /// - Parameters:
  ///   - days: The first and last days, packed as in events. If a number is before the first or after the last date of
  ///     the calendar, that end of the range is open.
  ///   - model: The records, which are queried for the zones near those days.
  /// - Returns: The condition.
  /// - Throws: ``ReadModelError`` if the records cannot be read.
  package func due(
    on days: ClosedRange<Int64>, in model: ReadModel
  ) throws(ReadModelError) -> TodoFilter.Due {
    let start = CivilDate(packed: days.lowerBound)?.firstDay
    let end = Self.lastDate(upTo: days.upperBound)?.adding(days: 1)
    guard start != nil || end != nil else { return .within(days) }
    let spans = try zones(near: days, in: model).compactMap { name, rules -> DueSpan? in
      let points = [start, end].map { day in
        day.flatMap { timekeeper.moment(of: $0, seconds: 0) }
          .flatMap { point(of: $0, in: rules) }
      }
      return DueSpan(
        zone: name, start: points[0] ?? .first,
        end: points[1] ?? DueSpan.Point(day: .max - 1, minute: 0))
    }
    return .within(days, zones: spans)
  }

  /// Returns the condition that a to-do is due today, at a time that has not passed or at no given time; nil if today
  /// is unknown.
  ///
  /// A month or a year is due on its last day.
  package func restOfToday(in model: ReadModel) throws(ReadModelError) -> TodoFilter.Due? {
    guard let today, let point = point(of: now, in: nil) else { return nil }
    return try due(endingOn: today...today, after: (now, point.minute), in: model)
  }

  /// Returns the condition that a to-do is due in a range of local days.
  ///
  /// A month or a year is due on its last day.
  package func due(
    endingOn days: ClosedRange<CivilDate>, in model: ReadModel
  ) throws(ReadModelError) -> TodoFilter.Due { try due(endingOn: days, after: nil, in: model) }

  private func due(
    endingOn days: ClosedRange<CivilDate>, after present: (moment: Moment, minute: Int64)?,
    in model: ReadModel
  ) throws(ReadModelError) -> TodoFilter.Due {
    let start = present?.moment ?? timekeeper.moment(of: days.lowerBound, seconds: 0)
    let end = days.upperBound.adding(days: 1).flatMap { timekeeper.moment(of: $0, seconds: 0) }
    let packed = days.lowerBound.packed...days.upperBound.packed
    let spans = try zones(near: packed, in: model).map { name, rules in
      DueSpan(
        zone: name, start: start.flatMap { point(of: $0, in: rules) } ?? .first,
        end: end.flatMap { point(of: $0, in: rules) }
          ?? DueSpan.Point(day: days.upperBound.packed + 1, minute: 0))
    }
    return .on(days, minute: present?.minute ?? 0, zones: spans)
  }

  /// The known zones of to-dos that are due near the first or last of the given days.
  ///
  /// On other days, the zone makes no difference.
  private func zones(
    near days: ClosedRange<Int64>, in model: ReadModel
  ) throws(ReadModelError) -> [(String, ZoneRules)] {
    var names: Set<String> = []
    for day in Set([days.lowerBound, days.upperBound]) {
      guard let date = CivilDate(packed: day)?.firstDay ?? Self.lastDate(upTo: day) else {
        continue
      }
      // The clocks of two places differ by 26 hours at most.
      let near = [-2, 2].map { date.adding(days: $0)?.packed ?? date.packed }
      names.formUnion(try model.todos.zones(ofTodosDue: near[0]...near[1]))
    }
    return names.sorted().compactMap { name in timekeeper.zone(named: name).map { (name, $0) } }
  }

  /// The last day in a range of packed dates, whose end can be a day 31 that the month does not have.
  private static func lastDate(upTo number: Int64) -> CivilDate? {
    (0...3).lazy.compactMap { CivilDate(packed: number - $0)?.lastDay }.first
  }

  /// The day and time that the clocks of a zone show at an instant; nil outside the calendar.
  private func point(of moment: Moment, in rules: ZoneRules?) -> DueSpan.Point? {
    let offset = rules?.offsetSeconds(at: moment) ?? timekeeper.localOffsetSeconds(at: moment)
    let (shown, overflows) = moment.milliseconds.addingReportingOverflow(Int64(offset) * 1000)
    guard !overflows, let day = CivilDate(ofInstant: shown), let epochDay = day.epochDay else {
      return nil
    }
    return DueSpan.Point(
      day: day.packed, minute: (shown - Int64(epochDay) * 86_400_000) / 60_000)
  }
}
