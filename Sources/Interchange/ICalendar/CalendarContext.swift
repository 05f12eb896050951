internal import Domain

/// The properties of a calendar that apply to all of its components.
struct CalendarContext {
  let settings: ForeignSettings
  /// The name of the calendar.
  let name: String?
  /// Whether this program wrote the calendar.
  let isOwn: Bool
  /// Whether the calendar is a birthday calendar.
  let isOfBirthdays: Bool
  /// Whether the calendar comes from a program whose events start with the next birthday.
  let isOfFeed: Bool
  /// Whether the calendar has many events that all start within one year.
  let isOfOneYear: Bool
  /// Whether only the name of the file marks the calendar as a birthday calendar.
  let isNamedAfterBirthdays: Bool
  /// The time zones of the calendar by name, to be kept with the components that refer to them.
  let zones: [String: KeptComponent.Text]

  init(_ calendar: Component, _ settings: ForeignSettings) {
    self.settings = settings
    name = (calendar.first("NAME") ?? calendar.first("X-WR-CALNAME"))?.text.trimmed
    isOwn = calendar.first("PRODID")?.value.contains("//daybook") ?? false
    let saysSo = settings.takesEventsAsBirthdays || Self.speaksOfBirthdays(name)
    isNamedAfterBirthdays = !saysSo && Self.speaksOfBirthdays(settings.fileName)
    isOfBirthdays = saysSo || isNamedAfterBirthdays
    (isOfFeed, isOfOneYear) = (Self.isOfFeed(calendar), Self.isOfOneYear(calendar))
    var zones: [String: KeptComponent.Text] = [:]
    for zone in calendar.children where zone.name == "VTIMEZONE" {
      if let id = zone.first("TZID")?.value { zones[id] = KeptComponent.Text(zone) }
    }
    self.zones = zones
  }

  static func speaksOfBirthdays(_ name: String?) -> Bool {
    guard let words = name?.lowercased() else { return false }
    return words.contains("birthday") || words.contains("geburtstag")
  }

  /// Returns the day as written or, for an instant in UTC, the local day.
  func day(of reading: BasicInstant.Reading) -> CivilDate? {
    reading.instant.map { settings.localDay(of: $0) } ?? reading.day
  }

  /// Returns an instant in UTC as the day and the time in a zone; unchanged if the zone is unknown.
  func reading(_ reading: BasicInstant.Reading, in zone: String?) -> BasicInstant.Reading {
    guard let instant = reading.instant, let offset = zone.flatMap(settings.zoneOffset) else {
      return reading
    }
    let local = instant / 1000 + Int64(offset(instant))
    guard let day = CivilDate(ofInstant: local * 1000) else { return reading }
    return BasicInstant.Reading(day: day, seconds: Int((local % 86_400 + 86_400) % 86_400))
  }

  /// Returns the seconds after midnight as written or, for an instant in UTC, in local time; nil for a day.
  func seconds(of reading: BasicInstant.Reading) -> Int? {
    guard let instant = reading.instant else { return reading.seconds }
    let seconds = (instant / 1000 + Int64(settings.localOffset(instant))) % 86_400
    return Int(seconds < 0 ? seconds + 86_400 : seconds)
  }
}

/// Converts uids between a calendar and the book.
enum CalendarUID {
  private static let domain = "@daybook"

  /// Returns the uid of a component; the id of the record if this program wrote the uid.
  static func read(_ component: Component) -> String {
    read(component.first("UID")?.text ?? "")
  }

  /// Returns the uid of a record or component from the text of a UID property.
  static func read(_ text: String) -> String {
    let text = text.trimmed
    guard text.hasSuffix(domain) else { return text }
    let id = text.dropLast(domain.count)
    return String(id.split(separator: "birthday-", maxSplits: 1).last ?? id)
  }

  /// Returns whether a record is identified by its content because the uid of its component belongs to another record.
  static func isNamedAnew(_ document: Document) -> Bool {
    document.uid(from: .iCalendar)?.hasPrefix("=") ?? false
  }

  static func text(of document: Document) -> String {
    let foreign = document.uid(from: .iCalendar).flatMap { $0.hasPrefix("=") ? nil : $0 }
    if let foreign { return foreign }
    return (document.kind == .birthday ? "birthday-" : "") + document.id.uuid + domain
  }
}
