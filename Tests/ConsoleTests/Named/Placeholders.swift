@testable import Console

/// Compares the placeholders of a command with those of its usage.
enum Placeholders {
  /// Returns the first placeholder at a position where the usage has a different placeholder; nil if there is none.
  static func fault(of invocation: Invocation) -> String? {
    guard let command = invocation.command else { return nil }
    let operands = invocation.arguments.operands
    for (word, name) in zip(operands, names(of: command, count: operands.count)) {
      if !fits(word, name) { return "\(word) stands where \(command.path) takes \(name)" }
    }
    let isSelecting = command.takesFields ? false : nil
    for (option, word) in invocation.arguments.options + invocation.arguments.filters {
      let form =
        command.form(ofOption: option, isSelecting: isSelecting) ?? command.form(ofOption: option)
      let name = form?.value ?? ""
      if !fits(word, name) { return "\(word) stands where --\(option) takes \(name)" }
    }
    return nil
  }

  /// Returns the names of the operands in the usage; if there are fewer words, the first optional operands are omitted.
  private static func names(of command: CommandSpec, count: Int) -> [String] {
    var names: [(name: String, isOptional: Bool)] = command.forms.compactMap { form in
      switch form {
      case .operand(let name), .operands(let name), .title(let name): (name, false)
      case .optionalOperand(let name): (name, true)
      case .records: ("ID", false)
      case .option, .fields: nil
      }
    }
    while names.count > count, let optional = names.firstIndex(where: \.isOptional) {
      names.remove(at: optional)
    }
    let last = names.last.map(\.name) ?? ""
    return names.map(\.name) + Array(repeating: last, count: max(0, count - names.count))
  }

  /// Whether a word is not a placeholder, or is a placeholder for a value with this name.
  private static func fits(_ word: String, _ name: String) -> Bool {
    let isPlaceholder = word.count > 1 && word.allSatisfy { $0.isUppercase && $0.isASCII }
    guard isPlaceholder else { return true }
    let names = name.split { !$0.isLetter }.map(String.init)
    return !Set(others[word, default: []] + [word]).isDisjoint(with: names)
  }

  /// Names in the usage that a placeholder with a different name may stand for.
  private static let others = [
    "PEER": ["DIR", "FILE", "NAME"], "FILE": ["PEER"], "TEXT": ["TITLE", "VALUE"],
    "TIME": ["VALUE", "WHEN"],
    "DATE": ["VALUE", "WHEN"], "NAME": ["DEVICE"], "DEVICE": ["NAME"], "NEW": ["NEWNAME"],
  ]
}
