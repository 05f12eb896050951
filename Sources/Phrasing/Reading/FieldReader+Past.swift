import Domain
package import Platform

extension FieldReader {
  /// The part of a day that is meant by a day without a time.
  package enum DayEdge: Sendable {
    case beginning
    /// The last instant of the day, or now if the day is today.
    case end
  }

  /// Reads a time in the past: an instant, or a local day with an optional time.
  ///
  /// A time without a day is a time today. A day without a year means the last such day that is not in the future, and
  /// a weekday means the last such weekday. A time with a year, or an instant, can be in the future, because another
  /// device with a wrong clock may have written events at that time.
  ///
  /// - Parameters:
  ///   - words: The user's words.
  ///   - edge: The meaning of a day without a time.
  /// - Returns: The time.
  /// - Throws: ``WordsFault`` if the words are not a time, or name a future time without a year.
  package func pastInstant(
    _ words: String, wholeDay edge: DayEdge
  ) throws(WordsFault) -> Moment {
    let (moment, now) = (try instant(words, wholeDay: edge), timekeeper.now())
    guard moment > now, words.firstMatch(of: #/[0-9]{4}/#) == nil else { return moment }
    throw .badValue(
      "the time", words,
      "That time is in the future; the time now is \(timekeeper.localText(of: now.milliseconds)). "
        + "For a time in the past, use '3 days ago', -3d or a date with its year.")
  }

  /// Reads an instant for a field.
  ///
  /// A day without a time means the beginning of the day.
  func instant(_ words: String) throws(WordsFault) -> Moment {
    try instant(words, wholeDay: .beginning)
  }

  private func instant(_ words: String, wholeDay edge: DayEdge) throws(WordsFault) -> Moment {
    if let moment = Instant.parse(words) ?? ago(words) { return moment }
    if DayWords.isNow(words) { return timekeeper.now() }
    // The log shows times with seconds, which are not part of any phrase.
    let hasSeconds = words.split(separator: ":").count == 3
    if !hasSeconds, let moment = try timed(words) { return moment }
    let isClock = Instant.parts("today \(words)")?.day == "today" && words.contains(":")
    let said = isClock ? "today \(words)" : words
    if let (day, seconds) = Instant.parts(said) {
      let date = try pastDay(day)
      let found = said.contains(":") ? moment(of: date, seconds) : moment(of: date, edge)
      if let found { return found }
    }
    throw Self.unreadable(words)
  }

  private static func unreadable(_ words: String) -> WordsFault {
    .badValue(
      "the time", words,
      "Use yesterday, '2 hours ago', a day such as 2026-01-31, a time such as '2026-01-31 18:00', "
        + "or an instant such as 2026-01-31T18:00:00Z.")
  }

  /// Returns the fault of words that name no past day, with the forms of a time unless the words resemble a day.
  private func fault(of words: String, _ fault: DayFault) -> WordsFault {
    guard case .date(.unreadable) = fault,
      DayGuess.correction(of: words, isYearFree: false) == nil
    else { return .badDate(words, fault, isYearFree: false) }
    return Self.unreadable(words)
  }

  private func moment(of date: CivilDate, _ seconds: Int64) -> Moment? {
    timekeeper.moment(of: date, seconds: seconds)
  }

  private func moment(of date: CivilDate, _ edge: DayEdge) -> Moment? {
    if edge == .beginning { return moment(of: date, 0) }
    if date == today { return timekeeper.now() }
    return date.adding(days: 1).flatMap { moment(of: $0, 0) }
      .map { Moment(milliseconds: $0.milliseconds - 1) }
  }

  private func pastDay(_ words: String) throws(WordsFault) -> CivilDate {
    do throws(DayFault) {
      return try DayWords(today: today, looksBack: true).dayToCome(words)
    } catch {
      throw fault(of: words, error)
    }
  }

  private func timed(_ words: String) throws(WordsFault) -> Moment? {
    do throws(DayFault) {
      let read = try DayWords(today: today, looksBack: true).timed(words, now: nil)
      return read.flatMap { moment(of: $0.day, Int64($0.minute ?? 0) * 60) }
    } catch {
      throw fault(of: words, error)
    }
  }

  /// Reads phrases such as `2 minutes ago`, `vor 3 Tagen` and `1小时前`.
  private func ago(_ words: String) -> Moment? {
    DayWords.secondsAgo(words).map {
      Moment(milliseconds: timekeeper.now().milliseconds - $0 * 1000)
    }
  }
}
