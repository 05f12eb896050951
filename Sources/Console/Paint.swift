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
    guard isOn, let code = style.code else { return text }
    if !isTrue, style.isShaded { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
