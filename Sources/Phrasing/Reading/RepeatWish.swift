package import Daybook
package import Domain

/// How to-dos are to repeat, as specified by `--repeat` or by the field on the page.
package struct RepeatWish {
  private let words: String
  /// The rule; nil if the repeats end.
  private let phrase: RepeatPhrase?
  /// The minute of the day, if the words also state one.
  private let minute: Int?
  private let reader: FieldReader

  package init(_ words: String, _ reader: FieldReader) throws(WordsFault) {
    let read = try reader.repeatPhraseAndTime(words)
    (phrase, minute) = (read?.phrase, read?.minute)
    (self.words, self.reader) = (words, reader)
  }

  /// Returns the values of a new to-do, including its first due date; without a rule, the given values.
  package func values(ofNew given: [Request.Assignment]) throws(WordsFault) -> [Request.Assignment]
  {
    try phrase.map { phrase throws(WordsFault) in try values(phrase, given, current: nil) } ?? given
  }

  /// Returns the new values of a to-do, given its due date.
  ///
  /// - Parameters:
  ///   - given: The values that the command sets in other fields. A due date among them is the first date.
  ///   - current: The to-do's present due date.
  /// - Returns: All values.
  /// - Throws: ``WordsFault`` if the rule does not fit the dates.
  package func values(
    _ given: [Request.Assignment], dueBefore current: CivilDate?
  ) throws(WordsFault) -> [Request.Assignment] {
    guard let phrase else { return given + [.init(Field.Todo.repeat, .value(.null))] }
    return try values(phrase, given, current: current)
  }

  private var time: [Request.Assignment] {
    minute.map { [.init(Field.Todo.dueTime, .value(.integer(Int64($0))))] } ?? []
  }

  private func values(
    _ phrase: RepeatPhrase, _ given: [Request.Assignment], current: CivilDate?
  ) throws(WordsFault) -> [Request.Assignment] {
    let rule = try reader.assignments(phrase, words, due: given.dueDay, current: current)
    // If a field is given several values, the last one is used, so an end that is given separately takes precedence.
    return rule + time + given.filter { $0.field != Field.Todo.due }
  }
}

extension [Request.Assignment] {
  /// The due date that the writes set; nil if they set none.
  package var dueDay: CivilDate? {
    for assignment in self where assignment.field == Field.Todo.due {
      if case .value(let value) = assignment.content { return value.date }
    }
    return nil
  }
}
