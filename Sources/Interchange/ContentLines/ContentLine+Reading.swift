internal import CharacterSets

extension ContentLine {
  /// Reads an unfolded line; nil if it has no name or value, or too many parameters.
  ///
  /// The value is decoded from the quoted-printable encoding and the character set, which the parameters of old cards
  /// can name.
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
    let written = parameters
    value = decoded(bytes[(colon + 1)...])
    // vCard 2.1 allows parameters without names. Other versions do not, so a head with such parameters is not kept.
    if parameters == written, words.allSatisfy({ $0.contains("=") }) { keepHead(head) }
  }

  /// The maximum number of parameters, which exceeds what any program writes.
  private static let mostParameters = 1000

  /// Finds the colon after the parameters, whose quoted values may contain colons.
  private static func colon(in bytes: [UInt8]) -> Int? {
    var isQuoted = false
    for (place, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted { return place }
    }
    // An unclosed quotation mark does not begin a quotation.
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

  /// Returns a parameter that a card of version 2.1 contains without its name.
  private static func bareParameter(_ word: String) -> Parameter {
    let encodings = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT", "B", "Q"]
    return Parameter(name: encodings.contains(word) ? "ENCODING" : "TYPE", values: [word])
  }

  /// Decodes the value, and removes the parameters that described its encoding.
  private mutating func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    let raw = Array(bytes)
    let isPrintable = has("ENCODING", "QUOTED-PRINTABLE") || has("ENCODING", "Q")
    let bytes = isPrintable ? QuotedPrintable.decode(raw) : raw
    guard let text = text(of: bytes) else { return undecoded(raw, isPrintable: isPrintable) }
    // Other parameters are kept, because an unchanged line is written as it was read.
    if values("CHARSET") != [], !isBinary { parameters.removeAll { $0.name == "CHARSET" } }
    guard isPrintable else { return text }
    parameters.removeAll { $0.name == "ENCODING" }
    // In quoted-printable values, new lines and commas are literal.
    let lines = text.replacing("\r\n", with: "\\n").replacing("\n", with: "\\n")
    return Self.split(lines, at: ",").joined(separator: "\\,")
  }

  private var isBinary: Bool { has("ENCODING", "BASE64") || has("ENCODING", "B") }

  /// Decodes bytes in the character set that the line names or, if it names none, as ``ForeignText`` decodes any text.
  ///
  /// - Returns: The text; nil if the bytes are invalid in that set.
  private mutating func text(of bytes: [UInt8]) -> String? {
    guard let name = values("CHARSET").first, !isBinary else {
      let (text, encoding) = ForeignText.decode(bytes)
      isGuessed = encoding == .windows1252
      return text
    }
    // These sets can be decoded on every machine.
    switch name.uppercased() {
    case "UTF-8", "UTF8": return String(validating: bytes, as: UTF8.self)
    case "US-ASCII", "ASCII":
      return bytes.allSatisfy { $0 < 0x80 } ? String(validating: bytes, as: UTF8.self) : nil
    // Files that name Latin-1 mean Windows-1252, which has more characters.
    case "ISO-8859-1", "LATIN1", "WINDOWS-1252", "CP1252": return ForeignText.windows1252(bytes)
    // RFC 2781 3.3: without a byte order mark, UTF-16 is big-endian.
    case "UTF-16" where bytes.starts(with: [0xFE, 0xFF]):
      return ForeignText.utf16(bytes.dropFirst(2), isBigEndian: true)
    case "UTF-16" where bytes.starts(with: [0xFF, 0xFE]):
      return ForeignText.utf16(bytes.dropFirst(2), isBigEndian: false)
    case "UTF-16", "UTF-16BE": return ForeignText.utf16(bytes[...], isBigEndian: true)
    case "UTF-16LE": return ForeignText.utf16(bytes[...], isBigEndian: false)
    default: return Self.decode(bytes, name)
    }
  }

  private static func decode(_ bytes: [UInt8], _ name: String) -> String? {
    do throws(CharacterSetError) {
      return try CharacterSet(named: name).decode(bytes)
    } catch {
      // If the property is needed, its fault names the character set, whether or not that set is known here.
      return nil
    }
  }

  /// Returns an undecodable value as characters that any file can hold, and stores the name of its character set.
  private mutating func undecoded(_ raw: [UInt8], isPrintable: Bool) -> String {
    unreadableSet = values("CHARSET").first
    if isPrintable { return ForeignText.windows1252(raw) }
    parameters.append(Parameter(name: "ENCODING", values: ["QUOTED-PRINTABLE"]))
    return QuotedPrintable.encode(raw)
  }
}

/// The quoted-printable encoding, in which `=C3` stands for the byte C3.
enum QuotedPrintable {
  static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "=") {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "=" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }

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
  /// Parses the lines of kept text, none of which is folded.
  static func lines(of text: String?) -> [ContentLine] {
    (text ?? "").split(separator: "\n").compactMap { line in
      ContentLine(bytes: Array(line.utf8), number: 0)
    }
  }
}
