package import Domain

/// A day with an optional time of day.
package struct DayAndTime: Hashable, Sendable {
  package var day: CivilDate
  /// The minutes after midnight, from 0 to 1439.
  package var minute: Int?

  package init(day: CivilDate, minute: Int? = nil) { (self.day, self.minute) = (day, minute) }
}
