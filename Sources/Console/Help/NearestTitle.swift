import Domain
import Phrasing
import ReadModel

/// Finds the title that somebody meant to type.
struct NearestTitle {
  private let model: ReadModel

  init(_ model: ReadModel) { self.model = model }

  /// In a larger book comparing all titles takes longer than a search.
  private static let titlesCompared = 5_000
  /// Shorter words are like many others.
  private static let fewestLetters = 3

  /// The title that is almost what somebody typed, or has a word that is; nil where titles cannot be read.
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
      // Of three letters, one changed is enough to be another word.
      min(word.count, near.count) > Self.fewestLetters
        || word.count != near.count && Spelling.distance(from: word, to: near) == 1
    else { return nil }
    return spelled[near]
  }
}
