/// The properties of a declaration that its first line shows.
struct Declaration: Equatable {
  var kind: Kind
  /// The name without a module in front: `Inner`, or `Outer.Inner` in an extension.
  var name: String
  /// Whether code in other files can use the name.
  var isShared = true

  enum Kind: Equatable {
    case type, extending, alias, function, computed, stored
  }

  /// Parses a line of code that is indented by the given number of spaces.
  init?(_ code: [UInt8], indent: Int) {
    var words = WordReader(code, from: indent)
    var isShared = true
    while true {
      words.skipAttributes()
      guard let word = words.next() else { return nil }
      if let kind = Self.kinds[word], word != "class" || words.isBeforeCapital {
        self.init(kind: kind, name: "", isShared: isShared)
        break
      }
      guard Self.modifiers.contains(word) else { return nil }
      if word == "private" || word == "fileprivate" { isShared = false }
      words.skipParentheses()
    }
    name = words.name()
    switch kind {
    case .type, .extending, .alias:
      guard name.utf8.first.map(Word.isCapital) == true else { return nil }
    case .stored where Self.isComputed(words.rest): kind = .computed
    case .function, .computed, .stored: break
    }
  }

  init(kind: Kind, name: String, isShared: Bool = true) {
    self.kind = kind
    self.name = name
    self.isShared = isShared
  }

  private static func isComputed(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let brace = rest.firstIndex(of: UInt8(ascii: "{")) else { return false }
    return !rest[..<brace].contains(UInt8(ascii: "="))
  }

  private static let kinds: [String: Kind] = [
    "struct": .type, "class": .type, "enum": .type, "actor": .type, "protocol": .type,
    "extension": .extending, "typealias": .alias, "func": .function, "var": .stored,
    "let": .stored,
  ]

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "open", "final", "indirect",
    "nonisolated", "isolated", "distributed", "static", "class", "mutating", "nonmutating",
    "consuming", "borrowing", "override", "required", "convenience", "lazy", "weak", "unowned",
  ]
}

/// A cursor over the words of a declaration.
private struct WordReader {
  private let code: [UInt8]
  private var place: Int

  init(_ code: [UInt8], from place: Int) {
    self.code = code
    self.place = place
  }

  var rest: ArraySlice<UInt8> { code[place...] }
  private var byte: UInt8? { place < code.count ? code[place] : nil }
  var isBeforeCapital: Bool { byte.map(Word.isCapital) == true }

  private mutating func skipSpaces() {
    while byte == UInt8(ascii: " ") { place += 1 }
  }

  mutating func skipParentheses() {
    guard byte == UInt8(ascii: "(") else { return }
    place = code[place...].firstIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? code.count
    skipSpaces()
  }

  mutating func skipAttributes() {
    while byte == UInt8(ascii: "@") {
      place += 1
      while let byte, Word.contains(byte) || byte == UInt8(ascii: ".") { place += 1 }
      if byte == UInt8(ascii: "(") { skipParentheses() } else { skipSpaces() }
    }
  }

  /// Returns the word that begins here, and skips the spaces after it.
  mutating func next() -> String? {
    let begin = place
    while let byte, Word.contains(byte) { place += 1 }
    guard place > begin else { return nil }
    defer { skipSpaces() }
    return String(decoding: code[begin..<place], as: UTF8.self)
  }

  /// Returns the name that begins here: `name`, `Outer.Inner`, or `Module::Name` without its module.
  mutating func name() -> String {
    if byte == UInt8(ascii: "`") { place += 1 }
    var begin = place
    while let byte {
      if byte == UInt8(ascii: ":"), place + 1 < code.count, code[place + 1] == byte {
        place += 2
        begin = place
      } else if Word.contains(byte) || byte == UInt8(ascii: ".") {
        place += 1
      } else {
        break
      }
    }
    return String(decoding: code[begin..<place], as: UTF8.self)
  }
}
