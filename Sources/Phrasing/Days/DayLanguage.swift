import Domain

/// The words for days and times in one language.
///
/// To add a language, create an instance in a separate file, and list it in ``DayLanguages``.
final class DayLanguage: Sendable {
  /// The name of the language in English, as shown in the manual.
  let name: String
  /// Example phrases for each form, as listed in the manual.
  let examples: [String]
  fileprivate let vocabulary: Vocabulary
  fileprivate let days: PhraseTable<DayMeaning>
  /// Days that are also common words and are therefore not searched for in titles.
  fileprivate let looseDays: PhraseTable<DayMeaning>
  fileprivate let times: PhraseTable<TimeMeaning>
  /// Forms for how long ago something happened, in seconds: `{number} {span} ago`.
  fileprivate let agos: [PhrasePattern]
  /// Forms for when something will happen, in seconds from now: `in {number} {span}`.
  fileprivate let aheads: [PhrasePattern]
  /// Words that do not name a day.
  let others: [OtherWord: [String]]
  /// Words that are replaced wherever they occur: `tonight` means `today evening`.
  let rewrites: [(word: String, replacement: String)]
  /// Characters that are read as different characters.
  let characters: [Character: Character]

  init(
    _ name: String, examples: [String], vocabulary: [Slot: [(String, Int)]] = [:],
    days: KeyValuePairs<String, DayMeaning>, looseDays: KeyValuePairs<String, DayMeaning> = [:],
    times: KeyValuePairs<String, TimeMeaning> = [:], agos: [String] = [], aheads: [String] = [],
    others: [OtherWord: [String]] = [:], rewrites: [(word: String, replacement: String)] = [],
    spellings: [Unicode.Scalar: String] = [:], characters: [Character: Character] = [:]
  ) {
    (self.name, self.examples) = (name, examples)
    (self.others, self.rewrites, self.characters) = (others, rewrites, characters)
    let vocabulary = Vocabulary(vocabulary, spellings: spellings)
    self.vocabulary = vocabulary
    self.days = PhraseTable(days, vocabulary)
    self.looseDays = PhraseTable(looseDays, vocabulary)
    self.times = PhraseTable(times, vocabulary)
    self.agos = agos.map { PhrasePattern($0, vocabulary) }
    self.aheads = aheads.map { PhrasePattern($0, vocabulary) }
  }
}

/// The meanings of words that do not name a day.
enum OtherWord: Sendable {
  /// The field has no date.
  case never
  /// There is no date yet.
  case someday
  /// The words mean the current instant.
  case now
  /// The beginning of a phrase for a repetition.
  case repeating
}

extension DayLanguage {
  /// The words of the phrases for days, in no particular order.
  ///
  /// The words are collected at each call, because only suggestions for misspelt words need them.
  var words: [String] {
    let literals = (days.templates + looseDays.templates).map {
      $0.replacing(#/\{[^}]*\}/#, with: " ")
    }
    return (literals + vocabulary.words + rewrites.map(\.word)).flatMap { text in
      text.split { !$0.isLetter }.map(String.init)
    }
  }

  /// Returns the meaning of the text as a day, and the values of its slots.
  func day(_ text: ArraySlice<Unicode.Scalar>, isStrict: Bool) -> (DayMeaning, SlotValues)? {
    days.first(text) { ($0, $1) } ?? (isStrict ? nil : looseDays.first(text) { ($0, $1) })
  }

  /// Returns the minutes after midnight that the text means.
  ///
  /// Values of 1,440 or more mean the next day.
  func minutes(_ text: ArraySlice<Unicode.Scalar>) -> Int? {
    times.first(text) { $0.minutes($1) }
  }

  /// Returns the text without a part of the day at its end, as in `friday evening`.
  ///
  /// Noon is a time rather than a part of the day.
  func withoutPeriod(_ text: String) -> String? {
    for (period, value) in vocabulary.words(of: .period)
    where value != DayPeriod.noon.rawValue && text.hasSuffix(period) {
      let rest = String(text.dropLast(period.count)).trimmed
      if !rest.isEmpty { return rest }
    }
    return nil
  }

  /// Returns the number of seconds before now that the text means.
  func secondsAgo(_ text: ArraySlice<Unicode.Scalar>) -> Int64? { seconds(text, agos) }

  /// Returns the number of seconds after now that the text means.
  func secondsAhead(_ text: ArraySlice<Unicode.Scalar>) -> Int64? { seconds(text, aheads) }

  private func seconds(
    _ text: ArraySlice<Unicode.Scalar>, _ patterns: [PhrasePattern]
  ) -> Int64? {
    for pattern in patterns {
      if let values = pattern.match(text), let number = values[.number], let span = values[.span] {
        return Int64(number * span)
      }
    }
    return nil
  }
}
