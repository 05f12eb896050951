import Bytes
import Domain
import Phrasing
import ReadModel

/// A birthday or to-do that the user is reminded of on one day.
struct Reminder {
  enum Subject {
    case birthday(BirthdayRow, UpcomingBirthday)
    case todo(TodoRow, LocalDue)
  }

  /// The stage of a reminder; each stage gives one reminder.
  enum Stage: Hashable {
    /// At most this many days before the day, or on the day itself if 0.
    case before(days: Int)
    /// This long before a to-do is due.
    case lead(ReminderLead)
    case overdue

    var word: String {
      switch self {
      case .before(let days): "\(days)"
      case .lead(let lead): lead.text
      case .overdue: "overdue"
      }
    }
  }

  let subject: Subject
  /// The day of the birthday, or the local day on which the to-do is due.
  let day: CivilDate
  let inDays: Int
  let stage: Stage

  var head: RowHead {
    switch subject {
    case .birthday(let row, _): row.head
    case .todo(let row, _): row.head
    }
  }

  /// Identifies this reminder among all others, including those for other days.
  let mark: ReminderMemory.Mark
  /// What is remembered once the reminder is shown: its mark, and those of earlier reminders that it replaces.
  let marks: [ReminderMemory.Mark]
}

/// Finds the reminders of birthdays for one day, whether or not they were already given.
struct BirthdayReminding {
  /// The day for which to remind: today, or until the hour of birthdays the day before.
  let day: CivilDate
  let today: CivilDate
  /// The day of the previous run; birthdays since then may have been missed.
  let last: CivilDate?
  let preferences: Preferences

  func reminders(_ birthdays: [BirthdayRow]) -> [Reminder] {
    birthdays.flatMap(reminders).sorted { ($0.inDays, name($0)) < ($1.inDays, name($1)) }
  }

  private func name(_ reminder: Reminder) -> String {
    guard case .birthday(let row, _) = reminder.subject else { return "" }
    return row.name
  }

  private func reminders(of row: BirthdayRow) -> [Reminder] {
    let times = row.lead.isEmpty ? preferences.lead : LeadTimes(row.lead) ?? preferences.lead
    if times.days.isEmpty { return [] }
    var found: [Reminder] = []
    // No reminders were given on days on which this machine was off.
    if let first = firstMissed, let missed = row.next(from: first, rule: preferences.leapRule),
      missed.date < day
    {
      found.append(reminder(of: row, missed, .before(days: 0)))
    }
    if let next = row.next(from: day, rule: preferences.leapRule),
      let lead = times.begun(daysLeft: next.inDays)
    {
      found.append(reminder(of: row, next, .before(days: lead)))
    }
    return found
  }

  /// The first day for which reminders may have been missed.
  ///
  /// The memory does not reach further back. If the clock was wrong in the meantime, all its reminders are still known.
  private var firstMissed: CivilDate? {
    guard let last, last < day, let first = last.adding(days: 1) else { return nil }
    return day.adding(days: -ReminderMemory.daysKept).map { max($0, first) } ?? first
  }

  private func reminder(
    of row: BirthdayRow, _ next: UpcomingBirthday, _ stage: Reminder.Stage
  ) -> Reminder {
    let mark = ReminderMemory.Mark(id: row.head.id, due: next.date.iso, stage: stage.word)
    return Reminder(
      subject: .birthday(row, next), day: next.date,
      inDays: next.date.days(since: today) ?? next.inDays, stage: stage, mark: mark, marks: [mark])
  }
}

extension LocalDues {
  /// The minute of the day from which birthdays remind: 08:00.
  private static let birthdayMinute: Int64 = 480

  /// The day for which birthdays remind now; nil outside the calendar.
  ///
  /// A timer also runs at night, but reminds of birthdays in the morning.
  var birthdayDay: CivilDate? { day(since: Self.birthdayMinute) }
}

/// Finds the to-dos that remind by now, whether or not they already did.
struct TodoReminding {
  let dues: LocalDues
  /// The lead times of to-dos that have none of their own.
  let leads: ReminderLeads

  /// Returns those due in the future, the next one first, and then the overdue ones, the latest first.
  func reminders(_ todos: [TodoRow]) -> [Reminder] {
    let found = todos.compactMap { row in
      dues.localDue(of: row).flatMap { due in reminder(of: row, due).map { ($0, due) } }
    }
    let sorted = found.sorted { LocalDue.isBefore($0.1, $1.1) }.map(\.0)
    return sorted.filter { $0.stage != .overdue }
      + sorted.filter { $0.stage == .overdue }.reversed()
  }

  /// Returns the reminder of a to-do; nil if none of its lead times has begun.
  ///
  /// One reminder stands for all that have been missed.
  private func reminder(of row: TodoRow, _ due: LocalDue) -> Reminder? {
    let own = ReminderLeads(stored: row.remind) ?? leads
    let begun = own.leads.filter { lead in
      dues.moment(of: lead, before: row).map { $0 <= dues.now } ?? false
    }
    guard let latest = begun.last, let today = dues.today, let day = due.day.lastDay,
      let inDays = day.days(since: today)
    else { return nil }
    let marks = begun.map { lead in
      ReminderMemory.Mark(id: row.head.id, due: mark(of: row, day), stage: lead.text)
    }
    return Reminder(
      subject: .todo(row, due), day: day, inDays: inDays,
      stage: dues.isPast(due) ? .overdue : .lead(latest), mark: marks[marks.count - 1],
      marks: marks)
  }

  /// The due date as it is stored: another local time after a journey is no other due date.
  ///
  /// A date of a to-do that repeats can be moved to the day of the next date, which reminds by itself.
  private func mark(of row: TodoRow, _ localDay: CivilDate) -> String {
    let day = (row.due?.lastDay ?? localDay).iso
    let slot = row.slot.flatMap { $0 == row.due ? nil : "@" + $0.iso } ?? ""
    return day + timeMark(of: row) + slot
  }

  /// The time and the zone; empty without a time.
  private func timeMark(of row: TodoRow) -> String {
    guard row.due?.isComplete == true, let time = row.dueTime.flatMap(TimeOfDay.init(minute:))
    else { return "" }
    // A name with other characters, which would divide the line, is not the name of a zone.
    let zone = row.zone.flatMap { name in
      name.utf8.allSatisfy { 0x21...0x7E ~= $0 } ? "/" + name : nil
    }
    return "T\(time.text)\(zone ?? "")"
  }
}
