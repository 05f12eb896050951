internal import Domain

/// How an entry states that a to-do repeats: for other programs and, in words that only daybook reads, for daybook.
struct SeriesEntry<Notation: RepeatNotation> {
  /// The rule as other programs read it; nil if they do not see that the to-do repeats.
  let text: String?
  let words: SeriesWords
  private let series: ExportedSeries
  private let isAlone: Bool

  /// Creates the entry for a series.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - kept: The rule as it was imported.
  ///   - isAlone: Whether the entry has no id. A reader then uses its due date as the first date.
  init(_ series: ExportedSeries, keeping kept: String? = nil, alone isAlone: Bool = false) {
    (self.series, self.isAlone) = (series, isAlone)
    let told = series.state.series
    let due = isAlone ? series.shownDue : told.due
    var words = isAlone ? SeriesWords() : SeriesWords(series)
    guard let rule = isAlone ? series.remainingRule : told.rule else {
      (text, self.words) = (nil, words)
      return
    }
    let text = Notation.text(rule, from: due, as: kept)
    if !Notation.says(text, rule, from: due) { words.rule = rule }
    (self.text, self.words) = (text, words)
  }

  /// Counts the data that other programs do not see, and the data that is lost without an id.
  func count(_ written: inout ForeignText.Written) {
    if text == nil, !series.state.isFinished {
      written.loseForeignRule()
    }
    guard isAlone else { return }
    written.lose(
      "closed date of a repeating to-do", "closed dates of repeating to-dos",
      count: series.stored.count { !$0.isOpen })
  }
}

extension ExportedSeries {
  /// The rule from the shown due date on; nil if no date is left.
  fileprivate var remainingRule: RepeatRule? {
    guard let remaining = RemainingDates(state) else { return nil }
    let series = state.series
    let rule = series.rule.named(after: series.due, on: shownDue)
    var count: Int?
    switch remaining.ending {
    case .never: break
    case .count(let left): count = left
    case .until(let day):
      if rule.basis != .done, let end = day.adding(days: 1) {
        count = max(1, series.dates.count(from: remaining.first, before: end))
      }
    }
    return rule.replacing(
      skipsBackward: rule.skipsBackward, basis: rule.basis, keepsMissed: rule.keepsMissed,
      count: count)
  }
}
