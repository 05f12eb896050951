package import Daybook
package import Domain

extension FieldReader {
  /// Reads how a to-do repeats; nil for words that end the repeats, such as `none`.
  package func repeatPhrase(_ words: String) throws(WordsFault) -> RepeatPhrase? {
    let text = words.trimmed
    if text.isEmpty || RepeatWords.none.contains(text.lowercased()) { return nil }
    do throws(RepeatFault) { return try RepeatWords(today: today).phrase(text) } catch {
      throw .said(error.text(of: text.visible))
    }
  }

  /// Reads how a to-do repeats, with the minute of the day if a time precedes or follows the phrase, as in `daily at
  /// 8:00`; nil for words that end the repeats.
  func repeatPhraseAndTime(
    _ words: String
  ) throws(WordsFault) -> (phrase: RepeatPhrase, minute: Int?)? {
    do throws(WordsFault) {
      return try repeatPhrase(words).map { ($0, nil) }
    } catch {
      guard let timed = RepeatWords(today: today).phraseAndTime(words) else { throw error }
      return timed
    }
  }

  /// Returns the writes that make a to-do repeat.
  ///
  /// - Parameters:
  ///   - phrase: How it repeats.
  ///   - words: The words of the phrase, which a fault quotes.
  ///   - due: The due date that the same command sets.
  ///   - current: The to-do's present due date.
  /// - Returns: The writes for the rule, the first due date and the end.
  /// - Throws: ``WordsFault`` if the rule has no date.
  package func assignments(
    _ phrase: RepeatPhrase, _ words: String, due: CivilDate?, current: CivilDate? = nil
  ) throws(WordsFault) -> [Request.Assignment] {
    guard let today else { throw .badDate(words, .date(.unreadable), isYearFree: false) }
    if let due, !due.isComplete {
      throw .badValue(
        "the due date", due.words, "A repeating to-do needs a complete date, such as 2026-12-24.")
    }
    do throws(RepeatFault) {
      let plan = try phrase.plan(due: due, current: current, today: today)
      return [
        .init(Field.Todo.due, .value(.date(plan.due))),
        .init(Field.Todo.repeat, .value(.text(plan.rule.text))),
        .init(Field.Todo.until, .value(plan.until.map(Value.date) ?? .null)),
      ]
    } catch {
      throw .said(error.text(of: words.trimmed.visible))
    }
  }
}
