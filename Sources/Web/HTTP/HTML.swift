/// A fragment of HTML in which all outside text is escaped.
///
/// A fragment can be made only from elements, whose names are static strings, and from text, which is escaped. As a
/// result, no title can become markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private var markup: String

  private init(markup: String) { self.markup = markup }

  /// Creates a fragment from text, with all special characters escaped.
  init(stringLiteral text: String) { self.init(markup: Self.escaped(text)) }

  init(_ text: String) { self.init(stringLiteral: text) }

  static let nothing = HTML(markup: "")

  /// Returns an element with its attributes, omitting each attribute whose value is nil.
  static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:],
    _ content: HTML...
  ) -> HTML {
    element(name, attributes, content)
  }

  static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>, _ content: [HTML]
  ) -> HTML {
    var markup = "<\(name)"
    for (attribute, value) in attributes {
      guard let value else { continue }
      markup += value.isEmpty ? " \(attribute)" : " \(attribute)=\"\(escaped(value))\""
    }
    markup += ">"
    guard !isVoid("\(name)") else { return HTML(markup: markup) }
    return HTML(markup: markup + content.map(\.markup).joined() + "</\(name)>")
  }

  /// Joins fragments.
  static func group(_ pieces: [HTML]) -> HTML { HTML(markup: pieces.map(\.markup).joined()) }

  /// Returns the bytes of a whole document.
  func document() -> [UInt8] { Array(("<!doctype html>\n" + markup + "\n").utf8) }

  private static func isVoid(_ name: String) -> Bool {
    ["meta", "link", "input", "br"].contains(name)
  }

  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // HTML documents must not contain NUL.
      case "\0": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
