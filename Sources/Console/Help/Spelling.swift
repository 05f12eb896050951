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

  /// The known option that is meant: one of which the word is a part, or else the nearest.
  static func nearestOption(to word: String, among known: [String]) -> String? {
    let part = known.first {
      word.count >= 3 && ($0.hasPrefix(word + "-") || $0.hasSuffix(word))
        || word.hasPrefix($0 + "-")
    }
    return part ?? nearest(to: word, among: known)
  }

  /// How many letters must be added, removed, replaced or exchanged with the next one.
  static func distance(from word: String, to other: String) -> Int {
    let (given, letters) = (Array(word), Array(other))
    var (before, above) = ([Int](), Array(0...letters.count))
    for line in given.indices {
      var row = [line + 1]
      for column in letters.indices {
        let isSame = given[line] == letters[column]
        var least = min(above[column] + (isSame ? 0 : 1), above[column + 1] + 1, row[column] + 1)
        if line > 0, column > 0, given[line] == letters[column - 1],
          given[line - 1] == letters[column]
        {
          least = min(least, before[column - 1] + 1)
        }
        row.append(least)
      }
      (before, above) = (above, row)
    }
    return above[letters.count]
  }
}
