import Domain
import Phrasing
import Platform

/// The time that a command views: the present, or the time that `at` names.
final class ViewedTime {
  private let timekeeper: any Timekeeper
  /// The time in the user's words; nil for the present.
  var words: String?
  /// The day on which the command began.
  ///
  /// It is cached because asking the system once per row would cost more than the row itself.
  private(set) lazy var today: CivilDate? = timekeeper.today
  /// The day from which records are viewed.
  ///
  /// It is nil if the user's words for the time cannot be parsed; ``milliseconds()`` reports that error.
  private(set) lazy var dayShown: CivilDate? = words == nil ? today : try? day()

  init(_ timekeeper: any Timekeeper, words: String?) {
    (self.timekeeper, self.words) = (timekeeper, words)
  }

  /// A parser for field values, relative to the day on which the command began.
  var reader: FieldReader { FieldReader(timekeeper, today: today) }

  /// The time in milliseconds; nil for the present.
  func milliseconds() throws -> Int64? {
    guard let words else { return nil }
    return try reader.instant(words).milliseconds
  }

  /// The day from which records are viewed: today, or the day that `at` names.
  func day() throws -> CivilDate? {
    guard let moment = try milliseconds() else { return today }
    return timekeeper.localDay(of: Moment(milliseconds: moment))
  }
}
