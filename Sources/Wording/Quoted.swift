import Bytes

extension String {
  /// The text as one shell argument: unchanged if possible, otherwise in double or single quotes.
  package var quoted: String {
    let isBare = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_.:/".contains($0) }
    if isBare { return self }
    // In double quotes, these scalars would need escapes, which differ between shells.
    return contains(scalarOf: "\"$`\\!") ? inSingleQuotes : "\"\(self)\""
  }
}
