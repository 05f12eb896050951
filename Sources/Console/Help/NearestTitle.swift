import Domain
import Phrasing
import ReadModel

/// Finds the title that the user meant by a misspelt word.
struct NearestTitle {
  private let model: ReadModel

  init(_ model: ReadModel) { self.model = model }

  /// The maximum number of titles to compare; in a larger book, comparing all of them would take longer than a search.
  private static let titlesCompared = 5_000
  /// The minimum length of a word to compare; shorter words resemble too many others.
  private static let fewestLetters = 3

  /// Returns the title that resembles the words or contains a word that does; nil if there is none or titles cannot
  /// be read.
  func title(like words: String, _ kind: Kind?) -> String? {
    guard words.count >= Self.fewestLetters,
      let found = try? model.rankedSearch.search(
        "", kind: kind, page: Page(count: Self.titlesCompared))
    else { return nil }
    var spelled: [String: String] = [:]
    for title in found.compactMap(\.title) {
      let folded = title.lowercased()
      let parts = folded.split(separator: " ").map(String.init)
      for part in [folded] + parts where part.count >= Self.fewestLetters {
        spelled[part] = spelled[part] ?? title
      }
    }
    let word = words.trimmed.lowercased()
    guard let near = Spelling.nearest(to: word, among: spelled.keys.sorted()),
      // A word of three letters is a different word if one of its letters is replaced.
      min(word.count, near.count) > Self.fewestLetters
        || word.count != near.count && Spelling.distance(from: word, to: near) == 1
    else { return nil }
    return spelled[near]
  }
}
