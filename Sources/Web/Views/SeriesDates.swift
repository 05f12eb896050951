import Domain
import Phrasing
import ReadModel

/// The dates of a repeating to-do: those to come, and those that are done or skipped.
struct SeriesDates {
  private let page: PageSnapshot
  private let todo: TodoRow
  /// The state of the series; nil if the to-do is not a series.
  private let state: SeriesState?

  /// The maximum number of dates to come that are shown.
  private static let mostNext = 5
  /// The maximum number of past dates that are shown.
  private static let mostPast = 20

  init(of todo: TodoRow, on page: PageSnapshot) throws {
    (self.todo, self.page) = (todo, page)
    guard todo.rule != nil else {
      state = nil
      return
    }
    let causality = try page.model.logs.causality()
    state = try page.model.repeats.recurrence(of: todo.head.key, causality: causality)?.state
  }

  /// The number of dates, not counting the current date, that are due before today and must be closed; nil if there are
  /// none.
  var missedWords: String? {
    let missed = state?.missed(before: page.today) ?? 0
    return missed > 0 ? "\(missed) more missed" : nil
  }

  /// The dates that follow the current date.
  var next: [CivilDate] { state?.datesToCome(Self.mostNext, closingOn: page.today) ?? [] }

  /// The rows of the dates that follow the current date.
  var nextRows: [PageRow] {
    let condition = state?.series.rule.basis == .done ? ", if it is done today" : ""
    return next.map { date in
      let distance = date.distanceWords(from: page.today) ?? date.shortWords
      var row = PageRow("date", key: "next \(date.iso)", distance + condition)
      row.when = page.when(date)
      return row
    }
  }

  /// Returns the rows of the most recently closed dates, latest first.
  func pastRows() throws -> [PageRow] {
    guard state != nil else { return [] }
    let rows = try page.model.repeats.closedRows(of: todo.head.key, upTo: Self.mostPast)
    return try page.rows(rows, namesList: false)
  }
}
