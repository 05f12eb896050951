/// The lines of a text one after the other, however many: an array of all of them could be far larger than the text.
struct TextLines: Sequence, IteratorProtocol {
  private var rest: Substring?

  init(_ text: String) { rest = text[...] }

  /// The next line, without what ends it; nothing stands in the one behind the last end.
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

/// The lines of bytes one after the other, which end with a line feed.
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
