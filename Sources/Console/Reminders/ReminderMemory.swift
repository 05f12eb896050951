import Bytes
import Domain

/// The reminders that a device has already given.
///
/// They are not part of the book, so one device does not suppress the reminders of another.
struct ReminderMemory: Equatable {
  /// A reminder that was given.
  struct Mark: Hashable {
    let id: UniqueID
    /// The day; for a to-do, its time and zone follow: `2026-11-27T17:00/Europe/Berlin`.
    ///
    /// For a repeating to-do, the slot follows if it is a different day: `2026-11-30@2026-11-23`.
    let due: String
    let stage: String

    /// The mark of a reminder that is given so late that the clock may be wrong.
    ///
    /// It stands for the overdue to-do, but not for its lead times. They still have reminders if the clock is set back
    /// to before the day.
    var late: Mark { Mark(id: id, due: due, stage: "late") }

    fileprivate var line: String { "\(id.uuid) \(due) \(stage)" }
    fileprivate var day: CivilDate? { ReminderMemory.day(due.prefix(10)) }
  }

  /// The day of the previous run.
  var last: CivilDate?
  var marks: Set<Mark> = []

  private static let head = "daybook reminded 1"
  /// Reminders can repeat if the clock is set back by more than this.
  static let daysKept = 60
  /// Below this number, marks of any age are kept, so a clock that is far ahead for a while deletes none.
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
      guard words.count == 3, let id = UniqueID(uuid: String(words[0])) else { return nil }
      let mark = Mark(id: id, due: String(words[1]), stage: String(words[2]))
      guard mark.day != nil else { return nil }
      marks.insert(mark)
    }
  }

  var text: String {
    let lines = [Self.head, last?.iso ?? ""] + marks.map(\.line).sorted()
    return lines.map { $0 + "\n" }.joined()
  }

  /// Adds the marks of the reminders that were shown on a day, and drops those that are too old to recur.
  ///
  /// Reminders that recur as long as nothing changes are `current`; if they were shown before, they must stay known.
  mutating func remember(_ shown: [Mark], among current: [Mark], on today: CivilDate) {
    let current = Set(current)
    if marks.count > Self.marksKept {
      marks = marks.filter { mark in
        current.contains(mark)
          || mark.day.flatMap { today.days(since: $0) } ?? 0 <= Self.daysKept
      }
    }
    marks.formUnion(shown)
    last = today
  }

  /// Whether a reminder was given.
  ///
  /// Earlier versions gave one more reminder of an overdue to-do, and remembered only that reminder.
  func includes(_ reminder: Reminder) -> Bool {
    let mark = reminder.mark
    if reminder.inDays < 0, marks.contains(mark.late) { return true }
    return marks.contains(mark)
      || marks.contains(Mark(id: mark.id, due: mark.due, stage: Reminder.Stage.overdue.word))
  }

  fileprivate static func day(_ text: Substring) -> CivilDate? {
    // If a date is incomplete or invalid, the whole text is invalid.
    (try? CivilDate.parse(String(text))).flatMap { $0.isComplete ? $0 : nil }
  }
}
