/// A property of a card or calendar: `group.NAME;PARAMETER=a,b:value`.
struct ContentLine: Equatable, Sendable {
  struct Parameter: Equatable, Sendable {
    /// In capitals.
    var name: String
    var values: [String]
  }

  var group: String? { didSet { head = nil } }
  /// In capitals.
  var name: String
  /// As it is written: some write small letters, and want them back.
  var spelling: String { didSet { head = nil } }
  var parameters: [Parameter] = [] { didSet { head = nil } }
  /// As it is written, with what stands for commas and new lines in it.
  var value: String
  /// The line it begins at.
  var number = 0
  /// What stands before the colon, where that came otherwise than it would be written, and nothing of it is changed.
  private(set) var head: String?
  /// How long it was, if too long to be looked at; then there is no value.
  var excessBytes: Int?
  /// The character set that it names, if its value cannot be read in it; the value is as it stands then.
  var unreadableSet: String?
  /// Whether it names no character set, and was read in the one that old programs of the West use.
  var isGuessed = false

  init(_ name: String, _ parameters: [Parameter] = [], _ value: String) {
    (self.name, spelling, self.parameters, self.value) = (name, name, parameters, value)
  }

  /// Keeps what stands before the colon as it came, where it would be written otherwise.
  mutating func keepHead(_ words: String) { head = words == composedHead ? nil : words }

  /// The values of a parameter, of all that bear its name.
  func values(_ name: String) -> [String] {
    parameters.filter { $0.name == name }.flatMap(\.values)
  }

  func has(_ name: String, _ value: String) -> Bool {
    values(name).contains { $0.uppercased() == value }
  }

  /// The value as a text.
  var text: String { Self.unescaped(value) }

  /// The parts of a structured value.
  var parts: [String] { Self.split(value, at: ";").map(Self.unescaped) }

  /// The items of a list.
  var items: [String] { Self.split(value, at: ",").map(Self.unescaped) }

  /// Takes a value apart where a sign stands that nothing escapes.
  static func split(_ value: String, at separator: Unicode.Scalar) -> [String] {
    var parts: [String] = []
    var part = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if scalar == separator, !isEscaped {
        parts.append(String(part))
        part = String.UnicodeScalarView()
        continue
      }
      part.append(scalar)
      isEscaped = scalar == "\\" && !isEscaped
    }
    return parts + [String(part)]
  }

  static func unescaped(_ value: String) -> String {
    guard value.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 < 0x20 || $0 == 0x7F })
    else { return value }
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if isEscaped {
        text.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar.isControl {
        text.append(" ")
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  static func escaped(_ text: String) -> String {
    var value = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r": value.append(contentsOf: "\\n".unicodeScalars)
      case "\\", ",", ";":
        value.append("\\")
        value.append(scalar)
      case _ where scalar.isControl: value.append(" ")
      default: value.append(scalar)
      }
      previous = scalar
    }
    return String(value)
  }
}

extension ContentLine {
  /// Whether a blank is written for a character.
  static func isLost(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isControl && scalar != "\n" && scalar != "\r"
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character that may stand in no text: any but a tab, and line ends are escaped.
  fileprivate var isControl: Bool { value < 0x20 && self != "\t" || value == 0x7F }
}
