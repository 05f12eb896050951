/// A property of a card or calendar: `group.NAME;PARAMETER=a,b:value`.
struct ContentLine: Equatable, Sendable {
  struct Parameter: Equatable, Sendable {
    /// The name of the parameter in capitals.
    var name: String
    var values: [String]
  }

  var group: String? { didSet { head = nil } }
  /// The name of the property in capitals.
  var name: String
  /// The name as the file spells it: some programs write lowercase names, and expect them back.
  var spelling: String { didSet { head = nil } }
  var parameters: [Parameter] = [] { didSet { head = nil } }
  /// The value as written, with commas and new lines still escaped.
  var value: String
  /// The number of the line at which the property begins.
  var number = 0
  /// The original part before the colon, if this program would write it differently and nothing in it has changed.
  private(set) var head: String?
  /// The length of a property that exceeded the limit; its value is then empty.
  var excessBytes: Int?
  /// The character set that the property names, if its value cannot be decoded; the value is then still encoded.
  var unreadableSet: String?
  /// Whether the property names no character set and was decoded as Windows-1252.
  var isGuessed = false

  init(_ name: String, _ parameters: [Parameter] = [], _ value: String) {
    (self.name, spelling, self.parameters, self.value) = (name, name, parameters, value)
  }

  /// Keeps the original part before the colon if this program would write it differently.
  mutating func keepHead(_ words: String) { head = words == composedHead ? nil : words }

  /// Returns the values of all parameters with the given name.
  func values(_ name: String) -> [String] {
    parameters.filter { $0.name == name }.flatMap(\.values)
  }

  func has(_ name: String, _ value: String) -> Bool {
    values(name).contains { $0.uppercased() == value }
  }

  /// The value as unescaped text.
  var text: String { Self.unescaped(value) }

  /// The unescaped parts of a structured value, which semicolons separate.
  var parts: [String] { Self.split(value, at: ";").map(Self.unescaped) }

  /// The unescaped items of a list, which commas separate.
  var items: [String] { Self.split(value, at: ",").map(Self.unescaped) }

  /// Splits a value at each separator that is not escaped.
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
  /// Returns whether a character is replaced by a space when it is written.
  static func isLost(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isControl && scalar != "\n" && scalar != "\r"
  }
}

extension Unicode.Scalar {
  /// Whether the character is a control character that text must not contain: any except a tab.
  ///
  /// Line ends are escaped before this is checked.
  fileprivate var isControl: Bool { value < 0x20 && self != "\t" || value == 0x7F }
}
