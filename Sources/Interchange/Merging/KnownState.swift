internal import Domain

/// The state of a record in one book, as another book read it.
///
/// Two books that exchange files use these states to find the states that both have read, and to determine which book
/// has changed a field since then.
package struct KnownState: Hashable, Sendable {
  /// The tag of the book, or ``file``.
  package var book: String
  /// The time of the last write to the record according to that book.
  ///
  /// The position never decreases within one book.
  package var position: Int64
  package var digests: FieldDigests
  /// The position of the record in this book before this book read the state.
  var learned: Int64 = 0
  /// The position in this book that the other book had read when it wrote the state.
  var seen: Int64 = 0

  /// The tag used if daybook did not write the file.
  static let file = "-"

  package init(_ book: String, at position: Int64, _ digests: FieldDigests) {
    (self.book, self.position, self.digests) = (book, position, digests)
  }

  /// Returns whether a word can be the tag of a book.
  static func isTag(_ word: some StringProtocol) -> Bool {
    word.utf8.count == 8 && word.allSatisfy { $0.isHexDigit && $0.isASCII }
  }

  /// Formats a position.
  static func text(_ position: Int64) -> String { String(position, radix: 36) }

  /// Parses a position; nil for anything else.
  static func position(_ text: some StringProtocol) -> Int64? {
    // The initializer accepts signs, which no position has.
    guard text.allSatisfy({ $0.isLetter || $0.isNumber }) else { return nil }
    return Int64(text, radix: 36)
  }
}

/// The book that wrote a record in a file, the time, and the states that the book had read from other books.
package struct RecordOrigin: Hashable, Sendable {
  package var book: String
  package var position: Int64
  /// States in other books from which this version descends.
  package var others: [KnownState]

  package init(_ book: String, at position: Int64, others: [KnownState] = []) {
    (self.book, self.position, self.others) = (book, position, others)
  }

  /// Returns one word without spaces and colons, such as `@1a2b3c4d.mi9x2k3f~5e6f7a8b.mi9x1a2b.5-0f1e2d.7-`.
  ///
  /// Each other book is followed by the fields in which its state differs from the written record.
  func text(beside base: FieldDigests) -> String {
    let others = others.map { state in
      "~\(state.book).\(KnownState.text(state.position))"
        + state.digests.differences(from: base).map { "." + $0 }.joined()
    }
    return "@\(book).\(KnownState.text(position))" + others.joined()
  }

  /// Parses the format that ``text(beside:)`` produces; nil for anything else.
  init?(_ text: some StringProtocol, beside base: FieldDigests) {
    let parts = String(text).split(separator: "~", omittingEmptySubsequences: false)
    guard let first = parts.first, first.first == "@", parts.count <= Self.mostOthers + 1 else {
      return nil
    }
    let words = first.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    guard words.count == 2, KnownState.isTag(words[0]), let position = KnownState.position(words[1])
    else { return nil }
    self.init(String(words[0]), at: position)
    for part in parts.dropFirst() {
      let words = part.split(separator: ".", omittingEmptySubsequences: false)
      guard words.count >= 2, KnownState.isTag(words[0]) || words[0] == KnownState.file,
        let position = KnownState.position(words[1]),
        let digests = base.applying(words.dropFirst(2).map(String.init))
      else { return nil }
      others.append(KnownState(String(words[0]), at: position, digests))
    }
  }

  /// The maximum number of other books in a word.
  static let mostOthers = 4
}

/// The states in which books have written a record, kept with the record.
package struct KnownStates: Hashable, Sendable {
  /// The book that wrote the file that was last read; nil if daybook did not write it.
  package var writer: String?
  /// One state for each book, starting with the state read last.
  package private(set) var states: [KnownState] = []

  package init() {}

  subscript(book: String) -> KnownState? { states.first { $0.book == book } }

  /// Stores a state as the latest state of its book.
  mutating func note(_ state: KnownState) {
    states.removeAll { $0.book == state.book }
    states.insert(state, at: 0)
    if states.count > RecordOrigin.mostOthers { states.removeLast() }
  }

  mutating func forget(_ book: String) { states.removeAll { $0.book == book } }

  package var isEmpty: Bool { writer == nil && states.isEmpty }

  /// The states as text, such as `@1a2b3c4d~1a2b3c4d.mi9x2k3f.mi9x0000.mi9w0000:5-0123456789.7-9876543210`.
  package var text: String {
    (writer.map { "@" + $0 } ?? "")
      + states.map { state in
        let numbers = [state.position, state.learned, state.seen].map(KnownState.text)
        return "~\(state.book).\(numbers.joined(separator: ".")):\(state.digests.text)"
      }.joined()
  }

  /// Parses the format that ``text`` produces; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "~", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= RecordOrigin.mostOthers + 1 else { return nil }
    if !first.isEmpty {
      let tag = String(first.dropFirst(1))
      guard first.first == "@", KnownState.isTag(tag) else { return nil }
      writer = tag
    }
    for part in parts.dropFirst() {
      let halves = part.split(separator: ":", omittingEmptySubsequences: false)
      let words = halves[0].split(separator: ".", omittingEmptySubsequences: false)
      guard halves.count == 2, words.count == 4,
        KnownState.isTag(words[0]) || words[0] == KnownState.file,
        let position = KnownState.position(words[1]), let learned = KnownState.position(words[2]),
        let seen = KnownState.position(words[3]), let digests = FieldDigests(known: halves[1])
      else { return nil }
      var state = KnownState(String(words[0]), at: position, digests)
      (state.learned, state.seen) = (learned, seen)
      states.append(state)
    }
  }
}
