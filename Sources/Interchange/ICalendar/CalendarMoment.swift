internal import Domain

/// A calendar date, with an optional time and time zone.
struct CalendarMoment {
  let day: CivilDate
  /// The minute of the day; nil for a whole day.
  private(set) var minute: Int64?
  private(set) var zone: String?
  private(set) var notes: [ForeignNote] = []

  /// Reads the value of a property; nil if it is not a date with or without a time.
  init?(_ line: ContentLine, _ context: CalendarContext) {
    guard let reading = BasicInstant.read(line.value), let day = context.day(of: reading) else {
      return nil
    }
    self.day = day
    guard let seconds = context.seconds(of: reading) else { return }
    let id = reading.isUTC ? nil : line.values("TZID").first
    zone = id.flatMap(CalendarZone.name)
    minute = Int64(seconds / 60)
    if !seconds.isMultiple(of: 60) {
      let minute = TimeOfDay(minute: Int64(seconds / 60))?.text ?? ""
      notes.append(.changed(field: line.name, line.value, to: "\(day.iso) \(minute)"))
    }
    if let id, zone == nil { notes.append(.changed(field: "TZID", id, to: "local time")) }
  }
}

extension ContentLine {
  /// Returns a property with a day.
  static func day(_ name: String, _ day: CivilDate) -> ContentLine {
    ContentLine(name, [.init(name: "VALUE", values: ["DATE"])], BasicInstant.text(day))
  }

  /// Returns a property with a day or, if there is a time, with the day, the time and the IANA name of its time zone.
  static func moment(
    _ name: String, _ day: CivilDate, _ time: TimeOfDay?, _ zone: String?
  ) -> ContentLine {
    guard let time else { return .day(name, day) }
    let parameters = zone.map { [ContentLine.Parameter(name: "TZID", values: [$0])] } ?? []
    let clock = time.text.filter { $0 != ":" }
    return ContentLine(name, parameters, BasicInstant.text(day) + "T\(clock)00")
  }
}
