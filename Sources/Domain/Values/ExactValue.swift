/// A value that is compared by its bytes, so strings that Swift regards as equal are different if their bytes differ.
struct ExactValue: Hashable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (left: ExactValue, right: ExactValue) -> Bool {
    left.value.isIdentical(to: right.value)
  }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .text(let text): hasher.combine(Array(text.utf8))
    case .texts(let texts): hasher.combine(texts.map { Array($0.utf8) })
    default: hasher.combine(value)
    }
  }
}
