import Bytes
import Crypto
import Foundation
import Sealing
import Testing

/// The named values of a `vector` block of `docs/store-vectors.md`.
struct StoreVector: Sendable, CustomTestStringConvertible {
  let name: String
  private(set) var pairs: [(key: String, value: String)] = []

  var testDescription: String { name }

  init(name: String, lines: some Sequence<Substring>) throws {
    self.name = name
    for line in lines {
      if line.hasPrefix(" ") {
        try #require(!pairs.isEmpty, "\(name) begins with an indented line")
        pairs[pairs.count - 1].value += line.trimmingCharacters(in: .whitespaces)
        continue
      }
      let parts = try #require(line.firstRange(of: "= "), "\(name) has a line without a value")
      let key = line[..<parts.lowerBound].trimmingCharacters(in: .whitespaces)
      pairs.append((key, String(line[parts.upperBound...])))
    }
  }

  /// The vectors whose names begin with the given words.
  ///
  /// - Parameter words: The beginning of the names.
  /// - Returns: The vectors, in the order of the document.
  /// - Throws: An error if the document cannot be read or has no such vectors.
  static func all(_ words: String) throws -> [StoreVector] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appending(path: "docs/store-vectors.md"), encoding: .utf8)
    var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var vectors: [StoreVector] = []
    while let start = rest.firstIndex(where: { $0.hasPrefix("```vector ") }) {
      let body = rest[(start + 1)...].prefix { $0 != "```" }
      let name = String(rest[start].dropFirst("```vector ".count))
      rest = rest[body.endIndex...]
      if name.hasPrefix(words) { vectors.append(try StoreVector(name: name, lines: body)) }
    }
    try #require(!vectors.isEmpty, "docs/store-vectors.md has no \(words)")
    return vectors
  }

  func text(_ key: String) throws -> String {
    try #require(pairs.first { $0.key == key }?.value, "\(name) gives no \(key)")
  }

  func bytes(_ key: String) throws -> [UInt8] {
    try #require(Hex.decode(text(key)), "\(key) of \(name) is not hexadecimal")
  }

  /// The parts of 32 bytes of a value.
  func parts(_ key: String) throws -> [[UInt8]] {
    let bytes = try bytes(key)
    return stride(from: 0, to: bytes.count, by: 32).map { Array(bytes[$0..<$0 + 32]) }
  }

  func id(_ key: String) throws -> UniqueID {
    try #require(UniqueID(hex: text(key)), "\(key) of \(name) is no id")
  }

  func number(_ key: String) throws -> UInt64 {
    try #require(UInt64(text(key)), "\(key) of \(name) is no number")
  }

  func key() throws -> StoreKey { StoreKey(try bytes("key")) }

  func store() throws -> StoreIdentity {
    StoreIdentity(book: try id("book"), store: try id("store"))
  }

  func range() throws -> ObjectRange {
    ObjectRange(
      replica: try id("replica"), events: try number("first")...number("last"),
      hash: try id("hash"))
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
