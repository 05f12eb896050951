/// The time between a reminder and the due time of its to-do: `15m`, `2h`, `1d`, `1w`, or `0` for the due time itself.
package struct ReminderLead: Hashable, Sendable {
  package enum Unit: Character, Sendable {
    case minute = "m"
    case hour = "h"
    case day = "d"
    case week = "w"

    fileprivate var minutes: Int64 {
      switch self {
      case .minute: 1
      case .hour: 60
      case .day: 1_440
      case .week: 10_080
      }
    }
  }

  package static let atDue = ReminderLead(count: 0, unit: .minute)
  /// The minute of the day at which the reminder of a to-do without a due time rings.
  package static let minuteOfUntimed: Int64 = 540
  /// The largest lead time, in minutes: 366 days.
  private static let most: Int64 = 366 * 1_440

  package let count: Int64
  package let unit: Unit

  private init(count: Int64, unit: Unit) { (self.count, self.unit) = (count, unit) }

  /// Creates a lead time; nil if the lead time is negative or longer than 366 days.
  package init?(_ count: Int64, _ unit: Unit) {
    guard 0...Self.most / unit.minutes ~= count else { return nil }
    self = count == 0 ? .atDue : Self(count: count, unit: unit)
  }

  /// Creates a lead time in the largest unit up to days that is exact; nil if it is negative or longer than 366 days.
  package init?(minutes: Int64) {
    let units: [Unit] = [.day, .hour, .minute]
    guard let unit = units.first(where: { minutes.isMultiple(of: $0.minutes) }) else { return nil }
    self.init(minutes / unit.minutes, unit)
  }

  /// Parses a lead time such as `15m`, `15 min` or `2 Stunden`, where only 0 needs no unit; nil for any other text.
  package init?(_ word: String) {
    let word = word.trimmed.lowercased()
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    let name = String(word.dropFirst(digits.count)).trimmed
    guard 1...6 ~= digits.utf8.count, let count = Int64(digits) else { return nil }
    guard let unit = Self.unitNames[name] else {
      guard name.isEmpty, count == 0 else { return nil }
      self = .atDue
      return
    }
    self.init(count, unit)
  }

  private static let unitNames: [String: Unit] = {
    let names: [(Unit, String)] = [
      (.minute, "m min mins minute minutes minuten 分钟"),
      (.hour, "h hour hours std stunde stunden 小时"), (.day, "d day days tag tage 天"),
      (.week, "w week weeks woche wochen 周"),
    ]
    var units: [String: Unit] = [:]
    for (unit, words) in names {
      for word in words.split(separator: " ") { units[String(word)] = unit }
    }
    return units
  }()

  /// The lead time in the form that ``init(_:)`` reads.
  package var text: String { count == 0 ? "0" : "\(count)\(unit.rawValue)" }

  /// The lead time in minutes, if no clock is changed in between.
  package var minutes: Int64 { count * unit.minutes }

  /// The whole days that are counted on the calendar, and the minutes that are counted on the clock.
  ///
  /// One day before 17:00 is 17:00 on the day before, even if the clock is changed in between (RFC 5545, section
  /// 3.3.6).
  package var parts: (days: Int, minutes: Int64) {
    switch unit {
    case .minute, .hour: (0, minutes)
    case .day, .week: (Int(minutes / 1_440), 0)
    }
  }
}

/// The lead times of a to-do, each once, longest first; empty if no reminder is wanted.
package struct ReminderLeads: Equatable, Sendable {
  package static let usual = ReminderLeads([ReminderLead.atDue])

  package let leads: [ReminderLead]

  /// Parses lead times, or `none` alone; nil if a word has any other form, or if there are no words.
  package init?(_ words: [String]) {
    if words.map({ $0.trimmed.lowercased() }) == ["none"] {
      self.init([ReminderLead]())
      return
    }
    let read = words.compactMap(ReminderLead.init)
    guard !read.isEmpty, read.count == words.count else { return nil }
    self.init(read)
  }

  /// Reads the field of a to-do, ignoring words that this program does not know; nil if it knows none of them.
  package init?(stored words: [String]) {
    if let leads = Self(words) {
      self = leads
      return
    }
    let read = words.compactMap(ReminderLead.init)
    guard !read.isEmpty else { return nil }
    self.init(read)
  }

  private init(_ leads: [ReminderLead]) {
    // A day and 24 hours differ if the clock is changed in between.
    var known: Set<[Int64]> = []
    self.leads = leads.filter { known.insert([Int64($0.parts.days), $0.parts.minutes]).inserted }
      .sorted { $0.minutes > $1.minutes }
  }

  /// The lead times as the field stores them.
  package var words: [String] { leads.isEmpty ? ["none"] : leads.map(\.text) }

  /// Advice on how to write lead times, for error messages.
  package static let advice =
    "Use minutes, hours, days or weeks before it is due, separated by commas, such as 1d,2h,0, or the word 'none'."
}
