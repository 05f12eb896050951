/// Colours on a terminal; they never say anything that the text does not.
struct Paint {
  private let isOn: Bool

  init(_ isOn: Bool) { self.isOn = isOn }

  func urgent(_ text: String) -> String { painted(text, "31") }
  func faint(_ text: String) -> String { painted(text, "2") }
  func heading(_ text: String) -> String { painted(text, "1") }

  private func painted(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
