/// The declarations of a Swift file and the names that it uses.
struct FileOutline {
  let path: String
  /// The parts of types in the file, by the names of the types.
  private(set) var parts: [String: Part] = [:]
  /// The simple names of the declared types and aliases, including nested types and aliases.
  private(set) var declaredTypes: Set<String> = []
  /// The capitalised names in its code.
  private(set) var capitals: Set<String> = []

  /// The part of one type in one file: its declaration and extensions that are not nested.
  struct Part {
    /// The lines from the head of the declaration or extension to its closing brace.
    var lines = 0
    /// The functions and computed properties that other files can use.
    var members: Set<String> = []
    /// The names that can be calls of members, see `FileOutline.isUse(_:)`.
    var uses: Set<String> = []
  }

  /// The folder, such as `Sources/Daybook` for `Sources/Daybook/Book.swift`.
  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  /// The module, such as `Daybook` for `Sources/Daybook/Library/Failure.swift`.
  var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  init(_ source: LayeringTests.Source) {
    path = source.path
    var reader = CodeReader()
    var openType: String?
    for line in source.lines {
      let code = reader.code(of: line)
      let indent = code.firstIndex { $0 != UInt8(ascii: " ") }
      let declaration = indent.flatMap { Declaration(code, indent: $0) }
      if let declaration {
        if declaration.kind == .type || declaration.kind == .alias {
          declaredTypes.insert(declaration.name)
        }
        if indent == 0, declaration.kind == .type || declaration.kind == .extending {
          openType = declaration.name
        }
      }
      add(code, declaring: indent == 2 ? declaration : nil, to: openType)
      if code.first == UInt8(ascii: "}") || (indent == 0 && code.last == UInt8(ascii: "}")) {
        openType = nil
      }
    }
  }

  private mutating func add(_ code: [UInt8], declaring member: Declaration?, to openType: String?) {
    let words = Word.words(of: code)
    for word in words where word.text.utf8.first.map(Word.isCapital) == true {
      capitals.insert(word.text)
    }
    guard let openType else { return }
    var part = parts.removeValue(forKey: openType) ?? Part()
    part.lines += 1
    for word in words where Self.isUse(word) { part.uses.insert(word.text) }
    if let member, member.isShared, member.kind == .function || member.kind == .computed {
      part.members.insert(member.name)
    }
    parts[openType] = part
  }

  /// Whether a name can be a call of a member of the type around it.
  ///
  /// Without a preceding dot, it can be a call if a space or one of `(.{?!,)]` follows; a colon
  /// would make it a label. After a dot, it can be a call if the receiver is `self`, `book` or
  /// `journal`, because extensions pass a book or a journal to each other by these names.
  static func isUse(_ word: Word) -> Bool {
    word.receiver.map(receivers.contains) ?? followers.contains(word.next)
  }

  private static let receivers: Set<String> = ["self", "book", "journal"]
  private static let followers = Array(" (.{?!,)]".utf8)
}
