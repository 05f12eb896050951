import Bytes
import Domain
import Phrasing
import ReadModel

/// A birthday or to-do that the user is reminded of on one day.
struct Reminder {
  enum Subject {
    case birthday(BirthdayRow, UpcomingBirthday)
    case todo(TodoRow)
  }

  /// The stage of a reminder; each stage gives one reminder.
  enum Stage: Hashable {
    /// At most this many days before the day, or on the day itself if 0.
    case before(days: Int)
    case overdue

    var word: String {
      switch self {
      case .before(let days): "\(days)"
      case .overdue: "overdue"
      }
    }
  }

  let subject: Subject
  /// The day of the birthday, or the day on which the to-do is due.
  let day: CivilDate
  let inDays: Int
  let stage: Stage

  var head: RowHead {
    switch subject {
    case .birthday(let row, _): row.head
    case .todo(let row): row.head
    }
  }

  /// Identifies this reminder among all others, including those for other days.
  var mark: ReminderMemory.Mark {
    ReminderMemory.Mark(id: head.id, day: day, stage: stage.word)
  }
}

/// Finds the reminders for one day, whether or not they were already given.
struct Reminding {
  let today: CivilDate
  /// The day of the previous run; birthdays since then may have been missed.
  let last: CivilDate?
  let preferences: Preferences

  func reminders(_ birthdays: [BirthdayRow], _ todos: [TodoRow]) -> [Reminder] {
    let coming = birthdays.flatMap(reminders).sorted {
      ($0.inDays, name($0)) < ($1.inDays, name($1))
    }
    return coming + todos.compactMap(reminder).sorted { $0.day > $1.day }
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
    if let last, last < today, let first = last.adding(days: 1),
      let missed = row.next(from: first, rule: preferences.leapRule), missed.date < today
    {
      found.append(reminder(of: row, missed, .before(days: 0)))
    }
    if let next = row.next(from: today, rule: preferences.leapRule),
      let lead = times.begun(daysLeft: next.inDays)
    {
      found.append(reminder(of: row, next, .before(days: lead)))
    }
    return found
  }

  private func reminder(
    of row: BirthdayRow, _ next: UpcomingBirthday, _ stage: Reminder.Stage
  ) -> Reminder {
    Reminder(
      subject: .birthday(row, next), day: next.date,
      inDays: next.date.days(since: today) ?? next.inDays, stage: stage)
  }

  private func reminder(of row: TodoRow) -> Reminder? {
    // A to-do that is due in a month or a year becomes overdue after the last day of that period.
    guard !row.isClosed, let due = row.due, let last = due.lastDay,
      let inDays = last.days(since: today), inDays < 0 || (inDays == 0 && due.isComplete)
    else { return nil }
    return Reminder(
      subject: .todo(row), day: last, inDays: inDays,
      stage: inDays < 0 ? .overdue : .before(days: 0))
  }
}
