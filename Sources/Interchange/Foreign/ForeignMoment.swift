internal import Domain

/// A day with an optional time, which programs write as one string.
struct ForeignMoment: Equatable {
  var date: CivilDate
  /// Milliseconds after midnight; nil if the text contains no time.
  var clock: Int64?
  /// Seconds ahead of UTC; nil if the text contains no time zone.
  var offset: Int64?

  /// Parses a date in any form that ``ForeignDate`` reads, with an optional time after it.
  ///
  /// - Parameters:
  ///   - text: The text, which may also be a number of seconds or milliseconds since 1970.
  ///   - field: The name of the field, for the fault.
  ///   - order: The order of the numbers in a date, if known.
  /// - Throws: ``ForeignFault`` as ``ForeignDate`` does, and if the text after the date is not a time.
  init(
    _ text: String, field: String, order: ForeignSettings.DateOrder?
  ) throws(ForeignFault) {
    if let instant = Self.unix(text), let day = CivilDate(ofInstant: instant) {
      self = ForeignMoment(
        date: day, clock: instant - Int64(day.epochDay ?? 0) * 86_400_000, offset: 0)
      return
    }
    let (day, time) = Self.split(text)
    guard let time else {
      self = ForeignMoment(date: try ForeignDate.read(text, field: field, order: order))
      return
    }
    guard let (clock, offset) = Self.clock(time) else { throw .unreadable(field: field, text) }
    do throws(ForeignFault) {
      let date = try ForeignDate.read(day, field: field, order: order)
      self = ForeignMoment(date: date, clock: clock, offset: offset)
    } catch {
      throw error.about(text)
    }
  }

  private init(date: CivilDate, clock: Int64? = nil, offset: Int64? = nil) {
    (self.date, self.clock, self.offset) = (date, clock, offset)
  }

  /// Returns milliseconds since 1970; nil unless the date is complete.
  ///
  /// A moment without a time zone is in local time.
  func instant(_ settings: ForeignSettings) -> Int64? {
    guard let epochDay = date.epochDay else { return nil }
    let wall = Int64(epochDay) * 86_400_000 + (clock ?? 0)
    return wall - (offset ?? Int64(settings.localOffset(wall))) * 1000
  }

  /// Returns the local day; midnight in UTC means the day as written.
  func day(_ settings: ForeignSettings) -> CivilDate {
    guard let clock, let offset, clock != 0 || offset != 0, let instant = instant(settings) else {
      return date
    }
    return settings.localDay(of: instant) ?? date
  }

  /// Returns the day that begins at this instant in an unknown time zone, and whether no other day is possible.
  ///
  /// Time zones range from 12 hours behind UTC to 14 hours ahead of it, so different days may begin at one instant.
  /// Local midnight is tried first, then zones that are at most 12 hours ahead.
  func dayOfMidnight(_ settings: ForeignSettings) -> (day: CivilDate, isCertain: Bool) {
    guard offset != nil, let instant = instant(settings) else { return (date, true) }
    if let day = settings.localDay(of: instant), settings.start(of: day) == instant {
      return (day, true)
    }
    let rest = instant % 86_400_000
    let clock = rest < 0 ? rest + 86_400_000 : rest
    let isCertain = !(36_000_000..<43_200_000).contains(clock)
    return (CivilDate(ofInstant: instant + 43_200_000) ?? date, isCertain)
  }

  /// Returns whether the given text is a number of seconds or milliseconds since 1970.
  static func isNumber(_ text: String) -> Bool { unix(text) != nil }

  /// Whether there is a time other than midnight.
  var isTimed: Bool { clock.map { $0 != 0 } ?? false }
}

extension ForeignMoment {
  /// Returns the date in the given text if the text also contains a time; otherwise nil.
  static func day(in text: String) -> String? {
    let (day, time) = split(text)
    return time.flatMap(clock) == nil ? nil : day
  }

  /// Parses milliseconds or seconds since 1970, as databases store them.
  private static func unix(_ text: String) -> Int64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
      return nil
    }
    switch text.utf8.count {
    case 13: return number
    case 10: return number * 1000
    default: return nil
    }
  }

  /// Splits the given text into its date and its time.
  private static func split(_ text: String) -> (date: String, time: Substring?) {
    guard let colon = text.firstIndex(of: ":") else { return basic(text) }
    let hour = text[..<colon].reversed().prefix { $0.isASCII && $0.isNumber }.count
    let start = text.index(colon, offsetBy: -hour)
    var day = String(text[..<start]).trimmed
    for word in ["T", "t", ",", " at", " um"] where day.hasSuffix(word) {
      day = String(day.dropLast(word.count)).trimmed
    }
    return (day, text[start...])
  }

  /// Splits `20261204T110000Z`.
  private static func basic(_ text: String) -> (date: String, time: Substring?) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 8, parts[1].utf8.count >= 6 else {
      return (text, nil)
    }
    let digits = Array(parts[1])
    let clock = stride(from: 0, to: 6, by: 2).map { String(digits[$0..<$0 + 2]) }
    return (String(parts[0]), clock.joined(separator: ":") + parts[1].dropFirst(6))
  }

  /// Parses `9:05 PM`, `11:00:00.000Z` or `23:00+0100` as milliseconds after midnight and seconds ahead of UTC.
  private static func clock(_ text: Substring) -> (clock: Int64, offset: Int64?)? {
    var rest = text
    guard var hour = number(&rest), take(":", &rest), let minute = number(&rest) else { return nil }
    var second: Int64 = 0
    var fraction: Int64 = 0
    if take(":", &rest) {
      guard let number = number(&rest) else { return nil }
      second = number
      if take(".", &rest) || take(",", &rest) {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return nil }
        fraction = Int64((digits + "00").prefix(3)) ?? 0
        rest = rest.dropFirst(digits.count)
      }
    }
    var words = rest.uppercased().split(whereSeparator: \.isWhitespace).map(String.init)
    if let half = words.first?.filter({ $0 != "." }), half.hasPrefix("AM") || half.hasPrefix("PM") {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half.hasPrefix("PM") ? 12 : 0)
      words[0] = String(half.dropFirst(2))
    }
    guard hour < 24, minute < 60, second < 60 else { return nil }
    let zone = words.joined()
    guard let offset = zone.isEmpty ? .some(nil) : Self.offset(zone) else { return nil }
    return (((hour * 60 + minute) * 60 + second) * 1000 + fraction, offset)
  }

  /// Parses `Z`, `+0100` or `(GMT+1)` as seconds ahead of UTC; nil for other time zone names.
  private static func offset(_ zone: String) -> Int64?? {
    var rest = zone.filter { $0 != "(" && $0 != ")" && $0 != ":" }[...]
    for name in ["UTC", "GMT", "Z"] where rest.hasPrefix(name) { rest = rest.dropFirst(name.count) }
    guard let sign = rest.first else { return .some(0) }
    guard sign == "+" || sign == "-" else { return nil }
    let digits = rest.dropFirst()
    guard (1...4).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int64(digits)
    else { return nil }
    let minutes = digits.count > 2 ? number / 100 * 60 + number % 100 : number * 60
    return .some((sign == "-" ? -minutes : minutes) * 60)
  }

  private static func number(_ rest: inout Substring) -> Int64? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return (1...2).contains(digits.count) ? Int64(digits) : nil
  }

  private static func take(_ sign: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == sign else { return false }
    rest = rest.dropFirst()
    return true
  }
}

extension ForeignFault {
  /// Returns the same fault, but for the whole text instead of a part.
  fileprivate func about(_ text: String) -> ForeignFault {
    switch self {
    case .unreadable(let field, _): .unreadable(field: field, text)
    case .date(let field, _, let error): .date(field: field, text, error)
    case .severalReadings(let field, _, let readings):
      .severalReadings(field: field, text, readings)
    default: self
    }
  }
}
