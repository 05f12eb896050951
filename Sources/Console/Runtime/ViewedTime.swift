import Domain
import Phrasing
import Platform

/// The time that a command views: the present, or the time given with `at`.
final class ViewedTime {
  private let timekeeper: any Timekeeper
  /// The time as the user typed it; nil for the present.
  var words: String?
  /// The day on which the command began.
  ///
  /// The day is cached, because asking the system for it once per row would take longer than showing the row.
  private(set) lazy var today: CivilDate? = timekeeper.today
  /// The day from which records are viewed.
  ///
  /// The day is nil if the time that the user typed cannot be parsed; ``milliseconds()`` reports that error.
  private(set) lazy var dayShown: CivilDate? = words == nil ? today : try? day()
  /// Converts due dates to local dates, and compares them with the time that is viewed.
  private(set) lazy var dues = LocalDues(timekeeper, at: moment)

  init(_ timekeeper: any Timekeeper, words: String?) {
    (self.timekeeper, self.words) = (timekeeper, words)
  }

  /// A parser for field values, relative to the day on which the command began.
  var reader: FieldReader { FieldReader(timekeeper, today: today) }

  /// Returns the time in milliseconds, or nil for the present; a day without a time means the end of that day.
  func milliseconds() throws -> Int64? {
    guard let words else { return nil }
    return try reader.pastInstant(words, wholeDay: .end).milliseconds
  }

  /// The time that is viewed; nil for the present, or if it cannot be parsed.
  private var moment: Moment? {
    (try? milliseconds()).flatMap { $0.map(Moment.init(milliseconds:)) }
  }

  /// Returns the day from which records are viewed: today, or the day given with `at`.
  func day() throws -> CivilDate? {
    guard let moment = try milliseconds() else { return today }
    return timekeeper.localDay(of: Moment(milliseconds: moment))
  }
}
