internal import Domain

/// The properties with which a calendar says how a to-do repeats.
struct TaskSeries {
  let series: ExportedSeries
  /// The open dates; nil in a finished series.
  let remaining: RemainingDates?
  private let todo: Todo
  /// The value of the RRULE; nil if no RRULE has the same dates.
  private let rule: String?

  init(_ series: ExportedSeries, _ todo: Todo) {
    (self.series, self.todo) = (series, todo)
    remaining = RemainingDates(series.state)
    rule = remaining.flatMap { Self.rule(of: series.state.series, $0, todo) }
  }

  private var base: Series { series.state.series }
  private var time: TimeOfDay? { todo.dueTime.flatMap { TimeOfDay(minute: $0) } }

  /// Returns the time in DTSTART, which is midnight if the rule counts from the start, and otherwise the due time.
  private static func startTime(_ todo: Todo, _ series: Series) -> TimeOfDay? {
    guard let minute = todo.dueTime else { return nil }
    return TimeOfDay(minute: series.rule.basis == .start ? 0 : minute)
  }

  private var startTime: TimeOfDay? { Self.startTime(todo, base) }

  /// Whether other programs show the to-do as one that does not repeat.
  var losesRule: Bool { remaining != nil && rule == nil }

  /// The dates of the series: the dates of the current slot, the rule from that slot on, and its exceptions.
  var dates: [ContentLine] {
    guard let remaining else {
      return series.due.map { [.moment("DUE", $0, time, todo.zone)] } ?? []
    }
    let first = remaining.first
    var lines = [
      ContentLine.moment("DTSTART", first, startTime, todo.zone),
      .moment("DUE", base.due(of: first), time, todo.zone),
    ]
    guard let rule else { return lines }
    lines.append(ContentLine("RRULE", rule))
    if !remaining.excluded.isEmpty {
      let all = remaining.excluded.map { ContentLine.moment("EXDATE", $0, startTime, todo.zone) }
      var line = all[0]
      line.value = all.map(\.value).joined(separator: ",")
      lines.append(line)
    }
    return lines
  }

  /// The properties from which daybook reads the whole series.
  var own: [ContentLine] {
    var lines = [
      CalendarWriting.text(TaskRepetition.rule, base.rule.text),
      ContentLine(TaskRepetition.first, BasicInstant.text(base.due)),
    ]
    if let start = base.start {
      lines.append(ContentLine("X-DAYBOOK-START", BasicInstant.text(start)))
    }
    if let until = base.until?.lastDay {
      lines.append(ContentLine(TaskRepetition.until, BasicInstant.text(until)))
    }
    if let remaining {
      lines.append(ContentLine(TaskRepetition.slot, BasicInstant.text(remaining.first)))
    }
    if let rule { lines.append(CalendarWriting.text(TaskRepetition.written, rule)) }
    return lines + Self.slots(series.listed)
  }

  /// Returns the property with the list of stored dates, if there are any.
  static func slots(_ slots: [StoredSlot]) -> [ContentLine] {
    slots.isEmpty
      ? []
      : [ContentLine(KeptComponent.slots, slots.map(\.text).joined(separator: ","))]
  }
}

// MARK: The rule

extension TaskSeries {
  private static func rule(
    of series: Series, _ remaining: RemainingDates, _ todo: Todo
  ) -> String? {
    let first = remaining.first
    let isFromDone = series.rule.basis == .done
    guard
      let rule = RecurrenceRule(series.rule, anchor: isFromDone ? first : series.anchor)
    else { return nil }
    switch remaining.ending {
    case .never: return rule.text
    case .count(let count): return rule.text + ";COUNT=\(count)"
    case .until(let day):
      guard let time = startTime(todo, series) else {
        return rule.text + ";UNTIL=" + BasicInstant.text(day)
      }
      guard todo.zone != nil else { return rule.text + ";UNTIL=\(BasicInstant.text(day))T235959" }
      return rule.text + ";UNTIL=" + lastInstant(of: day, time)
    }
  }

  /// Returns an instant in UTC that, in almost any zone, is not before the given time of a day, and is before that time
  /// on the next day.
  ///
  /// With a zone, the end must be in UTC (RFC 5545 3.3.10). Local time is at most 12 hours behind UTC, and almost
  /// nowhere more than 12 hours ahead of it.
  private static func lastInstant(of day: CivilDate, _ time: TimeOfDay) -> String {
    let minute = time.minute + 12 * 60
    let last = minute < 1440 ? day : day.adding(days: 1) ?? day
    let clock = TimeOfDay(minute: minute % 1440)?.text.filter { $0 != ":" } ?? "0000"
    return "\(BasicInstant.text(last))T\(clock)00Z"
  }
}

// MARK: Exceptions

extension TaskSeries {
  /// The open dates that differ from the series, in order.
  var moved: [(slot: CivilDate, document: Document)] {
    guard let remaining, rule != nil || series.moved[remaining.first] != nil else { return [] }
    return series.moved.filter { $0.key >= remaining.first }
      .map { (slot: $0.key, document: $0.value) }.sorted { $0.slot < $1.slot }
  }

  /// Returns the properties of a date that differs from the series.
  ///
  /// - Parameters:
  ///   - slot: The date.
  ///   - document: The occurrence.
  ///   - task: The properties of the series.
  /// - Returns: The properties of the date.
  func exception(
    at slot: CivilDate, _ document: Document, from task: [ContentLine]
  ) -> [ContentLine] {
    func same(_ name: String) -> [ContentLine] { task.filter { $0.name == name } }
    func text(_ name: String, _ field: Field) -> [ContentLine] {
      document.text(field).map { [CalendarWriting.text(name, $0)] } ?? same(name)
    }
    let hasOwnTime = document.value(Field.Todo.due) != .null
    let due = document.value(Field.Todo.due).date ?? base.due(of: slot)
    let minute = hasOwnTime ? document.integer(Field.Todo.dueTime) : todo.dueTime
    let zone = hasOwnTime ? document.text(Field.Todo.zone) : todo.zone
    let time = minute.flatMap { TimeOfDay(minute: $0) }
    let start = document.value(Field.Todo.start).date
    var lines = same("UID") + same("DTSTAMP")
    lines.append(.moment("RECURRENCE-ID", slot, startTime, todo.zone))
    lines += text("SUMMARY", Field.Todo.title) + same("PRIORITY")
    lines.append(ContentLine("STATUS", "NEEDS-ACTION"))
    if base.rule.basis == .start {
      let midnight = time == nil ? nil : TimeOfDay(minute: 0)
      lines.append(.moment("DTSTART", start ?? slot, midnight, zone))
    } else {
      lines.append(.moment("DTSTART", due, time, zone))
    }
    lines.append(.moment("DUE", due, time, zone))
    if let start { lines.append(ContentLine("X-DAYBOOK-START", BasicInstant.text(start))) }
    return lines + same("CATEGORIES") + text("DESCRIPTION", .note)
  }
}
