internal import Domain

/// The parts of a line of a todo.txt file.
///
/// Words with a known meaning may occur anywhere in the text. Words with other keys stay in the title.
struct TodoTxtLine: Equatable {
  /// Whether the line begins with an `x`.
  var isClosed = false
  /// Whether the line is closed and has the word `status:cancelled`; other programs support only completed tasks.
  var isCancelled = false
  /// The priority as a capital letter; a completed task has it in the word `pri:`.
  var priority: String?
  var completed: CivilDate?
  var created: CivilDate?
  var title = ""
  /// The projects without their signs.
  ///
  /// The first project is the list.
  var projects: [String] = []
  var contexts: [String] = []
  var when = When()
  /// The words to keep unchanged, by their keys.
  var others: [String: String] = [:]
  /// The exact name of the list, if a project cannot spell it.
  var listName: String?
  var identity = Identity()

  /// When the to-do is due, begins and repeats, and when it reminds the user.
  struct When: Equatable {
    var due: CivilDate?
    /// The time of the due date, as in `due:2026-12-01T17:00`.
    var dueTime: TimeOfDay?
    /// The time zone of the due time.
    var zone: String?
    var start: CivilDate?
    /// The lead times of reminders.
    var remind: [String] = []
    /// The words that daybook wrote about a repeating to-do.
    var series: [SeriesWords.Key: String] = [:]
  }

  /// The words by which a later import finds the to-do again.
  struct Identity: Equatable {
    /// The uuid of the parent of this sub-task.
    var parent: String?
    var uuid: String?
    var base: String?
  }

  /// The key of the word that says how the task repeats, in a notation that several programs share.
  static let repeatKey = "rec"

  /// The keys of kept words: `rec`, and others if their values have no meaning here.
  static let otherKeys: Set<String> = [
    repeatKey, SeriesWords.Key.rule.rawValue, "t", "status", "zone",
  ]
}

extension TodoTxtLine {
  /// The values of `due:` that are not days, in a line from another program.
  ///
  /// Words with these values stay in the title.
  var unreadableDues: [String] {
    guard identity.uuid == nil else { return [] }
    return title.split(separator: " ").filter { $0.hasPrefix("due:") && $0.utf8.count > 4 }
      .map { String($0.dropFirst(4)) }
  }

  /// Parses a line without its line break.
  init(_ text: String) {
    var words = Self.words(of: text)[...]
    if words.first == "x", words.count > 1 {
      isClosed = true
      words = words.dropFirst()
    }
    if let letter = words.first.flatMap(Self.priority), words.count > 1 {
      priority = letter
      words = words.dropFirst()
    }
    takeDates(from: &words)
    if let first = words.first { words[words.startIndex] = unescapedStart(first) }
    // If two words have the same key, the last one is used, because daybook writes its own words after the title.
    var plain: [Substring] = []
    for word in words.reversed() {
      let bare = Self.withoutEscapes(word)
      if word.first == "\\", means(bare) {
        plain.append(word.dropFirst(1))
      } else if !take(word) {
        plain.append(word)
      }
    }
    projects.reverse()
    contexts.reverse()
    if when.dueTime == nil, let zone = when.zone {
      others["zone"] = EncodedWord.text(zone)
      self.when.zone = nil
    }
    title = plain.reversed().joined(separator: " ").replacing(" ⏎ ", with: "\n").trimmed
    if title.isEmpty { title = Self.withoutOwnWords(text) }
  }

  /// Splits at spaces, even if a combining accent follows, which would form one character with the space.
  private static func words(of text: String) -> [Substring] {
    text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).map(Substring.init)
  }

  /// Returns the title of a line whose words all have a meaning: the line without `uuid:` and `base:`.
  private static func withoutOwnWords(_ text: String) -> String {
    words(of: text).filter { !$0.hasPrefix("uuid:") && !$0.hasPrefix("base:") }
      .joined(separator: " ").trimmed
  }

  /// Parses `(A)`.
  private static func priority(_ word: Substring) -> String? {
    let letters = Array(word.utf8)
    guard letters.count == 3, letters[0] == UInt8(ascii: "("), letters[2] == UInt8(ascii: ")"),
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letters[1])
    else { return nil }
    return String(Character(Unicode.Scalar(letters[1])))
  }

  /// Reads the dates at the beginning: a completed task has its completion date first, then its creation date.
  private mutating func takeDates(from words: inout ArraySlice<Substring>) {
    guard let first = words.first.flatMap(Self.date) else { return }
    words = words.dropFirst()
    guard isClosed else {
      created = first
      return
    }
    completed = first
    guard let second = words.first.flatMap(Self.date) else { return }
    words = words.dropFirst()
    created = second
  }

  private static func date(_ word: Substring) -> CivilDate? {
    guard word.utf8.count == 10 else { return nil }
    do throws(CivilDateError) {
      let date = try CivilDate.parse(String(word))
      return date.isComplete ? date : nil
    } catch {
      // A word that is not a date is part of the title.
      return nil
    }
  }

  /// Reads a word with a meaning, at most one for each key.
  private mutating func take(_ word: Substring) -> Bool {
    guard let sign = word.first, word.utf8.count > 1 else { return false }
    if sign == "+" {
      projects.append(String(word.dropFirst()))
      return true
    }
    if sign == "@" {
      contexts.append(String(word.dropFirst()))
      return true
    }
    guard let colon = word.firstIndex(of: ":") else { return false }
    let (key, value) = (word[..<colon], String(word[word.index(after: colon)...]))
    if key == "due", when.due == nil { return takeDue(value) }
    // A value contains no colon; a word with a second colon is an address or a time.
    guard !value.isEmpty, !value.contains(":") else { return false }
    return take(String(key), value)
  }

  private mutating func takeDue(_ value: String) -> Bool {
    let parts = value.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard let day = parts.first.flatMap(Self.date) else { return false }
    if parts.count == 2 {
      guard let time = TimeOfDay(text: parts[1]) else { return false }
      when.dueTime = time
    }
    when.due = day
    return true
  }

  private mutating func take(_ key: String, _ value: String) -> Bool {
    switch key {
    case "pri" where priority == nil && isClosed:
      priority = Self.priority("(\(value))")
      return priority != nil
    case "uuid" where identity.uuid == nil: identity.uuid = value
    case "base" where identity.base == nil: identity.base = value
    case "list" where listName == nil: listName = EncodedWord.read(value)
    case "t" where Self.date(value[...]) != nil:
      guard when.start == nil else { return false }
      when.start = Self.date(value[...])
    case "status" where value == "cancelled" && isClosed && !isCancelled: isCancelled = true
    case "status" where value != "cancelled": return false
    case "zone", "remind", "parent": return takeOwn(key, value)
    case _ where SeriesWords.Key(rawValue: key) != nil: return takeSeries(key, value)
    case _ where Self.otherKeys.contains(key) && others[key] == nil: others[key] = value
    default: return false
    }
    return true
  }

  /// Reads a word that only this program writes; in a line from another program, it must have a valid value.
  private mutating func takeOwn(_ key: String, _ value: String) -> Bool {
    switch key {
    case "zone" where when.zone == nil && (identity.uuid != nil || Self.isZone(value)):
      when.zone = EncodedWord.read(value)
    case "remind" where when.remind.isEmpty:
      let items = EncodedWord.items(of: value)
      guard !items.isEmpty, identity.uuid != nil || Self.areLeads(items) else { return false }
      when.remind = items
    case "parent" where identity.parent == nil && identity.uuid != nil && value != identity.uuid:
      identity.parent = value
    default: return false
    }
    return true
  }

  /// Reads a word about a repeating to-do; in a line from another program, only a valid rule is accepted.
  private mutating func takeSeries(_ name: String, _ value: String) -> Bool {
    guard let key = SeriesWords.Key(rawValue: name), when.series[key] == nil else { return false }
    let text = EncodedWord.read(value)
    let isRule = key == .rule && RepeatRule(canonicalIfValid: text) != nil
    guard identity.uuid != nil || isRule else { return false }
    when.series[key] = text
    return true
  }

  static func isZone(_ name: String) -> Bool { CalendarZone.name(name) == name }

  static func areLeads(_ words: [String]) -> Bool {
    words.allSatisfy { ReminderLead($0) != nil }
  }
}

/// Escapes with a backslash those words of a title that would otherwise have a meaning.
extension TodoTxtLine {
  private static func withoutEscapes(_ word: Substring) -> Substring { word.drop { $0 == "\\" } }

  /// Returns whether a word in a title would be read as something else.
  private func means(_ word: Substring) -> Bool {
    var line = self
    return line.take(word)
  }

  /// Returns whether a word would be read as something else at the start of the title.
  private func meansAtStart(_ word: Substring) -> Bool {
    let hasDates = completed != nil || created != nil
    if word == "x" { return !isClosed && priority == nil && !hasDates }
    if Self.priority(word) != nil { return priority == nil && !hasDates }
    return Self.date(word) != nil
      && (isClosed ? completed == nil || created == nil : created == nil)
  }

  private func unescapedStart(_ word: Substring) -> Substring {
    word.first == "\\" && meansAtStart(Self.withoutEscapes(word)) ? word.dropFirst(1) : word
  }

  /// Returns whether the line would be read correctly with these words as its title.
  private func isRead(titled words: String) -> Bool {
    let line = TodoTxtLine(text(titled: words))
    let hasDay = !isClosed || completed != nil
    return line.title == title && line.isClosed == isClosed && line.isCancelled == isCancelled
      && line.priority == priority && line.completed == completed
      && line.created == (hasDay ? created : nil) && line.hasTimesAndParent(of: self)
      && line.projects.count == projects.count && line.contexts.count == contexts.count
  }

  private func hasTimesAndParent(of other: TodoTxtLine) -> Bool {
    when == other.when && identity.parent == other.identity.parent && others == other.others
  }

  /// The title in its written form, which is escaped only if it would otherwise be misread.
  private var titleWords: String {
    let plain = title.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .joined(separator: " ⏎ ")
    if isRead(titled: plain) { return plain }
    if isRead(titled: "") { return "" }
    var line = self
    (line.projects, line.contexts) = ([], [])
    var words = Self.words(of: plain)
    for place in words.indices where line.means(Self.withoutEscapes(words[place])) {
      words[place] = "\\" + words[place]
    }
    if let first = words.first, meansAtStart(Self.withoutEscapes(first)) { words[0] = "\\" + first }
    return words.joined(separator: " ")
  }
}

extension TodoTxtLine {
  /// The line without a line break.
  var text: String { text(titled: titleWords) }

  private func text(titled title: String) -> String {
    var words: [String] = []
    if isClosed { words.append("x") } else if let priority { words.append("(\(priority))") }
    if isClosed { words.append(completed?.iso ?? "") }
    // A completed task with only one date has its completion date.
    if !isClosed || completed != nil { words.append(created?.iso ?? "") }
    words.append(title)
    words += projects.map { "+" + TodoTxtName.word($0) }
    if let listName { words.append("list:" + EncodedWord.text(listName)) }
    words += contexts.map { "@" + TodoTxtName.word($0) }
    if let due = when.due {
      words.append("due:" + due.iso + (when.dueTime.map { "T" + $0.text } ?? ""))
    }
    if let zone = when.zone { words.append("zone:" + EncodedWord.text(zone)) }
    if isClosed, let priority { words.append("pri:" + priority) }
    words += others.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    if let start = when.start { words.append("t:" + start.iso) }
    for key in SeriesWords.Key.allCases {
      if let text = when.series[key] { words.append(key.rawValue + ":" + EncodedWord.text(text)) }
    }
    if !when.remind.isEmpty { words.append("remind:" + EncodedWord.list(when.remind)) }
    if let parent = identity.parent { words.append("parent:" + parent) }
    if isCancelled { words.append("status:cancelled") }
    if let uuid = identity.uuid { words.append("uuid:" + uuid) }
    if let base = identity.base { words.append("base:" + base) }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// Names of lists and tags as words.
enum TodoTxtName {
  /// Returns a name as one word, in which underscores replace spaces; the name cannot be restored.
  static func word(_ name: String) -> String {
    String(name.map { $0.isWhitespace ? "_" : $0 })
  }
}
