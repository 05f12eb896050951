import Interchange
import Phrasing

/// Messages about single records of an import, grouped by reason.
///
/// In a large group, only the first records are named.
struct ImportReasons {
  private struct Group {
    /// The places of the first records, and the messages about them.
    var first: [(place: ForeignPlace, text: String)] = []
    var count = 0
    var isAlike = true
  }

  private var groups: [Group] = []
  private var numbers: [String: Int] = [:]

  /// The maximum size of a group in which each record has its own sentence; a larger group names only this many.
  private static let mostNamed = 3

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - place: The place of the record.
  ///   - reason: The reason, by which records are grouped.
  ///   - text: The message about this record.
  mutating func add(_ place: ForeignPlace, _ reason: String, _ text: String) {
    let number = numbers[reason] ?? groups.count
    if number == groups.count {
      numbers[reason] = number
      groups.append(Group())
    }
    groups[number].count += 1
    if let first = groups[number].first.first, first.text != text { groups[number].isAlike = false }
    if groups[number].first.count < Self.mostNamed { groups[number].first.append((place, text)) }
  }

  /// Returns the sentences for each reason, in the order in which the reasons were added.
  ///
  /// - Parameters:
  ///   - one: The text after the place of a single record.
  ///   - many: The text after the number of several records.
  /// - Returns: `line 2 skipped: …` or `5 skipped (line 2, line 3, line 7, …): …`, with the number of records.
  func sentences(one: String, many: String) -> [(text: String, count: Int)] {
    groups.flatMap { group in
      if group.count <= Self.mostNamed {
        return group.first.map { ("\($0.place.words)\(one): \($0.text).", 1) }
      }
      let places = group.first.map(\.place.words).joined(separator: ", ")
      let text = group.first[0].text + (group.isAlike ? "" : ", and similar")
      return [("\(group.count) \(many) (\(places), …): \(text).", group.count)]
    }
  }
}
