/// The numbers of days before a date at which a user wants to be reminded; 0 is the date itself.
package struct LeadTimes: Equatable, Sendable {
  package static let usual = LeadTimes(days: [7, 1, 0])
  private static let most = 366

  /// The lead times in descending order, each once; empty if no reminder is wanted.
  package let days: [Int]

  private init(days: [Int]) { self.days = days }

  /// Reads `7`, `7d` and `2w`, or `none` alone; nil if a word has any other form, or if there are no words.
  ///
  /// A lead time is at most 366 days.
  package init?(_ words: [String]) {
    let words = words.map { $0.trimmed.lowercased() }
    if words == ["none"] {
      days = []
      return
    }
    let read = words.compactMap(Self.days)
    guard !read.isEmpty, read.count == words.count else { return nil }
    days = Set(read).sorted(by: >)
  }

  /// The shortest lead time that has begun when the date is the given number of days away.
  package func begun(daysLeft: Int) -> Int? { days.last { $0 >= daysLeft } }

  private static func days(_ word: String) -> Int? {
    let number = word.hasSuffix("d") || word.hasSuffix("w") ? word.dropLast() : word[...]
    guard number.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(number),
      count <= most
    else { return nil }
    let days = word.hasSuffix("w") ? 7 * count : count
    return days <= most ? days : nil
  }
}
