import Interchange
import Phrasing

/// What is to be said of single records of an import, sorted by reason: of many for one reason the first tell enough.
struct ImportReasons {
  private struct Group {
    /// Where the first stand, and what is said of them.
    var first: [(place: ForeignPlace, text: String)] = []
    var count = 0
    var isAlike = true
  }

  private var groups: [Group] = []
  private var numbers: [String: Int] = [:]

  /// So many of a reason are each told on their own, or named where there are more.
  private static let mostNamed = 3

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - place: Where it stands.
  ///   - reason: What is the same for all that are told together.
  ///   - text: What is said of this one.
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

  /// The sentences for each reason, in the order in which the reasons were met.
  ///
  /// - Parameters:
  ///   - one: What follows the place of a single record.
  ///   - many: What follows the number of several.
  /// - Returns: `line 2 skipped: …` or `5 skipped (line 2, line 3, line 7, …): …`, with the number of records.
  func sentences(one: String, many: String) -> [(text: String, count: Int)] {
    groups.flatMap { group in
      if group.count <= Self.mostNamed {
        return group.first.map { ("\($0.place.words)\(one): \($0.text).", 1) }
      }
      let places = group.first.map(\.place.words).joined(separator: ", ")
      let text = group.first[0].text + (group.isAlike ? "" : ", and the like")
      return [("\(group.count) \(many) (\(places), …): \(text).", group.count)]
    }
  }
}
