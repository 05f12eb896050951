internal import Domain

/// The meanings of words in the cells of a table.
struct CSVWords: Sendable {
  enum State: Sendable { case open, done, cancelled }

  /// A program's own words for states, in addition to the common words.
  var states: [String: State] = [:]
  /// A program's own words for priorities, which replace the common words.
  var priorities: [String: Priority] = [:]
  /// The separator between tags; nil means a comma, a semicolon or a line break.
  var tagSeparator: String?
  /// The first character of groups that the program defines, which are not the user's tags.
  var systemTagSign: Character?

  /// Returns the state that a word means; nil for an unknown word.
  func state(_ word: String) -> State? {
    let word = Self.plain(word)
    return states[word] ?? Self.commonStates[word]
  }

  /// Returns whether a word expresses nothing but a state.
  static func isPlain(_ word: String) -> Bool {
    let word = plain(word)
    return plainWords.contains(word) || commonStates[word] == .done
  }

  /// Returns the priority that a word means, and whether it expresses nothing more; nil for an unknown word.
  func priority(_ word: String) -> (priority: Priority, isWhole: Bool)? {
    let word = Self.plain(word)
    guard let priority = (priorities.isEmpty ? Self.commonPriorities : priorities)[word] else {
      return nil
    }
    let rivals = priorities.count { $0.value == priority }
    return (priority, rivals < 2 || Self.commonPriorities[word] == priority)
  }

  /// Returns the tags in a cell, and whether the cell contains nothing else.
  func tags(_ cell: String) -> (tags: [String], isWhole: Bool) {
    // Some programs write the tags as a list in brackets.
    let isBracketed = cell.first == "[" && cell.last == "]"
    let list = isBracketed ? cell.dropFirst().dropLast() : cell[...]
    let parts =
      tagSeparator.map { list.split(separator: $0) }
      ?? list.split { $0 == "," || $0 == ";" || $0.isNewline }
    let words = parts.map { String($0).trimmed }.filter { !$0.isEmpty }
    let tags = words.filter { $0.first != systemTagSign }
    return (tags, tags.count == words.count)
  }

  /// Returns whether a cell says that there is no value.
  static func isNone(_ cell: String) -> Bool {
    let isSign = cell.allSatisfy { "-–—?./".contains($0) }
    return isSign || ["null", "nil", "none", "n/a", "na", "unknown"].contains(cell.lowercased())
  }

  /// Returns a word in lowercase without punctuation; text without letters stays as it is.
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
