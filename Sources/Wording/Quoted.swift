extension String {
  /// The text as one word for a shell: unchanged if it can be, else in double or in single quotes.
  package var quoted: String {
    let isBare = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_.:/".contains($0) }
    if isBare { return self }
    return isPlain ? "\"\(self)\"" : "'" + replacing("'", with: "'\\''") + "'"
  }

  /// Whether the text needs no escapes in double quotes.
  private var isPlain: Bool { !contains { "\"$`\\!".contains($0) } }
}
