import Bytes
import Domain

/// The reminders that a device has already given.
///
/// The reminders are not part of the book, so one device does not suppress the reminders of another.
struct ReminderMemory: Equatable {
  /// A reminder that was given.
  struct Mark: Hashable {
    let id: UniqueID
    /// The day; the time and zone of a to-do follow, if it has them: `2026-11-27T17:00/Europe/Berlin`.
    ///
    /// For a repeating to-do, the slot follows if it is a different day: `2026-11-30@2026-11-23`.
    let due: String
    let stage: String

    fileprivate var line: String { "\(id.uuid) \(due) \(stage)" }
    fileprivate var day: CivilDate? { ReminderMemory.day(due.prefix(10)) }
  }

  /// The day of the previous run.
  var last: CivilDate?
  /// The day on which each reminder was given, by the clock at that time.
  private var marks: [Mark: CivilDate] = [:]

  private static let head = "daybook reminded 1"
  /// Reminders can repeat if the clock is set back by more than this number of days.
  static let daysKept = 60
  /// Up to this number, marks of any age are kept, so that a clock that is far ahead for a while deletes none.
  private static let marksKept = 2_000

  init() {}

  /// Parses the format of ``text``; nil if the text has a different format.
  init?(_ text: String) {
    var lines = text.split(separator: "\n")[...]
    guard lines.popFirst() == Substring(Self.head), let last = lines.popFirst().flatMap(Self.day)
    else { return nil }
    self.last = last
    for line in lines {
      let words = line.split(separator: " ")
      guard (3...4).contains(words.count), let id = UniqueID(uuid: String(words[0])) else {
        return nil
      }
      let mark = Mark(id: id, due: String(words[1]), stage: String(words[2]))
      // Earlier versions did not write the day on which a reminder was given.
      guard mark.day != nil, let given = words.count == 4 ? Self.day(words[3]) : last else {
        return nil
      }
      marks[mark] = given
    }
  }

  var text: String {
    let lines = [Self.head, last?.iso ?? ""] + marks.map { "\($0.line) \($1.iso)" }.sorted()
    return lines.map { $0 + "\n" }.joined()
  }

  /// Adds the marks of the reminders that were shown on a day, and drops marks that are too old to recur.
  ///
  /// `current` contains the marks of all reminders that this run found. The next run finds them again if nothing
  /// changes, so these marks must be kept once the reminders have been shown.
  mutating func remember(_ shown: [Mark], among current: [Mark], on today: CivilDate) {
    let current = Set(current)
    if marks.count > Self.marksKept {
      marks = marks.filter { mark, _ in
        current.contains(mark)
          || mark.day.flatMap { today.days(since: $0) } ?? 0 <= Self.daysKept
      }
    }
    for mark in shown { marks[mark] = min(marks[mark] ?? today, today) }
    // If the clock was ahead when one of these reminders was given, the reminder was not given too early.
    for mark in current { marks[mark] = marks[mark].map { min($0, today) } }
    last = today
  }

  /// Whether a reminder has already been given.
  ///
  /// If a clock that was ahead has been set back since, a reminder may have been given too early. In the first run
  /// afterwards, such a reminder still counts as given, so that setting the clock repeats nothing. If it was not due in
  /// that run, it is given again once it is due.
  ///
  /// Earlier versions gave one more reminder of an overdue to-do, and remembered only that reminder.
  func includes(_ reminder: Reminder, on today: CivilDate) -> Bool {
    let mark = reminder.mark
    let overdue = Mark(id: mark.id, due: mark.due, stage: Reminder.Stage.overdue.word)
    return [mark, overdue].compactMap { marks[$0] }.contains { given in
      given <= today || last.map { given <= $0 } ?? false
    }
  }

  fileprivate static func day(_ text: Substring) -> CivilDate? {
    // If a date is incomplete or invalid, the whole text is invalid.
    (try? CivilDate.parse(String(text))).flatMap { $0.isComplete ? $0 : nil }
  }
}
