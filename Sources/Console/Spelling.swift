import Daybook
import Domain
import ReadModel

extension Context {
  /// Beyond so many titles a guess would take longer than to look.
  private static let titlesCompared = 5_000
  /// Shorter words are like many others.
  private static let fewestLetters = 4

  /// The title that is almost what somebody typed, or has a word that is.
  func nearestTitle(to words: String, _ kind: Kind?) -> String? {
    // Where nothing can be read, it is not told what it is like.
    guard words.count >= Self.fewestLetters, let snapshot = try? snapshot(),
      let found = try? snapshot.model.search(
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
    return Spelling.nearest(to: words.trimmed.lowercased(), among: spelled.keys.sorted())
      .flatMap { spelled[$0] }
  }
}

/// Guesses what somebody meant to type.
enum Spelling {
  /// Farther away than this is another word.
  static let farthest = 2

  /// The known word that takes the fewest changes, if few enough; the first of equals.
  static func nearest(to word: String, among known: [String]) -> String? {
    var best: (word: String, distance: Int)?
    for candidate in known {
      let distance = distance(from: word, to: candidate)
      // A word changed in every letter is no misspelling.
      guard distance <= farthest, distance < candidate.count else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// How many letters must be added, removed or replaced.
  static func distance(from word: String, to other: String) -> Int {
    let letters = Array(other)
    var row = Array(0...letters.count)
    for (line, letter) in word.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, otherLetter) in letters.enumerated() {
        let above = row[column + 1]
        row[column + 1] = min(
          diagonal + (letter == otherLetter ? 0 : 1), above + 1, row[column] + 1)
        diagonal = above
      }
    }
    return row[letters.count]
  }
}
