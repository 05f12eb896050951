internal import Domain

/// The parts of a line of a todo.txt file.
///
/// Words with a known meaning may occur anywhere in the text. Words with other keys stay in the title.
struct TodoTxtLine: Equatable {
  var isDone = false
  /// The priority as a capital letter, which a completed task has in the word `pri:`.
  var priority: String?
  var completed: CivilDate?
  var created: CivilDate?
  var title = ""
  /// The projects without their signs.
  ///
  /// The first one is the list.
  var projects: [String] = []
  var contexts: [String] = []
  var due: CivilDate?
  /// The words that are kept unchanged, by their keys.
  var others: [String: String] = [:]
  /// The exact name of the list, if a project cannot spell it.
  var listName: String?
  var uuid: String?
  var base: String?

  /// Keys that have a meaning in other programs but not here.
  static let otherKeys: Set<String> = ["rec", "t"]
}

extension TodoTxtLine {
  /// Values of `due:` that are not days, in a line from another program.
  ///
  /// Their words stay in the title.
  var unreadableDues: [String] {
    guard uuid == nil else { return [] }
    return title.split(separator: " ").filter { $0.hasPrefix("due:") && $0.utf8.count > 4 }
      .map { String($0.dropFirst(4)) }
  }

  /// Parses a line without its line break.
  init(_ text: String) {
    var words = Self.words(of: text)[...]
    if words.first == "x", words.count > 1 {
      isDone = true
      words = words.dropFirst()
    }
    if let letter = words.first.flatMap(Self.priority), words.count > 1 {
      priority = letter
      words = words.dropFirst()
    }
    takeDates(from: &words)
    if let first = words.first { words[words.startIndex] = unescapedStart(first) }
    // If two words have the same key, the last one counts, because a book writes its own words after the title.
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
    title = plain.reversed().joined(separator: " ").replacing(" ⏎ ", with: "\n").trimmed
    if title.isEmpty { title = Self.withoutOwnWords(text) }
  }

  /// Splits at spaces, even if a combining accent follows, which would form one character with the space.
  private static func words(of text: String) -> [Substring] {
    text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).map(Substring.init)
  }

  /// Returns the title of a line that consists only of words with a meaning, which is the line itself.
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

  /// Takes the dates at the beginning: a completed task has its completion date first, then its creation date.
  private mutating func takeDates(from words: inout ArraySlice<Substring>) {
    guard let first = words.first.flatMap(Self.date) else { return }
    words = words.dropFirst()
    guard isDone else {
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

  /// Takes a word with a meaning, at most one for each key.
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
    let value = String(word[word.index(after: colon)...])
    // A value contains no colon; a word with a second colon is an address or a time.
    guard !value.isEmpty, !value.contains(":") else { return false }
    return take(String(word[..<colon]), value)
  }

  private mutating func take(_ key: String, _ value: String) -> Bool {
    switch key {
    case "due" where due == nil:
      due = Self.date(value[...])
      return due != nil
    case "pri" where priority == nil && isDone:
      priority = Self.priority("(\(value))")
      return priority != nil
    case "uuid" where uuid == nil: uuid = value
    case "base" where base == nil: base = value
    case "list" where listName == nil: listName = EncodedWord.read(value)
    case _ where Self.otherKeys.contains(key) && others[key] == nil: others[key] = value
    default: return false
    }
    return true
  }
}

/// Escapes words of a title that would otherwise have a meaning, with a backslash.
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
    if word == "x" { return !isDone && priority == nil && !hasDates }
    if Self.priority(word) != nil { return priority == nil && !hasDates }
    return Self.date(word) != nil && (isDone ? completed == nil || created == nil : created == nil)
  }

  private func unescapedStart(_ word: Substring) -> Substring {
    word.first == "\\" && meansAtStart(Self.withoutEscapes(word)) ? word.dropFirst(1) : word
  }

  /// Returns whether the line would be read correctly with these words as its title.
  private func isRead(titled words: String) -> Bool {
    let line = TodoTxtLine(text(titled: words))
    let hasDay = !isDone || completed != nil
    return line.title == title && line.isDone == isDone && line.priority == priority
      && line.completed == completed && line.created == (hasDay ? created : nil) && line.due == due
      && line.projects.count == projects.count && line.contexts.count == contexts.count
  }

  /// The title as it is written.
  ///
  /// It is escaped only if it would otherwise be misread.
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
    if isDone { words.append("x") } else if let priority { words.append("(\(priority))") }
    if isDone { words.append(completed?.iso ?? "") }
    // A completed task with only one date has its completion date.
    if !isDone || completed != nil { words.append(created?.iso ?? "") }
    words.append(title)
    words += projects.map { "+" + TodoTxtName.word($0) }
    if let listName { words.append("list:" + EncodedWord.text(listName)) }
    words += contexts.map { "@" + TodoTxtName.word($0) }
    if let due { words.append("due:" + due.iso) }
    if isDone, let priority { words.append("pri:" + priority) }
    words += others.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    if let uuid { words.append("uuid:" + uuid) }
    if let base { words.append("base:" + base) }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// The names of lists and tags as words.
enum TodoTxtName {
  /// Returns a name as one word, in which underscores replace spaces; the name cannot be restored.
  static func word(_ name: String) -> String {
    String(name.map { $0.isWhitespace ? "_" : $0 })
  }
}
