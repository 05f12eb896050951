package import Domain

/// Reads repeat phrases as users type them: `every 2 weeks`, `jeden Montag`, `每月15号`, `each 1st until 2027-06-30`.
package struct RepeatWords {
  private let days: DayWords

  /// The maximum length of a phrase, which exceeds the length of any rule in words.
  private static let mostBytes = 4_096

  package init(today: CivilDate?) { days = DayWords(today: today) }

  /// The words that end a to-do's repeats.
  package static let none: Set<String> = [
    "none", "never", "nie", "niemals", "kein", "keins", "keine", "无", "不重复",
  ]

  /// Reads the value of `--repeat`, which is a phrase in which `every` is optional, or an RFC 5545 rule.
  ///
  /// Check ``none`` before calling this method; ``RepeatPhrase/plan(due:current:today:)`` returns the values to write.
  package func phrase(_ words: String) throws(RepeatFault) -> RepeatPhrase {
    try read(words).phrase
  }

  /// Reads the end of a quick line; nil unless the words are a phrase about how something repeats.
  package func phraseIfAny(_ words: String) -> RepeatPhrase? {
    // The caller does not need the reason, because the words stay in the title.
    guard let read = try? read(words), read.isLed else { return nil }
    return read.phrase
  }

  /// Reads a phrase that may begin or end with a time of day, such as `every monday at 9am`.
  ///
  /// - Returns: The phrase and the minute of the day; nil unless the words are a phrase about how something repeats.
  package func phraseAndTime(_ words: String) -> (phrase: RepeatPhrase, minute: Int?)? {
    if let phrase = phraseIfAny(words) { return (phrase, nil) }
    guard words.utf8.count <= Self.mostBytes else { return nil }
    for split in TimeWords.splits(of: DayText.normal(words)) where split.minutes < 1440 {
      let rest = split.rest.hasSuffix("@") ? String(split.rest.dropLast()) : split.rest
      if let phrase = phraseIfAny(rest) { return (phrase, split.minutes) }
    }
    return nil
  }

  private func read(_ words: String) throws(RepeatFault) -> (phrase: RepeatPhrase, isLed: Bool) {
    guard words.utf8.count <= Self.mostBytes else { throw .unreadable(word: nil) }
    let words = words.trimmed.lowercased()
    // Almost no title has an equals sign, and the first search for a longer text takes the time of five queries.
    if words.utf8.contains(UInt8(ascii: "=")), words.contains("freq=") {
      return (try rule(words), true)
    }
    let isChinese = ChineseRepeat.isChinese(words)
    let parts = isChinese ? try RepeatParts(chinese: words) : try RepeatParts(words)
    let tokens = isChinese ? try ChineseRepeat.tokens(parts.core) : try Self.tokens(parts.core)
    var grammar = RepeatGrammar(tokens)
    let rule = try grammar.rule(count: parts.count)
    let phrase = RepeatPhrase(
      rule, omitsMissing: grammar.omitsMissing, until: try date(parts.until),
      begin: try date(parts.begin))
    return (phrase, grammar.isLed)
  }

  private static func tokens(_ words: String) throws(RepeatFault) -> [RepeatToken] {
    var tokens: [RepeatToken] = []
    for word in words.split(separator: " ").map(String.init) {
      let bare = word.hasSuffix(".") ? String(word.dropLast()) : word
      guard let meaning = RepeatVocabulary.tokens(word) ?? RepeatVocabulary.tokens(bare)
      else { throw .unreadable(word: word) }
      tokens += meaning
    }
    return tokens
  }

  private func date(_ words: String?) throws(RepeatFault) -> CivilDate? {
    guard let words else { return nil }
    do throws(DayFault) {
      let date = try days.dayToCome(words)
      guard let last = date.lastDay else { throw .date(.unreadable) }
      return last
    } catch {
      throw .date(words, error)
    }
  }

  /// Reads a rule as text, including its UNTIL.
  private func rule(_ text: String) throws(RepeatFault) -> RepeatPhrase {
    let text = text.hasPrefix("rrule:") ? String(text.dropFirst(6)) : text
    let (rule, until): (RepeatRule, String?)
    do throws(RepeatRuleError) { (rule, until) = try RepeatRule.reading(text) } catch {
      throw .rule(error)
    }
    // If the end is a time, its day is the day in UTC, because the text has no time zone of its own.
    let day = try date(until.map { String($0.prefix(8)) })
    return RepeatPhrase(
      rule.skippingBackward(false), omitsMissing: !rule.skipsBackward, until: day, begin: nil)
  }
}
