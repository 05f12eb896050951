package import ReadModel

extension TodoRest {
  /// The counts in words, such as `2 hidden, 41 done`; nil if nothing is omitted.
  package var words: String? {
    let counts = [(hidden, "hidden"), (done, "done"), (cancelled, "cancelled")]
    let told = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return told.isEmpty ? nil : told.joined(separator: ", ")
  }
}

extension TodoState {
  /// The check box of a to-do in text.
  package var mark: String {
    switch self {
    case .open: "[ ]"
    case .done: "[x]"
    case .cancelled: "[-]"
    }
  }
}
