internal import Domain

extension EventSummary {
  /// Returns a summary with a new name and date, in its original wording if possible, otherwise in this program's
  /// wording.
  static func revised(
    _ summary: String, _ name: String, _ date: CivilDate, hasNewDate: Bool
  )
    -> String
  {
    let own = text(name, date)
    let old = EventSummary(summary)
    let places = summary.ranges(of: old.name)
    guard !old.name.isEmpty, places.count == 1, let place = places.first else { return own }
    var rest = String(summary[place.upperBound...])
    if hasNewDate, old.year != nil || old.isYearless {
      guard let year = old.year, let newYear = date.year, rest.numbers == ["\(year)"] else {
        return own
      }
      rest = rest.replacing("\(year)", with: "\(newYear)")
    }
    let revised = summary[..<place.lowerBound] + name + rest
    // A name may contain words that the reader removes.
    return EventSummary(String(revised)).name == name ? String(revised) : own
  }
}

extension String {
  fileprivate var numbers: [Substring] { split { !$0.isNumber } }
}
