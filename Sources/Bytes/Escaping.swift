extension String {
  /// Returns the text with some scalars replaced.
  ///
  /// If a combining mark follows a scalar, both form one Character, so a search for the scalar as a Character or string
  /// does not find it. A program that reads the text still sees the scalar, so escaping must operate on scalars.
  ///
  /// - Parameter replacements: The replacement text for each scalar to replace.
  /// - Returns: The text after the replacements.
  package func replacing(scalars replacements: [Unicode.Scalar: String]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let replacement = replacements[scalar] {
        text.append(contentsOf: replacement.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// Returns whether the text contains one of the given scalars, even if a combining mark follows it.
  package func contains(scalarOf scalars: String) -> Bool {
    unicodeScalars.contains { scalars.unicodeScalars.contains($0) }
  }

  /// The text in single quotes, as one word for any shell.
  ///
  /// Quotes and backslashes are placed outside the quotes, because shells interpret them differently inside.
  package var inSingleQuotes: String {
    "'" + replacing(scalars: ["'": "'\\''", "\\": "'\\\\'"]) + "'"
  }
}
