import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// The data from which views are made: the book at a given time, and the day of that time.
struct PageSnapshot {
  let snapshot: Snapshot
  /// The time that is shown, in milliseconds; nil means now.
  let moment: Int64?
  let today: CivilDate
  /// Converts due dates to local dates, and compares them with the time that is shown.
  let dues: LocalDues
  /// The leap rule for birthdays that have no rule of their own.
  let rule: LeapRule
  /// The entries up to the time that is shown.
  let entries: EntryList
  /// The records in conflict.
  let unsettled: Set<EventKey>
  /// The to-dos that have a date in conflict.
  let seriesInConflict: Set<EventKey>
  let lists: [ListRow]

  init(
    _ snapshot: Snapshot, moment: Int64?, rule: LeapRule, entries: EntryList
  ) throws {
    let timekeeper = snapshot.book.machine.timekeeper
    (self.snapshot, self.moment, self.rule, self.entries) = (snapshot, moment, rule, entries)
    dues = LocalDues(timekeeper, at: moment.map(Moment.init(milliseconds:)))
    guard let today = dues.today else { throw PageFault.noDay }
    self.today = today
    unsettled = try snapshot.book.conflictReader.unsettled(in: snapshot.model)
    seriesInConflict = Set(try snapshot.model.repeats.series(of: unsettled).values)
    lists = try snapshot.model.lists.lists()
  }

  var book: Book { snapshot.book }
  var model: ReadModel { snapshot.model }
  var isNow: Bool { moment == nil }

  /// Returns whether a to-do or one of its dates is in conflict.
  func isInConflict(_ todo: EventKey) -> Bool {
    unsettled.contains(todo) || seriesInConflict.contains(todo)
  }
}

extension PageSnapshot {
  /// Returns the list with the given id.
  ///
  /// - Throws: ``DaybookError/unknown(_:kind:)`` if there is no such list, or if it is deleted.
  func list(_ id: UniqueID) throws -> ListRow {
    guard let key = try model.documents.document(id: id)?.key,
      let list = lists.first(where: { $0.head.key == key })
    else { throw DaybookError.unknown(id.uuid, kind: .list) }
    return list
  }

  /// Returns the local time of day, such as `14:30`.
  func clock(_ time: Int64) -> String {
    book.machine.timekeeper.localClock(of: time)
  }

  /// Returns a past time for the margin, such as `14:30` if it was today, or otherwise its day.
  ///
  /// The day includes the year if it is not the current year.
  func marginWords(_ time: Int64) -> String {
    let day = book.machine.timekeeper.localDay(of: Moment(milliseconds: time))
    guard let day, day != today else { return clock(time) }
    return day.year == today.year ? day.shortDayWords : day.shortWords
  }

  /// Returns a day and time, such as `18 Nov 14:30`, with the year if it is not the current year.
  func momentWords(_ time: Int64) -> String {
    let day = book.machine.timekeeper.localDay(of: Moment(milliseconds: time))
    let words = day.map { $0.year == today.year ? $0.shortDayWords : $0.shortWords }
    return [words, clock(time)].compactMap(\.self).joined(separator: " ")
  }
}
