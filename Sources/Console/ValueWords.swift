import Daybook
import Domain
import Platform

extension Context {
  /// The date of a birth, of which the year need not be known; nobody is born later than today.
  func birthdate(_ words: String) throws(ConsoleError) -> CivilDate {
    let date: CivilDate
    do throws(DayFault) { date = try DayWords(today: today).date(words) } catch {
      throw .badDate(words, error, isYearFree: true)
    }
    // The earliest day that a date with unknown parts may mean sorts before all others.
    if date.year != nil, let today, date > today {
      throw .badValue(
        "the birth date", words, "\(date.words) is still to come; a to-do can be --due then.")
    }
    return date
  }

  /// A day that is meant to come, or whatever is said with its year.
  func day(_ words: String, from today: CivilDate?) throws(ConsoleError) -> CivilDate {
    do throws(DayFault) { return try DayWords(today: today).dayToCome(words) } catch {
      throw .badDate(words, error, isYearFree: false)
    }
  }

  /// An instant, or the time on a day where this machine is, by default its beginning.
  func instant(_ words: String) throws(ConsoleError) -> Moment {
    if let moment = Instant.parse(words) { return moment }
    if let (day, seconds) = Instant.parts(words),
      let moment = machine.timekeeper.moment(of: try self.day(day, from: today), seconds: seconds)
    {
      return moment
    }
    throw .badValue(
      "TIME", words,
      "Say a day such as 2026-01-31, a time such as '2026-01-31 18:00', or an instant such as "
        + "2026-01-31T18:00:00Z.")
  }

  /// A reason as it can be kept; nil for an empty one.
  func reason(_ words: String?) throws(ConsoleError) -> String? {
    guard let text = words?.trimmed, !text.isEmpty else { return nil }
    guard text.utf8.count <= Schema.Limit.noteBytes else {
      throw .badValue("the reason", "\(text.prefix(20))…", "Say it in 64 KiB at most.")
    }
    return text
  }

  func priority(_ words: String) throws(ConsoleError) -> Priority {
    let known: [Priority] = [.low, .normal, .high]
    guard let priority = known.first(where: { $0.words == words }) else {
      throw .badValue("the priority", words, "Say low, normal or high.")
    }
    return priority
  }

  func colour(_ words: String) throws(ConsoleError) -> Int64 {
    let digits = words.hasPrefix("#") ? words.dropFirst() : words[...]
    guard digits.utf8.count == 6, !digits.hasPrefix("+"), !digits.hasPrefix("-"),
      let colour = Int64(digits, radix: 16)
    else { throw .badValue("the colour", words, "Say it like #3366cc.") }
    return colour
  }

  func number(_ words: String, _ name: String, from lowest: Int64) throws(ConsoleError) -> Int64 {
    try number(words, name, in: lowest...Int64.max)
  }

  private func number(
    _ words: String, _ name: String, in range: ClosedRange<Int64>
  ) throws(ConsoleError) -> Int64 {
    guard let number = Int64(words), range.contains(number) else {
      let bounds = [
        range.lowerBound > .min ? " from \(range.lowerBound)" : "",
        range.upperBound < .max ? " up to \(range.upperBound)" : "",
      ]
      throw .badValue(name, words, "Say a whole number\(bounds.joined()).")
    }
    return number
  }

  /// What is to be written to a field; empty words clear it.
  func content(
    _ words: [String], for field: FieldSchema, in book: Book
  ) throws -> Request.Assignment.Content {
    if case .texts = field.type {
      let texts = texts(words)
      if field.name == "lead", !texts.isEmpty, LeadTimes(texts) == nil {
        throw ConsoleError.badValue("the lead", words.joined(separator: ","), LeadTimes.advice)
      }
      return .value(.texts(texts))
    }
    let words = words.last ?? ""
    if words.isEmpty { return .value(.null) }
    switch field.type {
    case .text: return .value(.text(words))
    case .date:
      let isBirth = field.name == "birthdate"
      return .value(.date(try isBirth ? birthdate(words) : day(words, from: today)))
    case .instant: return .value(.integer(try instant(words).milliseconds))
    case .priority: return .value(.integer(try priority(words).rawValue))
    case .colour: return .value(.integer(try colour(words)))
    case .boolean: return .value(.boolean(try flag(words, field.optionName)))
    case .leapRule: return .value(.integer(try leapRule(words).rawValue))
    case .integer(let range):
      return .value(.integer(try number(words, field.optionName, in: range)))
    case .reference(let kind): return .record(try book.find(words, kind: kind).id)
    case .texts, .bytes, .map:
      throw ConsoleError.badValue(field.optionName, words, "It is not set from here.")
    }
  }

  /// The texts that are said one by one, or with commas between them.
  func texts(_ words: [String]) -> [String] {
    words.flatMap { $0.split(separator: ",") }.map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  private func flag(_ words: String, _ name: String) throws(ConsoleError) -> Bool {
    switch words {
    case "yes", "true": return true
    case "no", "false": return false
    default: throw .badValue(name, words, "Say yes or no.")
    }
  }

  private func leapRule(_ words: String) throws(ConsoleError) -> LeapRule {
    guard let rule = LeapRule(words: words) else {
      throw .badValue("the leap-rule", words, "Say february-28 or march-1.")
    }
    return rule
  }
}
