import Bytes
import Foundation
import Testing

/// The tables of `protocol.md`, and the vectors of the pages in `docs`.
enum ProtocolText {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func lines(of page: String = "protocol.md") throws -> [Substring] {
    try String(contentsOf: root.appending(path: page), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The lines from a heading to the next heading.
  static func section(_ heading: String) throws -> [Substring] {
    let rest = try lines().drop { $0 != heading }.dropFirst()
    try #require(!rest.isEmpty, "protocol.md has no \(heading)")
    return Array(rest.prefix { !$0.hasPrefix("#") })
  }

  /// The cells of all table rows below a heading, without the header rows.
  static func tableRows(_ heading: String) throws -> [[String]] {
    let rows = try section(heading).filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return rows.indices.filter { index in
      let isTitle = index + 1 < rows.count && rows[index + 1].allSatisfy { $0 == "---" }
      return !isTitle && !rows[index].allSatisfy { $0 == "---" }
    }.map { rows[$0] }
  }

  static func vectors(of page: String = "docs/vectors.md") throws -> [TestVector] {
    try pages[page]?.get() ?? readVectors(of: page)
  }

  /// The vectors of each page, which most tests read.
  private static let pages: [String: Result<[TestVector], any Error>] = {
    var pages: [String: Result<[TestVector], any Error>] = [:]
    for page in ["docs/vectors.md", "docs/store-vectors.md", "docs/proof-vectors.md"] {
      pages[page] = Result { try readVectors(of: page) }
    }
    return pages
  }()

  private static func readVectors(of page: String) throws -> [TestVector] {
    let fence = "```vector "
    var vectors: [TestVector] = []
    var rest = try lines(of: page)[...]
    while let start = rest.firstIndex(where: { $0.hasPrefix(fence) }) {
      let name = String(rest[start].dropFirst(fence.count))
      let body = rest[(start + 1)...].prefix { $0 != "```" }
      vectors.append(try TestVector(name: name, lines: body))
      rest = rest[body.endIndex...]
    }
    return vectors
  }

  static func vector(_ name: String) throws -> TestVector {
    let found = try vectors().filter { $0.name == name }
    try #require(found.count == 1, "\(found.count) vectors are called \(name)")
    return found[0]
  }
}

/// The named values of a `vector` block.
struct TestVector: Sendable, CustomTestStringConvertible {
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

  func text(_ key: String) throws -> String {
    try #require(pairs.first { $0.key == key }?.value, "\(name) gives no \(key)")
  }

  func bytes(_ key: String) throws -> [UInt8] {
    try #require(Hex.decode(text(key)), "\(key) of \(name) is not hexadecimal")
  }

  func id(_ key: String) throws -> UniqueID {
    try #require(UniqueID(hex: text(key)), "\(key) of \(name) is no id")
  }

  func digest(_ key: String) throws -> Digest {
    try #require(Digest(hex: text(key)), "\(key) of \(name) is no digest")
  }

  func number(_ key: String) throws -> Int64 {
    try #require(Int64(text(key)), "\(key) of \(name) is no number")
  }
}

extension Error {
  /// The error as the document spells it.
  var spelling: String { withoutModules("\(self)") }
}

/// Removes the type names from a printed enum.
func withoutModules(_ text: String) -> String {
  [
    "Bytes.CBORError.", "Bytes.CBORKind.", "Gzip.GzipError.", "Journaling.FrameError.",
    "Proving.ProofFault.",
  ]
  .reduce(text) { $0.replacing($1, with: "") }
  .replacing(/ClosedRange\((.*?)\)/) { $0.output.1 }
}
