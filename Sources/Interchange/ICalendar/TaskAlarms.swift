internal import Domain

/// The alarms of a VTODO as the lead times of a to-do.
struct TaskAlarms {
  /// The lead times, in the order of the alarms.
  private(set) var leads: [ReminderLead] = []
  /// Whether an alarm has no lead time, for example because it rings at a fixed time, after the to-do is due, or more
  /// than 366 days before the to-do is due.
  private(set) var hasOthers = false

  /// Reads the alarms of a task; without a due date, no alarm has a lead time.
  init(of task: Component) {
    for alarm in task.children where Self.isForeign(alarm) {
      if let lead = Self.lead(of: alarm, task) {
        if !leads.contains(lead) { leads.append(lead) }
      } else {
        hasOthers = true
      }
    }
  }

  private static func isForeign(_ part: Component) -> Bool {
    part.name == "VALARM" && part.first(KeptComponent.ownAlarm) == nil
  }

  /// Returns the time between an alarm and the due time or, for a whole day, between the alarm and nine o'clock.
  private static func lead(of alarm: Component, _ task: Component) -> ReminderLead? {
    guard let trigger = alarm.first("TRIGGER"), !trigger.has("VALUE", "DATE-TIME"),
      let offset = CalendarDuration.seconds(trigger.value),
      let due = task.first("DUE").flatMap({ BasicInstant.read($0.value) })
    else { return nil }
    var distance: Int64 = 0
    if !trigger.has("RELATED", "END"), let line = task.first("DTSTART") {
      guard let start = BasicInstant.read(line.value), start.isUTC == due.isUTC,
        let first = start.wallSeconds, let last = due.wallSeconds
      else { return nil }
      distance = last - first
    }
    let ring = due.seconds == nil ? ReminderLead.minuteOfUntimed * 60 : 0
    let seconds = distance - offset + ring
    return seconds.isMultiple(of: 60) ? ReminderLead(minutes: seconds / 60) : nil
  }

  /// Returns the components of a task without the alarms that have lead times.
  static func others(of task: Component) -> [ContentLine] {
    task.children.filter { !isForeign($0) || lead(of: $0, task) == nil }
      .flatMap { ContentLine.lines(of: $0.text.joined(separator: "\n")) }
  }

  /// Returns the alarms for the lead times of a to-do; none for texts that are not lead times.
  static func lines(for todo: Todo) -> [ContentLine] {
    guard let due = todo.due, due.isComplete else { return [] }
    return todo.remind.compactMap { ReminderLead($0) }.flatMap { lead in
      let offset = (todo.dueTime == nil ? ReminderLead.minuteOfUntimed : 0) - lead.minutes
      return [
        ContentLine("BEGIN", "VALARM"), ContentLine("ACTION", "DISPLAY"),
        ContentLine("DESCRIPTION", ContentLine.escaped(todo.title)),
        ContentLine(
          "TRIGGER", [.init(name: "RELATED", values: ["END"])],
          CalendarDuration.text(minutes: offset)),
        ContentLine("END", "VALARM"),
      ]
    }
  }
}

extension BasicInstant.Reading {
  /// The wall-clock time, in seconds since 1970.
  fileprivate var wallSeconds: Int64? {
    day.epochDay.map { Int64($0) * 86_400 + Int64(seconds ?? 0) }
  }
}

/// Durations of iCalendar (RFC 5545 3.3.6), such as `-P1DT15H`.
enum CalendarDuration {
  /// Parses a duration; nil for anything else, and for more than a hundred years.
  static func seconds(_ text: String) -> Int64? {
    var rest = text.trimmed.uppercased()[...]
    let isNegative = rest.first == "-"
    if let sign = rest.first, "+-".contains(sign) { rest = rest.dropFirst() }
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    var seconds: Int64 = 0
    var isTime = false
    while let first = rest.first {
      if first == "T", !isTime, rest.count > 1 {
        isTime = true
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 10, let count = Int64(digits), let sign = rest.popFirst(),
        let unit = unit(sign, isTime: isTime)
      else { return nil }
      seconds += count * unit
    }
    guard seconds <= 3_155_760_000 else { return nil }
    return isNegative ? -seconds : seconds
  }

  private static func unit(_ sign: Character, isTime: Bool) -> Int64? {
    let units: [Character: Int64] =
      isTime ? ["H": 3600, "M": 60, "S": 1] : ["W": 604_800, "D": 86_400]
    return units[sign]
  }

  static func text(minutes: Int64) -> String {
    let all = abs(minutes)
    let (days, hours, rest) = (all / 1440, all % 1440 / 60, all % 60)
    var text = minutes < 0 ? "-P" : "P"
    if days > 0 { text += "\(days)D" }
    if hours + rest > 0 || days == 0 { text += "T" }
    if hours > 0 { text += "\(hours)H" }
    if rest > 0 { text += "\(rest)M" }
    return all == 0 ? "PT0S" : text
  }
}
