internal import Domain

/// What the words in the cells of a table mean.
struct CSVWords: Sendable {
  enum State: Sendable { case open, done, cancelled }

  /// What a program says of states beside the words that many use.
  var states: [String: State] = [:]
  /// What a program says of priorities, in place of the words that many use.
  var priorities: [String: Priority] = [:]
  /// What stands between tags; nil for a comma, a semicolon or an end of line.
  var tagSeparator: String?
  /// What groups of a program's own begin with, which are no tags of the user's.
  var systemTagSign: Character?

  /// The state that a word tells; nil for one that is not known.
  func state(_ word: String) -> State? {
    let word = Self.plain(word)
    return states[word] ?? Self.commonStates[word]
  }

  /// Whether a word says no more than its state.
  static func isPlain(_ word: String) -> Bool {
    let word = plain(word)
    return plainWords.contains(word) || commonStates[word] == .done
  }

  /// The priority that a word tells, and whether it tells no more than that; nil for one that is not known.
  func priority(_ word: String) -> (priority: Priority, isWhole: Bool)? {
    let word = Self.plain(word)
    guard let priority = (priorities.isEmpty ? Self.commonPriorities : priorities)[word] else {
      return nil
    }
    let rivals = priorities.count { $0.value == priority }
    return (priority, rivals < 2 || Self.commonPriorities[word] == priority)
  }

  /// The tags in a cell, and whether there is nothing else in it.
  func tags(_ cell: String) -> (tags: [String], isWhole: Bool) {
    // Some programs write the tags as a list of their language.
    let isBracketed = cell.first == "[" && cell.last == "]"
    let list = isBracketed ? cell.dropFirst().dropLast() : cell[...]
    let parts =
      tagSeparator.map { list.split(separator: $0) }
      ?? list.split { $0 == "," || $0 == ";" || $0.isNewline }
    let words = parts.map { String($0).trimmed }.filter { !$0.isEmpty }
    let tags = words.filter { $0.first != systemTagSign }
    return (tags, tags.count == words.count)
  }

  /// Whether a cell says that there is nothing to say.
  static func isNone(_ cell: String) -> Bool {
    let isSign = cell.allSatisfy { "-–—?./".contains($0) }
    return isSign || ["null", "nil", "none", "n/a", "na", "unknown"].contains(cell.lowercased())
  }

  /// A word without its case, and without the signs between its letters; numbers keep their sign.
  static func plain(_ word: String) -> String {
    let word = word.trimmed.lowercased()
    return word.contains(where: \.isLetter) ? word.filter { $0.isLetter || $0.isNumber } : word
  }
}

extension CSVWords {
  private static let plainWords: Set<String> = [
    "no", "n", "false", "0", "open", "unchecked", "todo", "pending", "notstarted", "needsaction",
    "nein", "offen",
  ]

  private static let commonStates: [String: State] = {
    let open = [
      "inprogress", "inprocess", "started", "doing", "active", "waiting", "waitingonothers",
      "waitingonsomeoneelse", "deferred", "onhold", "blocked", "backlog", "planned", "new", "next",
      "review", "inreview", "inarbeit", "进行中", "未开始",
    ]
    let done = [
      "done", "completed", "complete", "closed", "finished", "x", "yes", "y", "true", "1",
      "checked", "100%", "resolved", "erledigt", "abgeschlossen", "ja", "✓", "✔", "✅", "☑", "完成",
      "已完成",
    ]
    let cancelled = ["cancelled", "canceled", "wontdo", "abgebrochen", "已取消"]
    var states: [String: State] = [:]
    for word in open + plainWords { states[word] = .open }
    for word in done { states[word] = .done }
    for word in cancelled { states[word] = .cancelled }
    return states
  }()

  private static let commonPriorities: [String: Priority] = [
    "high": .high, "h": .high, "a": .high, "2": .high, "!!!": .high, "urgent": .high,
    "hoch": .high, "normal": .normal, "medium": .normal, "m": .normal, "b": .normal,
    "1": .normal, "!!": .normal, "none": .normal, "mittel": .normal, "low": .low, "l": .low,
    "c": .low, "0": .low, "!": .low, "niedrig": .low,
  ]
}
