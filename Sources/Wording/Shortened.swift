extension Collection {
  /// Returns the words for the first elements and, if there are more, their number, such as `a`, `b` and `3 more`.
  package func shortened(to most: Int, _ words: (Element) -> String) -> [String] {
    prefix(most).map(words) + (count > most ? ["\(count - most) more"] : [])
  }
}
