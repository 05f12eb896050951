/// The meaning of a phrase for a time of day, which is completed by the values of the phrase's slots.
enum TimeMeaning: Sendable {
  /// The `hour` on a 24-hour clock, or on a 12-hour clock if there is a `period`, with the `minute` or, if there is
  /// none, the given minute.
  case clock(minute: Int = 0)
  /// The `hour` on a 12-hour clock, before or after noon.
  case half(isAfternoon: Bool)
  /// The given number of minutes after midnight; 1,440 is the end of the day.
  case minutes(Int)

  /// Returns the minutes after midnight.
  ///
  /// Values of 1,440 or more mean the next day.
  func minutes(_ values: SlotValues) -> Int? {
    switch self {
    case .minutes(let minutes): return minutes
    case .clock(let minute):
      guard let hour = values[.hour] else { return nil }
      let period = values[.period].flatMap(DayPeriod.init)
      let exact = values[.minute] ?? minute
      guard let period else { return hour < 24 || exact == 0 ? hour * 60 + exact : nil }
      return period.hour(hour).map { $0 * 60 + exact }
    case .half(let isAfternoon):
      guard let hour = values[.hour], (1...12).contains(hour) else { return nil }
      return (hour % 12 + (isAfternoon ? 12 : 0)) * 60 + (values[.minute] ?? 0)
    }
  }
}

/// A part of the day, which determines the meaning of an hour from 1 to 12.
enum DayPeriod: Int, Sendable {
  /// `night` is the time after midnight, whereas `evening` ends at midnight.
  case night = 1
  case morning, noon, afternoon, evening

  /// Returns the hour on a 24-hour clock, or nil if the hour is not in this part of the day.
  func hour(_ hour: Int) -> Int? {
    switch (self, hour) {
    case (.night, 0...6), (.morning, 0...11), (.noon, 10...14), (.afternoon, 12...19),
      (.evening, 13...23):
      hour
    case (.night, 12): 0
    case (.noon, 1...2), (.afternoon, 1...11), (.evening, 4...11): hour + 12
    // This is the midnight at the end of the evening.
    case (.evening, 0), (.evening, 12), (.evening, 24): 24
    default: nil
    }
  }
}
