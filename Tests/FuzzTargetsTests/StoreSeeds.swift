import Bytes
import Foundation

@testable import FuzzTargets
@testable import Sealing

/// The vectors of `docs/store-vectors.md`, and what a device with the key encrypts.
enum StoreSeeds {
  /// Names, most of which are not valid, and contents of names.
  static func names() throws -> [[UInt8]] {
    try values("name").prefix(30).map { Array($0.utf8) }
      + [content(first: 1, last: 2), content(first: 3, last: 2)]
  }

  /// Objects, and padded content.
  static func objects() throws -> [[UInt8]] {
    try values("object").compactMap(Hex.decode)
      + [
        [0, 0, 0, 9] + Array("one frame".utf8), [0, 0, 1, 0] + [UInt8](repeating: 1, count: 256),
      ]
  }

  /// Packages, and a statement.
  static func packages() throws -> [[UInt8]] {
    let statement = StoreKeys.sample.flatMap { try? $0.open(with: StoreObjects.key).bytes }
    return try values("package").compactMap(Hex.decode) + [statement].compactMap(\.self)
  }

  static func rings() throws -> [[UInt8]] { try values("ring").compactMap(Hex.decode) }

  /// Knocks and answers, and padded content.
  static func knocks() throws -> [[UInt8]] {
    try (values("knock") + values("answer")).compactMap(Hex.decode)
      + [[0, 0, 0, 9] + Array("no device".utf8), [0, 0, 1, 0]]
  }

  /// Texts of invitations, and their contents.
  static func invitations() throws -> [[UInt8]] {
    let texts = try values("invitation")
    let contents = texts.compactMap { text in
      Base32.decode(Array(text.dropFirst("daybookstore1:".count).utf8).compactMap(Base32.value))
    }
    return texts.map { Array($0.utf8) } + contents.map { Array($0.dropLast(4)) }
  }

  /// The content of a name: a replica, a range, the beginnings of a hash and of a digest.
  private static func content(first: UInt64, last: UInt64) -> [UInt8] {
    let ids = [UniqueID(high: 1, low: 2), UniqueID(high: first, low: last)]
    return (ids + [UniqueID(high: 3, low: 4), UniqueID(high: 5, low: 6)]).flatMap(\.bytes)
  }

  /// The different values with a given name.
  private static func values(_ wanted: String) throws -> [String] {
    let text = try String(
      contentsOf: CorpusTests.folder.appending(path: "../../../docs/store-vectors.md"),
      encoding: .utf8)
    var seen: Set<String> = []
    return text.replacing(/\n +/, with: "").split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard parts.count == 2, parts[0] == wanted, seen.insert(parts[1]).inserted else { return nil }
      return parts[1]
    }
  }
}
