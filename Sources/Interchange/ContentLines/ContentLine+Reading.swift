extension ContentLine {
  /// Reads a line whose folds are gone; nil for one that has no name or value, or too many parameters.
  ///
  /// Values are decoded as the parameters say that old cards use: quoted-printable, and other character sets.
  init?(bytes: [UInt8], number: Int) {
    guard let colon = Self.colon(in: bytes),
      bytes[..<colon].count(where: { $0 == UInt8(ascii: ";") }) <= Self.mostParameters
    else { return nil }
    let head = ForeignText.decode(Array(bytes[..<colon])).text
    var words = Self.splitHead(head)
    let name = words.removeFirst()
    let halves = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = halves.last, !last.isEmpty,
      last.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    else { return nil }
    group = halves.count == 2 ? String(halves[0]) : nil
    (self.name, spelling) = (last.uppercased(), String(last))
    parameters = words.map(Self.parameter)
    self.number = number
    value = ""
    value = decoded(bytes[(colon + 1)...])
  }

  /// More than any program writes.
  private static let mostParameters = 1000

  /// The colon behind the parameters, which may hold others in quotes.
  private static func colon(in bytes: [UInt8]) -> Int? {
    var isQuoted = false
    for (place, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted { return place }
    }
    // A quotation that never ends is none.
    return bytes.firstIndex(of: UInt8(ascii: ":"))
  }

  private static func splitHead(_ head: String) -> [String] {
    var isQuoted = false
    return head.split(omittingEmptySubsequences: false) { sign in
      if sign == "\"" { isQuoted.toggle() }
      return sign == ";" && !isQuoted
    }.map(String.init)
  }

  private static func parameter(_ word: String) -> Parameter {
    guard let equals = word.firstIndex(of: "=") else {
      return bareParameter(word.uppercased())
    }
    let name = word[..<equals].uppercased()
    var isQuoted = false
    let values = word[word.index(after: equals)...].split(omittingEmptySubsequences: false) {
      sign in
      if sign == "\"" { isQuoted.toggle() }
      return sign == "," && !isQuoted
    }
    return Parameter(name: name, values: values.map { $0.filter { $0 != "\"" } })
  }

  /// What cards of version 2.1 write without a name.
  private static func bareParameter(_ word: String) -> Parameter {
    let encodings = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT", "B", "Q"]
    return Parameter(name: encodings.contains(word) ? "ENCODING" : "TYPE", values: [word])
  }

  /// The value in letters, and without the parameters that said how to get there.
  private mutating func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = Array(bytes)
    let isPrintable = has("ENCODING", "QUOTED-PRINTABLE") || has("ENCODING", "Q")
    if isPrintable { bytes = QuotedPrintable.decode(bytes) }
    let charset = values("CHARSET").first?.uppercased()
    let isUTF16 = charset?.hasPrefix("UTF-16") ?? false
    var text = ""
    switch charset {
    case "ISO-8859-1", "WINDOWS-1252", "LATIN1", "CP1252", "ISO-8859-15":
      text = ForeignText.windows1252(bytes)
    default: text = ForeignText.decode(isUTF16 ? [0xFE, 0xFF] + bytes : bytes).text
    }
    parameters.removeAll { parameter in
      parameter.name == "CHARSET" || (isPrintable && parameter.name == "ENCODING")
    }
    // There, new lines and commas stood for themselves.
    guard isPrintable else { return text }
    let lines = text.replacing("\r\n", with: "\\n").replacing("\n", with: "\\n")
    return Self.split(lines, at: ",").joined(separator: "\\,")
  }
}

/// Text in which `=C3` stands for a byte.
enum QuotedPrintable {
  static func decode(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "="), place + 2 < bytes.count,
        let high = digit(bytes[place + 1]), let low = digit(bytes[place + 2])
      {
        decoded.append(high << 4 | low)
        place += 3
      } else {
        decoded.append(bytes[place])
        place += 1
      }
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension ContentLine {
  /// The lines of a text that was kept, none of them folded.
  static func lines(of text: String?) -> [ContentLine] {
    (text ?? "").split(separator: "\n").compactMap { line in
      ContentLine(bytes: Array(line.utf8), number: 0)
    }
  }
}
