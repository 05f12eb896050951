extension String {
  /// The text with some scalars replaced.
  ///
  /// A combining mark after a scalar makes another Character of it, which a search for Characters or strings does not
  /// find. A program that reads the text still sees the scalar, so escapes must be made of scalars.
  ///
  /// - Parameter replacements: The text that stands for each scalar to replace.
  /// - Returns: The text with the replacements.
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

  /// Whether the text has one of the given scalars, even with a combining mark after it.
  package func contains(scalarOf scalars: String) -> Bool {
    unicodeScalars.contains { scalars.unicodeScalars.contains($0) }
  }

  /// The text in single quotes, as one word for any shell.
  ///
  /// Quotes and backslashes stand outside the quotes, because not all shells read them in the same way inside.
  package var inSingleQuotes: String {
    "'" + replacing(scalars: ["'": "'\\''", "\\": "'\\\\'"]) + "'"
  }
}
