/// A choice's name and weight, typed as `NAME:WEIGHT` or as a name alone.
///
/// A time of day at the end of the text, such as `12:30`, belongs to the name. The weight then follows another colon,
/// as in `12:30:2`.
package struct WeightedName: Equatable {
  package let name: String
  /// The text after the last colon, unless the colon belongs to a time of day.
  package let weight: String?

  package init(_ words: String) {
    let isTime = words.firstMatch(of: #/(^|[^0-9:])([01]?[0-9]|2[0-3]):[0-5][0-9]$/#) != nil
    guard !isTime, let colon = words.lastIndex(of: ":") else {
      (name, weight) = (words, nil)
      return
    }
    (name, weight) = (String(words[..<colon]), String(words[words.index(after: colon)...]))
  }
}
