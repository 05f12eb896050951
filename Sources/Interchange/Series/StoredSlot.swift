internal import Domain

/// What a book stores about a date of a series, as exported files list it, such as `2026-11-23=done/2026-11-26`.
///
/// The day of closing and the time of completion follow the state if they are known; in files that have no other place
/// for it, an open slot's own due date follows the state.
struct StoredSlot: Equatable {
  enum State: String {
    case done, skipped, open
  }

  var slot: CivilDate
  var state: State
  /// The day of closing or, for an open slot, its due date.
  var day: CivilDate?
  var completedAt: Int64?

  init(_ slot: CivilDate, _ state: State, on day: CivilDate? = nil, completedAt: Int64? = nil) {
    (self.slot, self.state) = (slot, state)
    (self.day, self.completedAt) = (day, completedAt)
  }

  var isOpen: Bool { state == .open }

  var text: String {
    var words = ["\(slot.iso)=\(state.rawValue)", day?.iso ?? ""]
    words.append(completedAt.flatMap(Instant.text) ?? "")
    while words.last == "" { words.removeLast() }
    return words.joined(separator: "/")
  }

  /// Parses the text; nil for anything else.
  init?(_ text: String) {
    let words = text.trimmed.split(separator: "/", omittingEmptySubsequences: false)
    let halves = (words.first ?? "").split(separator: "=").map(String.init)
    guard halves.count == 2, words.count <= 3, let slot = ForeignDate.own(halves[0]),
      slot.isComplete, let state = State(rawValue: halves[1])
    else { return nil }
    self.init(slot, state)
    if words.count > 1, !words[1].isEmpty {
      guard let day = ForeignDate.own(String(words[1])), day.isComplete else { return nil }
      self.day = day
    }
    if words.count > 2 {
      guard let instant = Instant.parse(String(words[2])) else { return nil }
      completedAt = instant
    }
  }

  /// Returns the slots in a list separated by commas; unreadable entries are left out.
  static func list(_ text: String) -> [StoredSlot] {
    text.split(separator: ",").compactMap { StoredSlot(String($0)) }
  }
}
