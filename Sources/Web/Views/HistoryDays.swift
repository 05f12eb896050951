import Bytes
import Daybook
import Domain
import Phrasing
import Platform

/// Counts the entries in each day, week, month or year.
///
/// The shortest of these spans that does not produce too many bars is used.
enum HistoryDays {
  /// The number of bars above which longer spans are used.
  private static let mostBars = 28

  private struct Bar {
    var date: CivilDate
    var count = 0
    /// The number of the last entry in the span, and its time.
    var number = 0
    var time: Int64 = 0
  }

  /// Returns the bars, earliest first; if there are too many years, only the latest of them.
  static func json(of entries: EntryList, at timekeeper: any Timekeeper) -> JSON {
    let widths: [(String, (CivilDate) -> Int?)] = [
      ("day", \.epochDay), ("week", { $0.epochDay.map { ($0 + 3) / 7 } }),
      ("month", { date in date.year.flatMap { year in date.month.map { year * 12 + $0 } } }),
      ("year", \.year),
    ]
    var bars: [Bar] = []
    var name = ""
    for (width, key) in widths {
      (bars, name) = (Self.bars(of: entries, timekeeper, by: key), width)
      if bars.count <= mostBars { break }
    }
    return .array(bars.suffix(4 * mostBars).map { json($0, name) })
  }

  private static func bars(
    of entries: EntryList, _ timekeeper: any Timekeeper, by key: (CivilDate) -> Int?
  ) -> [Bar] {
    var bars: [Bar] = []
    var last: Int?
    for number in 1...max(1, entries.count) {
      guard let entry = entries.entry(number),
        let date = timekeeper.localDay(of: Moment(milliseconds: entry.time))
      else { continue }
      if key(date) != last || bars.isEmpty { bars.append(Bar(date: date)) }
      last = key(date)
      bars[bars.count - 1].count += 1
      bars[bars.count - 1].number = number
      bars[bars.count - 1].time = entry.time
    }
    return bars
  }

  private static func json(_ bar: Bar, _ width: String) -> JSON {
    let (label, span): (String, String) =
      switch width {
      case "day": (bar.date.day.map { "\($0)" } ?? "", bar.date.dayWords)
      case "week": (bar.date.shortDayWords, "week of \(bar.date.dayWords)")
      case "month":
        (String((bar.date.monthWords).prefix(3)), bar.date.monthWords)
      default: (bar.date.year.map { "\($0)" } ?? "", bar.date.year.map { "\($0)" } ?? "")
      }
    return .object(
      ("day", .string(bar.date.iso)), ("label", .string(label)),
      ("words", .string("\(span), \(counted(bar.count, "entry", "entries"))")),
      ("count", .integer(Int64(bar.count))), ("n", .integer(Int64(bar.number))),
      ("last_instant", .string(Instant.exactText(bar.time))))
  }
}
