import Domain

extension Book {
  /// A day of the calendar, any part of which may be unknown: `1815-12-10`, `--12-10`, `1815-12` or `1815`.
  public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
    let date: CivilDate

    init(_ date: CivilDate) { self.date = date }

    /// Makes a day of the parts that are known; nil where there is no such day, such as a 30th of February.
    public init?(year: Int? = nil, month: Int? = nil, day: Int? = nil) {
      guard let date = try? CivilDate(year: year, month: month, day: day) else { return nil }
      self.date = date
    }

    /// Reads a day as ISO 8601 and vCard write it; nil where there is no such day.
    public init?(_ text: String) {
      guard let date = try? CivilDate.parse(text) else { return nil }
      self.date = date
    }

    /// The year, if it is known.
    public var year: Int? { date.year }
    /// The month from 1 to 12, if it is known.
    public var month: Int? { date.month }
    /// The day of the month from 1 on, if it is known.
    public var day: Int? { date.day }

    /// The day as ISO 8601 writes it, without a year as vCard does.
    public var description: String { date.iso }

    /// Whether a day comes before another, an unknown part before all that are known.
    public static func < (left: Day, right: Day) -> Bool { left.date < right.date }
  }
}
