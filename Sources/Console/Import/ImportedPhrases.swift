import Domain
import Interchange
import Phrasing

extension ImportWords {
  /// Returns the function that reads how a to-do repeats in words, such as `every monday at 9am`.
  ///
  /// If the file has no date, the search for the first date begins with today.
  static func repeatPhrase(
    today: CivilDate?
  ) -> @Sendable (_ words: String, _ due: CivilDate?) -> ForeignRepeat? {
    { words, due in
      guard let today, let read = RepeatWords(today: today).phraseAndTime(words),
        // A rule without a date is kept as words.
        let plan = try? read.phrase.plan(due: due, today: today)
      else { return nil }
      return ForeignRepeat(
        plan.rule, due: plan.due, until: plan.until, minute: read.minute.map { Int64($0) })
    }
  }
}
