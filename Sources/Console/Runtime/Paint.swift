/// Colours on a terminal; they never say anything that the text does not.
struct Paint {
  let isOn: Bool
  /// Whether the terminal shows any colour, and not eight of its own choice.
  let isTrue: Bool

  init(_ isOn: Bool, isTrue: Bool = false) { (self.isOn, self.isTrue) = (isOn, isOn && isTrue) }

  func urgent(_ text: String) -> String { painted(text, .urgent) }
  func faint(_ text: String) -> String { painted(text, .faint) }
  func heading(_ text: String) -> String { painted(text, .heading) }

  func painted(_ text: String, _ style: Style) -> String {
    mark(of: style).map { $0 + text + Self.end } ?? text
  }

  /// What a terminal is told before text of a style; nil where there is nothing to tell.
  func mark(of style: Style) -> String? {
    guard isOn, isTrue || !style.isShaded else { return nil }
    return style.code.map { "\u{1B}[\($0)m" }
  }

  /// What it is told behind such text.
  static let end = "\u{1B}[0m"
}
