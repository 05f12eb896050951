/// Iterates over lines of text; an array of all lines could use far more memory than the text itself.
struct TextLines: Sequence, IteratorProtocol {
  private var rest: Substring?

  init(_ text: String) { rest = text[...] }

  /// Returns the next line without its line break; after a final line break, there is one empty line.
  mutating func next() -> Substring? {
    guard let rest else { return nil }
    guard let end = rest.firstIndex(where: \.isNewline) else {
      self.rest = nil
      return rest
    }
    self.rest = rest[rest.index(after: end)...]
    return rest[..<end]
  }
}

/// Iterates over lines of bytes that end with a line feed.
struct ByteLines: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>?

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> ArraySlice<UInt8>? {
    guard let rest else { return nil }
    guard let end = rest.firstIndex(of: 0x0a) else {
      self.rest = nil
      return rest
    }
    self.rest = rest[(end + 1)...]
    return rest[..<end]
  }
}
