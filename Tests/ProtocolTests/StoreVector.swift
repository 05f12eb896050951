import Bytes
import Sealing
import Testing

/// What the vectors of `docs/store-vectors.md` give.
extension TestVector {
  /// The vectors of the document whose names begin with the given words.
  ///
  /// - Parameter words: The beginning of the names.
  /// - Returns: The vectors, in the order of the document.
  /// - Throws: An error if the document cannot be read or has no such vectors.
  static func ofStore(_ words: String) throws -> [TestVector] {
    let vectors = try ProtocolText.vectors(of: "docs/store-vectors.md")
      .filter { $0.name.hasPrefix(words) }
    try #require(!vectors.isEmpty, "docs/store-vectors.md has no \(words)")
    return vectors
  }

  /// The parts of 32 bytes of a value.
  func parts(_ key: String) throws -> [[UInt8]] {
    let bytes = try bytes(key)
    return stride(from: 0, to: bytes.count, by: 32).map { Array(bytes[$0..<$0 + 32]) }
  }

  func key() throws -> StoreKey { StoreKey(try bytes("key")) }

  func store() throws -> StoreIdentity {
    StoreIdentity(book: try id("book"), store: try id("store"))
  }

  func range() throws -> ObjectRange {
    let (first, last) = try (number("first"), number("last"))
    return ObjectRange(
      replica: try id("replica"), events: UInt64(first)...UInt64(last), hash: try id("hash"))
  }

  /// Checks that a body throws the error of the vector.
  ///
  /// - Parameter body: Reads what the vector gives.
  /// - Throws: An error if the vector gives no error.
  func expectError(_ body: () throws -> Void) throws {
    let expected = try text("error")
    do {
      try body()
      Issue.record("\(name) is read")
    } catch {
      #expect(Self.spelling(of: error) == expected, "\(name)")
    }
  }

  /// An error as the document spells it: without modules, types, keys and ids.
  private static func spelling(of error: any Error) -> String {
    let text = ["Bytes.CBORError.", "Bytes.CBORKind.", "Crypto.CryptoError."]
      .reduce("\(error)") { $0.replacing($1, with: "") }
    return ["(Bytes.UniqueID(", "(Crypto.PublicKey("].reduce(text) { text, start in
      text.firstRange(of: start).map { String(text[..<$0.lowerBound]) } ?? text
    }
  }
}
