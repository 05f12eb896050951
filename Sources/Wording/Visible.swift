/// Escapes control characters in foreign text, so that the text cannot affect the terminal.
extension String {
  /// The text in one line, in which control characters and marks that change the writing direction are replaced by
  /// escapes.
  ///
  /// Line breaks are shown as a sign, as in todo.txt, and tabs as spaces. Joiners are kept, because some scripts need
  /// them.
  package var visible: String {
    // Most strings do not contain a byte that begins a harmful character, and bytes are faster to check.
    guard hasByteThatMayHarm, unicodeScalars.contains(where: Self.isHarmful) else { return self }
    var shown = ""
    for letter in self {
      if letter.isNewline {
        shown += " ⏎ "
      } else if letter == "\t" {
        shown += " "
      } else {
        letter.unicodeScalars.forEach { shown.append(visible: $0) }
      }
    }
    return shown
  }

  /// The beginning of foreign text as ``visible`` shows it, limited to `most` characters, with an ellipsis if it is
  /// cut.
  package func brief(_ most: Int = 80) -> String {
    let shown = String(prefix(most + 1)).visible
    return shown.count > most ? shown.prefix(most) + "…" : shown
  }

  /// Each line of the text as ``visible`` shows it.
  ///
  /// Only the line ends are kept, and CR before LF is dropped.
  package var visibleLines: String {
    guard hasByteThatMayHarm, unicodeScalars.contains(where: Self.isHarmful) else { return self }
    let lines = unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      String(line.last == "\r" ? line.dropLast() : line).visible
    }.joined(separator: "\n")
  }

  /// The text, which is JSON, with harmful characters as JSON escapes, so that its meaning stays the same.
  ///
  /// A JSON writer already escapes the ASCII control characters in strings. Control characters between values are kept.
  package var visibleJSON: String {
    guard hasByteThatMayHarm, unicodeScalars.contains(where: Self.isHarmfulInJSON) else {
      return self
    }
    var shown = ""
    for scalar in unicodeScalars {
      if Self.isHarmfulInJSON(scalar) {
        let digits = String(scalar.value, radix: 16)
        shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isHarmfulInJSON(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && isHarmful(scalar)
  }

  private mutating func append(visible scalar: Unicode.Scalar) {
    if Self.isHarmful(scalar) {
      self += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      unicodeScalars.append(scalar)
    }
  }

  private var hasByteThatMayHarm: Bool {
    let bytes = utf8.span
    // All bytes are checked without leaving the loop early, so that the compiler can vectorize the loop.
    var harmful: UInt8 = 0
    for place in bytes.indices { harmful |= Self.mayHarm(bytes[place]) }
    return harmful > 0
  }

  /// Returns 1 if a harmful character may begin with the byte, and 0 otherwise.
  private static func mayHarm(_ byte: UInt8) -> UInt8 {
    let isControl: UInt8 = byte < 0x20 || byte == 0x7F ? 1 : 0
    let isLead: UInt8 = byte == 0xC2 || byte == 0xD8 || byte == 0xE2 || byte == 0xEF ? 1 : 0
    return isControl | isLead
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}
