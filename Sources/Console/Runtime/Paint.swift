/// Colours on a terminal.
///
/// Colours only repeat information that is also in the text.
struct Paint {
  let isOn: Bool
  /// Whether the terminal supports 24-bit colour.
  let isTrue: Bool

  init(_ isOn: Bool, isTrue: Bool = false) { (self.isOn, self.isTrue) = (isOn, isOn && isTrue) }

  func urgent(_ text: String) -> String { painted(text, .urgent) }
  func faint(_ text: String) -> String { painted(text, .faint) }
  func heading(_ text: String) -> String { painted(text, .heading) }

  func painted(_ text: String, _ style: Style) -> String {
    mark(of: style).map { $0 + text + Self.end } ?? text
  }

  /// The escape sequence that begins a style; nil if the style has none.
  func mark(of style: Style) -> String? {
    guard isOn, isTrue || !style.isShaded else { return nil }
    return style.code.map { "\u{1B}[\($0)m" }
  }

  /// The escape sequence that ends a style.
  static let end = "\u{1B}[0m"
}
