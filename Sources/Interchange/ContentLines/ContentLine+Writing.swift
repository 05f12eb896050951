internal import Bytes

extension ContentLine {
  private static let foldOctets = 75
  /// A quoted-printable line must not break inside `=C3`, so this limit leaves space for the two digits.
  private static let printableFoldOctets = 73

  /// The line without a line break at its end; long lines are not folded.
  var unfolded: String { (head ?? composedHead) + ":" + value }

  /// The part before the colon, as this program writes it.
  var composedHead: String {
    let words = parameters.map { parameter in
      ";" + parameter.name + "=" + parameter.values.map(Self.quoted).joined(separator: ",")
    }
    return (group.map { $0 + "." } ?? "") + spelling + words.joined()
  }

  /// The line as it is written to a file: at most 75 octets per physical line, without splitting a character.
  var folded: String {
    let isPrintable = has("ENCODING", "QUOTED-PRINTABLE")
    return Self.fold(unfolded, isPrintable: isPrintable)
  }

  private static func fold(_ line: String, isPrintable: Bool) -> String {
    let limit = isPrintable ? printableFoldOctets : foldOctets
    // The number of digits that must stay on the same line as the equals sign before them.
    var bound = 0
    var text = ""
    var octets = 0
    for scalar in line.unicodeScalars {
      let width = UTF8.width(scalar)
      if octets + width > limit, bound == 0 {
        text += "\r\n "
        octets = 1
      }
      bound = isPrintable && scalar == "=" ? 2 : max(0, bound - 1)
      text.unicodeScalars.append(scalar)
      octets += width
    }
    return text + "\r\n"
  }

  /// Returns a parameter value, quoted if it contains a comma, semicolon or colon.
  private static func quoted(_ value: String) -> String {
    let plain = value.unicodeScalars.filter { $0 != "\"" && $0.value >= 0x20 }
    let text = String(String.UnicodeScalarView(plain))
    return text.contains(scalarOf: ",;:") ? "\"\(text)\"" : text
  }
}

extension UTF8 {
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case ..<0x80: 1
    case ..<0x800: 2
    case ..<0x10000: 3
    default: 4
    }
  }
}
