/// Guesses the intended spelling of a word.
package enum Spelling {
  /// The largest distance at which a word is suggested.
  ///
  /// If a short word differs in two letters, it is a different word.
  private static func farthest(from word: String) -> Int { word.count < 6 ? 1 : 2 }

  /// Returns the known word at the smallest distance, or the first of several such words; nil if all are too far away.
  package static func nearest(to word: String, among known: [String]) -> String? {
    let farthest = farthest(from: word)
    var best: (word: String, distance: Int)?
    for candidate in known {
      let distance = distance(from: word, to: candidate)
      // A word that differs in every letter is not a misspelling.
      guard distance <= farthest, distance < candidate.count else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Returns the option that contains the word or is a prefix of it or, if there is none, the nearest option.
  package static func nearestOption(to word: String, among known: [String]) -> String? {
    let part = known.first {
      word.count >= 3 && ($0.hasPrefix(word + "-") || $0.hasSuffix(word))
        || word.hasPrefix($0 + "-")
    }
    return part ?? nearest(to: word, among: known)
  }

  /// Returns the number of letters to insert, remove, replace, or swap with a neighbour.
  package static func distance(from word: String, to other: String) -> Int {
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
