package import Domain

/// Reads dates as users type them, relative to a day: `tomorrow`, `fri`, `+3d`, `24 dec`, `下周五`, or the ISO form.
///
/// The phrases are in ``DayLanguages``. Case, commas, and dots at the end of a word have no meaning.
package struct DayWords {
  /// The current day; if it is nil, relative dates cannot be read.
  package let today: CivilDate?
  /// Whether the words come from a title, which must not lose words that merely might be a date.
  private let isInTitle: Bool
  /// Whether the words name a past day, so that a day without a year or week means the last such day.
  private let looksBack: Bool

  package init(today: CivilDate?, isInTitle: Bool = false, looksBack: Bool = false) {
    (self.today, self.isInTitle, self.looksBack) = (today, isInTitle, looksBack)
  }

  /// Reads a whole week, month or year, and returns it as packed dates; nil if the words are something else.
  package func span(_ words: String) throws(DayFault) -> ClosedRange<Int64>? {
    let text = DayText.normal(words)
    let letters = Array(text.unicodeScalars)
    for language in DayLanguages.reading(text) {
      if let (meaning, values) = language.day(letters[...], isStrict: isInTitle),
        let found = try DayReckoner(today: today, looksBack: looksBack).span(meaning, values)
      {
        return found
      }
    }
    return nil
  }

  /// Reads a date, with or without a year.
  package func date(_ words: String) throws(DayFault) -> CivilDate {
    let text = DayText.normal(words)
    if let phrased = try phrased(text) { return phrased }
    if let dated = try NumericDays.yearFirst(text) { return dated }
    do throws(CivilDateError) { return try CivilDate.parse(text) } catch {
      guard case .unreadable = error else { throw .date(error) }
    }
    if let other = Self.other(text) { throw other }
    if TimeWords.minutes(text) != nil || TimeWords.splits(of: text).contains(where: isDated) {
      throw .time
    }
    if text.contains(":") { throw .time }
    if NumericDays.hasShortYear(text) { throw .shortYear }
    let readings = try NumericDays.readings(text)
    guard readings.count <= 1 else { throw .severalReadings(readings) }
    guard let only = readings.first else { throw .date(.unreadable) }
    return only
  }

  /// Reads a date.
  ///
  /// A date without a year means the next such day or, if the words name a past day, the latest such day. Either of
  /// these can be today.
  package func dayToCome(_ words: String) throws(DayFault) -> CivilDate {
    let date: CivilDate
    do throws(DayFault) { date = try self.date(words) } catch { throw withYear(error) }
    guard date.year == nil else { return date }
    if words.trimmed.hasPrefix("--") { throw .noYear }
    guard let month = date.month, let day = date.day, let today, let start = today.year else {
      throw .date(.unreadable)
    }
    // There is always a 29 February within eight years. Other days recur every year or never.
    for distance in 0...8 {
      let year = looksBack ? start - distance : start + distance
      guard let found = try? CivilDate(year: year, month: month, day: day),
        looksBack ? found <= today : found >= today
      else { continue }
      return found
    }
    throw .date(.unreadable)
  }

  /// Returns a fault about a day that no year has, with the nearest existing days before and after that day.
  private func withYear(_ fault: DayFault) -> DayFault {
    guard case .date(.noSuchDate(nil, let month, let day, _, let after)) = fault, let today,
      let start = today.year, let next = after.month
    else { return fault }
    for year in start...start + 1 {
      let last = CivilDate.days(inMonth: month, of: year)
      guard let before = try? CivilDate(year: year, month: month, day: last), before >= today,
        let after = try? CivilDate(year: year, month: next, day: 1)
      else { continue }
      return .date(.noSuchDate(year: nil, month: month, day: day, before: before, after: after))
    }
    return fault
  }
}

// MARK: Phrases

extension DayWords {
  private func phrased(_ text: String) throws(DayFault) -> CivilDate? {
    if let found = try plainlyPhrased(text) { return found }
    guard !isInTitle else { return nil }
    for language in DayLanguages.reading(text) {
      if let rest = language.withoutPeriod(text), let found = try plainlyPhrased(rest) {
        return found
      }
    }
    return nil
  }

  /// Reads a phrase that does not name a part of the day.
  private func plainlyPhrased(_ text: String) throws(DayFault) -> CivilDate? {
    let letters = Array(text.unicodeScalars)
    for language in DayLanguages.reading(text) {
      if let (meaning, values) = language.day(letters[...], isStrict: isInTitle),
        let found = try DayReckoner(today: today, looksBack: looksBack).day(meaning, values)
      {
        return found
      }
    }
    return nil
  }

  /// Returns the reason why known words do not name a day.
  private static func other(_ text: String) -> DayFault? {
    if OtherWords.has(.someday, text) { return .noDay }
    if OtherWords.has(.never, text) { return .never }
    return OtherWords.isRepeating(text) ? .repeating : nil
  }

  private func isDated(_ split: TimeWords.Split) -> Bool {
    do throws(DayFault) {
      _ = try date(split.rest)
      return true
    } catch {
      return !error.isUnreadable
    }
  }
}

// MARK: Days with a time

extension DayWords {
  /// Reads a date with an optional time: `tomorrow 17:00`, `fri noon`, `5pm`, `morgen`.
  ///
  /// A time without a day means the next such time after the minute `now` of the day; if `now` is nil, it means today.
  package func dayAndTime(_ words: String, now: Int?) throws(DayFault) -> DayAndTime {
    if let timed = try timed(words, now: now) { return timed }
    return DayAndTime(day: try dayToCome(words))
  }

  /// Reads a date with a time, or a time without a date; nil if there is no time.
  package func timed(_ words: String, now: Int?) throws(DayFault) -> DayAndTime? {
    let text = DayText.normal(words)
    if let minutes = TimeWords.minutes(text) {
      let isOver = now.map { minutes % 1440 <= $0 } ?? false
      let day = minutes >= 1440 || isOver ? today?.adding(days: 1) : today
      return day.map { DayAndTime(day: $0, minute: minutes % 1440) }
    }
    var why: DayFault?
    for split in TimeWords.splits(of: text) {
      do throws(DayFault) {
        let day = try dayToCome(split.rest)
        guard day.isComplete, let day = day.adding(days: split.minutes / 1440) else {
          throw .date(.unreadable)
        }
        return DayAndTime(day: day, minute: split.minutes % 1440)
      } catch {
        // If several splits are possible, a fault about a date is the more informative one.
        if why == nil || !error.isUnreadable { why = error }
      }
    }
    if let why { throw why }
    return nil
  }

  /// Reads a time of day, in minutes after midnight; nil if the words are not a time, or mean the end of the day.
  package static func minute(_ words: String) -> Int? {
    TimeWords.minutes(DayText.normal(words)).flatMap { $0 < 1440 ? $0 : nil }
  }
}

extension DayFault {
  fileprivate var isUnreadable: Bool {
    if case .date(.unreadable) = self { true } else { false }
  }
}

// MARK: Words that are not a day

extension DayWords {
  /// Whether the words mean that no date has been chosen for a to-do yet.
  package static func isSomeday(_ words: String) -> Bool {
    OtherWords.has(.someday, DayText.normal(words))
  }

  /// Whether the words mean that there is no date: `never`, `none`, `nie`, `无`.
  package static func isNever(_ words: String) -> Bool {
    OtherWords.has(.never, DayText.normal(words))
  }

  /// Whether the words mean the current instant.
  package static func isNow(_ words: String) -> Bool {
    OtherWords.has(.now, DayText.normal(words))
  }

  /// Returns the number of seconds from now that the words mean: `in 2 hours`, `in 30 Minuten`, `2小时后`.
  package static func secondsAhead(_ words: String) -> Int64? {
    let text = DayText.normal(words)
    let letters = Array(text.unicodeScalars)
    return DayLanguages.reading(text).lazy.compactMap { $0.secondsAhead(letters[...]) }.first
  }

  /// Returns the number of seconds before now that the words mean: `2 minutes ago`, `vor 3 Tagen`, `1小时前`.
  package static func secondsAgo(_ words: String) -> Int64? {
    let text = DayText.normal(words)
    let letters = Array(text.unicodeScalars)
    return DayLanguages.reading(text).lazy.compactMap { $0.secondsAgo(letters[...]) }.first
  }
}
