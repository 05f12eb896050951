import Daybook
import Domain
import Phrasing

/// How to-dos are to repeat, as `--repeat` says.
struct RepeatWish {
  private let words: String
  /// The rule; nil if the repeating ends.
  private let phrase: RepeatPhrase?
  private let reader: FieldReader

  init(_ words: String, _ reader: FieldReader) throws(WordsFault) {
    phrase = try reader.repeatPhrase(words)
    (self.words, self.reader) = (words, reader)
  }

  /// Returns the values of a new to-do with its first due date; without a rule, the given values.
  func values(ofNew given: [Request.Assignment]) throws(WordsFault) -> [Request.Assignment] {
    try phrase.map { phrase throws(WordsFault) in try values(phrase, given, current: nil) } ?? given
  }

  /// Returns the new values of a to-do, given its due date.
  ///
  /// - Parameters:
  ///   - given: The values that the command gives for other fields; its due date is the first one.
  ///   - current: The due date that the to-do has.
  /// - Returns: All values.
  /// - Throws: ``WordsFault`` if the rule does not fit the dates.
  func values(
    _ given: [Request.Assignment], dueBefore current: CivilDate?
  ) throws(WordsFault) -> [Request.Assignment] {
    guard let phrase else { return given + [.init(Field.Todo.repeat, .value(.null))] }
    return try values(phrase, given, current: current)
  }

  private func values(
    _ phrase: RepeatPhrase, _ given: [Request.Assignment], current: CivilDate?
  ) throws(WordsFault) -> [Request.Assignment] {
    let rule = try reader.assignments(phrase, words, due: given.dueDay, current: current)
    // Of several values for a field the last one counts, so an end that is given by itself does.
    return rule + given.filter { $0.field != Field.Todo.due }
  }
}
