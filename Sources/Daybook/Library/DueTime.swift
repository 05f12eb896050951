import Domain
import ReadModel

/// A time of day at which a to-do is due, from 00:00 to 23:59.
public struct DueTime: Hashable, Sendable {
  let time: TimeOfDay

  init(_ time: TimeOfDay) { self.time = time }
}

/// The interval by which a reminder precedes the due time of its to-do.
public struct DueLead: Hashable, Sendable {
  let lead: ReminderLead

  init(_ lead: ReminderLead) { self.lead = lead }
}

/// The parts of a due date other than the day, and its reminders.
struct DueDetails: Equatable, Sendable {
  let time: DueTime?
  let zone: String?
  let remind: [DueLead]?

  init(_ row: TodoRow) {
    time = row.dueTime.flatMap(TimeOfDay.init(minute:)).map(DueTime.init)
    zone = row.zone
    remind = DueLead.leads(row.remind)
  }
}

extension DueTime: Comparable, CustomStringConvertible {
  /// Creates a time; nil if there is no such time.
  public init?(hour: Int, minute: Int) {
    guard 0..<24 ~= hour, 0..<60 ~= minute,
      let time = TimeOfDay(minute: Int64(hour * 60 + minute))
    else { return nil }
    self.time = time
  }

  /// Reads a time such as `17:00`; nil if there is no such time.
  public init?(_ text: String) {
    guard let time = TimeOfDay(text: text) else { return nil }
    self.time = time
  }

  /// The hour from 0 to 23.
  public var hour: Int { Int(time.minute / 60) }
  /// The minute from 0 to 59.
  public var minute: Int { Int(time.minute % 60) }

  /// The time as text, such as `17:00`.
  public var description: String { time.text }

  /// Whether the left time is earlier in the day.
  public static func < (left: Self, right: Self) -> Bool { left.time < right.time }
}

extension DueLead: CustomStringConvertible {
  /// The lead time of a reminder that rings at the due time.
  public static let atDue = DueLead(ReminderLead.atDue)

  /// Creates a lead time in minutes; nil if it is negative or longer than 366 days.
  public static func minutes(_ count: Int) -> DueLead? { Self(count, .minute) }
  /// Creates a lead time in hours; nil if it is negative or longer than 366 days.
  public static func hours(_ count: Int) -> DueLead? { Self(count, .hour) }
  /// Creates a lead time in days; nil if it is negative or longer than 366 days.
  public static func days(_ count: Int) -> DueLead? { Self(count, .day) }
  /// Creates a lead time in weeks; nil if it is negative or longer than 366 days.
  public static func weeks(_ count: Int) -> DueLead? { Self(count, .week) }

  /// Reads `15m`, `2h`, `1d`, `1w` or `0`; nil for any other text.
  public init?(_ text: String) {
    guard let lead = ReminderLead(text) else { return nil }
    self.lead = lead
  }

  private init?(_ count: Int, _ unit: ReminderLead.Unit) {
    guard let lead = ReminderLead(Int64(count), unit) else { return nil }
    self.lead = lead
  }

  /// The lead time as `daybook add todo --remind` reads it.
  public var description: String { lead.text }

  /// Returns the lead times in a to-do's field; nil if the field contains none that can be read.
  static func leads(_ words: [String]) -> [DueLead]? {
    ReminderLeads(stored: words)?.leads.map(DueLead.init)
  }

  /// Returns the value that a to-do's field stores for lead times.
  static func value(of leads: [DueLead]?) -> Value {
    guard let leads else { return .null }
    return .texts(leads.isEmpty ? ["none"] : leads.map(\.description))
  }
}
