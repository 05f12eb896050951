import Bytes
import Domain

/// The reminders that a device has already given.
///
/// They are not part of the book, so one device does not suppress the reminders of another.
struct ReminderMemory: Equatable {
  /// A reminder that was given.
  struct Mark: Hashable {
    let id: UniqueID
    let day: CivilDate
    let stage: String

    fileprivate var line: String { "\(id.uuid) \(day.iso) \(stage)" }
  }

  /// The day of the previous run.
  var last: CivilDate?
  var marks: Set<Mark> = []

  private static let head = "daybook reminded 1"
  /// Reminders can repeat if the clock is set back by more than this.
  private static let daysKept = 60

  init() {}

  /// Parses the format of ``text``; nil if the text has a different format.
  init?(_ text: String) {
    var lines = text.split(separator: "\n")[...]
    guard lines.popFirst() == Substring(Self.head), let last = lines.popFirst().flatMap(Self.day)
    else { return nil }
    self.last = last
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 3, let id = UniqueID(uuid: String(words[0])),
        let day = Self.day(words[1])
      else { return nil }
      marks.insert(Mark(id: id, day: day, stage: String(words[2])))
    }
  }

  var text: String {
    let lines = [Self.head, last?.iso ?? ""] + marks.map(\.line).sorted()
    return lines.map { $0 + "\n" }.joined()
  }

  /// Adds the marks of a day, and drops those that are too old to recur.
  mutating func remember(_ current: [Mark], on today: CivilDate) {
    let current = Set(current)
    marks = marks.filter { mark in
      current.contains(mark) || (today.days(since: mark.day) ?? 0) <= Self.daysKept
    }
    marks.formUnion(current)
    last = today
  }

  private static func day(_ text: Substring) -> CivilDate? {
    // If a date is incomplete or invalid, the whole text is invalid.
    (try? CivilDate.parse(String(text))).flatMap { $0.isComplete ? $0 : nil }
  }
}
