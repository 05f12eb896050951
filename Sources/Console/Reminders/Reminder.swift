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

  /// The stage of a reminder; each stage produces one reminder.
  enum Stage: Hashable {
    /// A reminder at most this many days before the day, or on the day itself if the number is 0.
    case before(days: Int)
    /// A reminder this long before a to-do is due.
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
  /// The date of a repeating to-do according to its rule.
  var slot: CivilDate?
  /// The number of earlier dates of the to-do that were missed and are still open.
  var missed = 0

  var head: RowHead {
    switch subject {
    case .birthday(let row, _): row.head
    case .todo(let row, _): row.head
    }
  }

  /// Identifies this reminder among all others, including those for other days.
  let mark: ReminderMemory.Mark
  /// The marks to remember once the reminder is shown: its mark, the marks of earlier reminders that it replaces, and
  /// the marks of later reminders that would say the same.
  let marks: [ReminderMemory.Mark]
}

/// Finds the reminders of birthdays for one day, whether or not they have already been given.
struct BirthdayReminding {
  /// The day whose birthdays have reminders now: yesterday until the hour at which birthday reminders begin, then
  /// today.
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
      found.append(reminder(of: row, missed, lead: 0, among: times))
    }
    if let next = row.next(from: day, rule: preferences.leapRule),
      let lead = times.begun(daysLeft: next.inDays)
    {
      found.append(reminder(of: row, next, lead: lead, among: times))
    }
    return found
  }

  /// The first day for which reminders may have been missed.
  ///
  /// The day is never earlier than the days that the memory keeps. The memory contains all reminders since this day,
  /// even if the clock was wrong in the meantime.
  private var firstMissed: CivilDate? {
    guard let last, last < day, let first = last.adding(days: 1) else { return nil }
    return day.adding(days: -ReminderMemory.daysKept).map { max($0, first) } ?? first
  }

  private func reminder(
    of row: BirthdayRow, _ next: UpcomingBirthday, lead: Int, among times: LeadTimes
  ) -> Reminder {
    let inDays = next.date.days(since: today) ?? next.inDays
    // After midnight, a late reminder already counts the days from the new day, as the morning's reminder will.
    let replaced = times.days.filter { ($0 < lead) && ($0 >= inDays) }
    let marks = ([lead] + replaced).map { days in
      ReminderMemory.Mark(
        id: row.head.id, due: next.date.iso, stage: Reminder.Stage.before(days: days).word)
    }
    return Reminder(
      subject: .birthday(row, next), day: next.date, inDays: inDays, stage: .before(days: lead),
      mark: marks[0], marks: marks)
  }
}

/// The times of day that the reminders of birthdays and of to-dos without a due time depend on.
enum ReminderHours {
  /// The minute of the day from which reminders of birthdays are shown: 08:00.
  static let birthdayMinute: Int64 = 480

  static let note =
    "Reminders of birthdays are not shown before 08:00. The lead times of to-dos without a due time count back from 09:00."
}

extension LocalDues {
  /// The day whose birthdays have reminders now; nil outside the calendar.
  ///
  /// A timer also runs at night, but reminders of birthdays wait until the morning.
  var birthdayDay: CivilDate? { day(since: ReminderHours.birthdayMinute) }
}
