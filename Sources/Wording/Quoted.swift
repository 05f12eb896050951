extension String {
  /// The text as one shell argument: unchanged if possible, otherwise in double or single quotes.
  package var quoted: String {
    let isBare = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_.:/".contains($0) }
    if isBare { return self }
    return isPlain ? "\"\(self)\"" : "'" + replacing("'", with: "'\\''") + "'"
  }

  /// Whether the text needs no escapes in double quotes.
  private var isPlain: Bool { !contains { "\"$`\\!".contains($0) } }
}
