import Bytes
import Domain

/// What a device has reminded of already: it is no part of the book, so that two devices do not silence each other.
struct ReminderMemory: Equatable {
  /// A reminder that was given.
  struct Mark: Hashable {
    let id: UniqueID
    let day: CivilDate
    let stage: String

    fileprivate var line: String { "\(id.uuid) \(day.iso) \(stage)" }
  }

  /// The day on which it was looked last.
  var last: CivilDate?
  var marks: Set<Mark> = []

  private static let head = "daybook reminded 1"
  /// A clock that is put back by more than this may repeat something.
  private static let daysKept = 60

  init() {}

  /// Reads what ``text`` writes; nil for anything else.
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

  /// Remembers what is true on a day, and forgets what can come up no more.
  mutating func remember(_ current: [Mark], on today: CivilDate) {
    let current = Set(current)
    marks = marks.filter { mark in
      current.contains(mark) || (today.days(since: mark.day) ?? 0) <= Self.daysKept
    }
    marks.formUnion(current)
    last = today
  }

  private static func day(_ text: Substring) -> CivilDate? {
    // What is no day was not written by us; the caller says so.
    (try? CivilDate.parse(String(text))).flatMap { $0.isComplete ? $0 : nil }
  }
}
