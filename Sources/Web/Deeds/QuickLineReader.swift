import Domain
import Phrasing
import Platform

/// Finds the parts of a line that adds a record.
struct QuickLineReader {
  private let text: String
  private let today: CivilDate?
  private let now: Int?
  private let lists: [QuickLine.NamedList]
  private let kept: Set<String>
  /// The places of the words that have not been taken yet.
  private var words: [Range<String.Index>]
  /// The places that are not part of the title.
  private var taken: [Range<String.Index>] = []
  /// The number of days from a to-do's start to its due date, if the line states it.
  private var lead: Int?

  init(
    _ text: String, today: CivilDate?, now: Int?, lists: [QuickLine.NamedList], kept: Set<String>
  ) {
    (self.text, self.lists, self.kept) = (text, lists, kept)
    (self.today, self.now) = (today, now)
    words = text.wordRanges
  }

  mutating func read(as kind: String, into line: inout QuickLine) {
    var endsInText = false
    if kind != "birthday" {
      takeTokens(&line)
      endsInText = takeRepeat(&line)
    }
    if line.date == nil, line.fault == nil, !endsInText { takeDate(kind, &line) }
    countDates(&line)
    // Names do not end in such numbers. Without this check, the year of birth would become part of the name.
    if line.fault == nil, kind == "birthday", line.date == nil, words.count > 1,
      let last = words.last.map({ text[$0] }),
      last.wholeMatch(of: /\d+[.\/-]\d+[.\/-]\d+/) != nil
    {
      line.fault =
        "“\(last)” cannot be read as a date. Write it like 8 jun 1955 or 1955-06-08."
    }
    line.rest = rest
  }

  /// The text without the parts that have been taken, and without the white space before them.
  private var rest: String {
    var rest = ""
    var place = text.startIndex
    for range in taken.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let before = text[place..<range.lowerBound]
      // For a protected word, only the backslash is taken.
      let isWord = text[range] != "\\"
      rest += isWord ? Substring(before.dropTrailingWhitespace) : before
      place = range.upperBound
    }
    return (rest + text[place...]).trimmed
  }

  private func place(of range: Range<String.Index>) -> Range<Int> {
    let units = text.utf16
    return units.distance(
      from: units.startIndex, to: range.lowerBound)..<units.distance(
        from: units.startIndex, to: range.upperBound)
  }

  private mutating func take(
    _ range: Range<String.Index>, _ field: String, _ value: String, _ words: String,
    _ line: inout QuickLine
  ) {
    taken.append(range)
    line.parts.append(
      QuickLine.Part(field: field, value: value, words: words, place: place(of: range)))
  }
}

// MARK: Tokens

extension QuickLineReader {
  private mutating func takeTokens(_ line: inout QuickLine) {
    var rest: [Range<String.Index>] = []
    var ahead = words[...]
    while let range = ahead.popFirst() {
      let word = String(text[range])
      if word.hasPrefix("\\"), token(String(word.dropFirst())) != nil {
        taken.append(range.lowerBound..<text.index(after: range.lowerBound))
        rest.append(range)
      } else if let token = token(word), !kept.contains(word) {
        if token.option == "list" {
          takeList(token, range, &ahead, &rest, &line)
        } else {
          take(token, range, &line)
        }
      } else {
        rest.append(range)
      }
    }
    words = rest
  }

  private func token(_ word: String) -> TodoToken? {
    TodoToken(word, among: TodoToken.formsOnPage)
  }

  private mutating func take(
    _ token: TodoToken, _ range: Range<String.Index>, _ line: inout QuickLine
  ) {
    switch token.option {
    case "tag":
      let tags = token.value.split(separator: ",").map(String.init)
      line.tags += tags.filter { !line.tags.contains($0) }
      take(range, "tag", token.value, tags.map { "#\($0.visible)" }.joined(separator: " "), &line)
    case "priority":
      let priority = token.value.lowercased()
      if line.priority != nil { line.fault = Self.contradiction("priority") }
      line.priority = priority
      take(range, "priority", priority, "\(priority) priority", &line)
    case "due": takeDue(token.value, range, &line)
    case "start": takeStart(token.value, range, &line)
    case "repeat": takeRepeat(token.value, range, &line)
    default: break
    }
  }

  private mutating func takeDue(
    _ words: String, _ range: Range<String.Index>, _ line: inout QuickLine
  ) {
    if DayWords.isSomeday(words) {
      line.tags += line.tags.contains("someday") ? [] : ["someday"]
      return take(range, "tag", "someday", "#someday", &line)
    }
    do throws(DayFault) {
      let read = try DayWords(today: today).dayAndTime(words, now: now)
      if line.date != nil { line.fault = Self.contradiction("due date") }
      (line.date, line.minute) = (read.day, read.minute)
      let time = time(read.minute)
      take(range, "due", read.day.iso + time, "due \(day(read.day))\(time)", &line)
    } catch {
      line.fault = error.text(of: words.visible, isYearFree: false).asSentence
    }
  }

  private func time(_ minute: Int?) -> String {
    minute.flatMap { TimeOfDay(minute: Int64($0)) }.map { " \($0.text)" } ?? ""
  }

  private mutating func takeStart(
    _ words: String, _ range: Range<String.Index>, _ line: inout QuickLine
  ) {
    if line.start != nil || lead != nil { line.fault = Self.contradiction("start") }
    do throws(WordsFault) { lead = try FieldReader.daysBeforeDue(words) } catch {
      line.fault = error.told.text.asSentence
      return
    }
    guard lead == nil else { return take(range, "start", words, words, &line) }
    do throws(DayFault) {
      let start = try DayWords(today: today).dayToCome(words)
      line.start = start
      take(range, "start", start.iso, "not before \(day(start))", &line)
    } catch {
      line.fault = error.text(of: words.visible, isYearFree: false).asSentence
    }
  }

  private mutating func takeRepeat(
    _ words: String, _ range: Range<String.Index>, _ line: inout QuickLine
  ) {
    if line.rule != nil { line.fault = Self.contradiction("repeat") }
    do throws(RepeatFault) {
      let phrase = try RepeatWords(today: today).phrase(words)
      line.rule = QuickLine.Rule(phrase: phrase, words: words)
      take(range, "repeat", words, words, &line)
    } catch {
      line.fault = error.text(of: words.visible).asSentence
    }
  }

  /// Takes the name of a list, which may consist of several words.
  private mutating func takeList(
    _ token: TodoToken, _ range: Range<String.Index>,
    _ ahead: inout ArraySlice<Range<String.Index>>,
    _ rest: inout [Range<String.Index>], _ line: inout QuickLine
  ) {
    let longest = lists.map(\.name.wordRanges.count).max() ?? 0
    var isKept = false
    for more in stride(from: min(longest - 1, ahead.count), through: 0, by: -1) {
      let end = more == 0 ? range : ahead[ahead.startIndex + more - 1]
      let typed = range.lowerBound..<end.upperBound
      isKept = kept.contains(String(text[typed]))
      if isKept { break }
      let name = String(text[typed].dropFirst())
      let named = lists.filter { $0.name.lowercased() == name.lowercased() }
      guard let first = named.first else { continue }
      let exact = named.filter { $0.name == name }
      let found = exact.isEmpty ? named : exact
      if found.count > 1 {
        line.fault =
          "\(found.count) lists are called “\(name.visible)”. Add the to-do without “@\(name.visible)”, and then move it to one of the lists."
      } else if line.list != nil {
        line.fault = Self.contradiction("list")
      }
      line.list = (exact.first ?? first).id
      ahead.removeFirst(more)
      return take(
        typed, "list", line.list?.uuid ?? "", "to \((exact.first ?? first).name.visible)", &line)
    }
    if !isKept { line.missingLists.append(token.value) }
    rest.append(range)
  }

  private static func contradiction(_ field: String) -> String {
    "The line has more than one \(field). Remove one, or put a backslash (\\) before it to keep it in the title."
  }
}

// MARK: Repeats

extension QuickLineReader {
  /// Takes the repeat phrase at the end of the line.
  ///
  /// - Returns: Whether a phrase exists but is part of the title. If so, the last words of the line are not a date.
  private mutating func takeRepeat(_ line: inout QuickLine) -> Bool {
    guard line.rule == nil, line.fault == nil,
      let ending = RepeatEnding(text, words: words, today: today)
    else { return false }
    let typed = String(text[ending.range])
    if kept.contains(typed) { return true }
    if ending.isProtected {
      let backslash = ending.range.lowerBound
      taken.append(backslash..<text.index(after: backslash))
      return true
    }
    if line.minute != nil, ending.minute != nil { line.fault = Self.contradiction("due time") }
    line.minute = line.minute ?? ending.minute
    line.rule = QuickLine.Rule(phrase: ending.phrase, words: typed)
    take(ending.range, "repeat", typed, typed, &line)
    words.removeAll { $0.lowerBound >= ending.range.lowerBound }
    return false
  }

  /// Determines the first date of a repeating to-do, and a start that counts back from the due date.
  private func countDates(_ line: inout QuickLine) {
    var due = line.date
    if let rule = line.rule, let today, line.fault == nil {
      do throws(RepeatFault) {
        let plan = try rule.phrase.plan(due: line.date, today: today)
        let words = plan.rule.words(from: plan.due, until: plan.until)
        let first = line.date == nil ? ", first \(day(plan.due))" : ""
        line.say(words + first + (line.date == nil ? time(line.minute) : ""), for: "repeat")
        due = plan.due
      } catch {
        line.fault = error.text(of: rule.words.visible).asSentence
      }
    }
    guard let lead, line.fault == nil else { return }
    guard let start = due?.adding(days: -lead) else {
      line.fault = "“start:-\(lead)d” counts back from the due date, but the line has none."
      return
    }
    line.start = start
    line.say("not before \(day(start))", for: "start")
  }
}

extension QuickLine {
  /// Sets the text that the page shows for a part.
  fileprivate mutating func say(_ words: String, for field: String) {
    guard let place = parts.firstIndex(where: { $0.field == field }) else { return }
    parts[place].words = words
  }
}

// MARK: The date at the end

extension QuickLineReader {
  private mutating func takeDate(_ kind: String, _ line: inout QuickLine) {
    let reader = LineEndingReader(
      text, words: words, today: today, takesYears: kind == "birthday")
    switch reader.ending {
    case .words: return
    case .protected(let backslash):
      taken.append(backslash..<text.index(after: backslash))
    case .doubtful(let words, let date) where !kept.contains(words):
      line.fault =
        "“\(words)” might not be a date. If it is one, write it like \(date.dayWords.lowercased())."
    case .ambiguous(let words, let fault) where !kept.contains(words):
      line.fault = fault.text(of: words.visible, isYearFree: line.kind == "birthday").asSentence
    case .date(let found) where !kept.contains(String(text[found.range])):
      take(found, kind, &line)
    case .doubtful, .ambiguous, .date: return
    }
  }

  private mutating func take(_ found: ClosingDate, _ kind: String, _ line: inout QuickLine) {
    // Only a birthday can have a date in an earlier year. If the line has tokens, it is a to-do.
    if kind == "any", line.parts.isEmpty, let year = found.date.year, let now = today?.year,
      year < now
    {
      line.kind = "birthday"
    }
    guard line.kind != "birthday" else {
      line.date = found.date
      return take(
        found.range, "birthdate", found.date.iso, "born \(found.date.shortWords)", &line)
    }
    // A due date without a year means its next occurrence, which exists for every date that was read.
    guard let date = try? DayWords(today: today, isInTitle: true).dayToCome(found.words)
    else { return }
    line.date = date
    take(found.range, "due", date.iso, "due \(day(date))", &line)
  }

  private func day(_ date: CivilDate) -> String {
    near(date) ?? [date.weekdayName, date.shortWords].compactMap(\.self).joined(separator: " ")
  }

  private func near(_ date: CivilDate) -> String? {
    let days = today.flatMap { date.days(since: $0) }
    return days.flatMap { (-1...1).contains($0) ? CivilDate.words(inDays: $0) : nil }
  }
}

extension Substring {
  fileprivate var dropTrailingWhitespace: Substring {
    var rest = self
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return rest
  }
}
