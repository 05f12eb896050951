import Bytes
import Crypto
@testable import Daybook
import Foundation
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing

/// Reads the small books of `docs/vectors.md`, whose files were not written by the program.
@Suite struct FoldVectorTests {
  struct Small: CustomTestStringConvertible {
    var name: String
    var values: [String: String] = [:]

    var testDescription: String { name }

    func bytes(_ key: String) throws -> [UInt8] {
      try #require(values[key].flatMap { Hex.decode($0) }, "\(name) gives no \(key)")
    }
  }

  static func books() throws -> [Small] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/vectors.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    return text.components(separatedBy: "```vector fold: ").dropFirst().map { block in
      let lines = block.components(separatedBy: "```")[0].replacing(/\n +/, with: "")
        .split(separator: "\n")
      var book = Small(name: String(lines[0]))
      for line in lines.dropFirst() {
        let parts = line.split(separator: "=", maxSplits: 1)
          .map { $0.trimmingCharacters(in: .whitespaces) }
        book.values[parts[0]] = parts[1]
      }
      return book
    }
  }

  @Test func `Fold vectors: the document contains small books`() throws {
    #expect(try Self.books().count >= 7)
  }

  @Test(arguments: try books()) func `Fold vectors: a small book has the given digest`(
    small: Small
  ) throws {
    let simulated = SimulatedMachine(seed: 1)
    let folder = Path("/book")
    let desk = try Self.put(small.bytes("desk"), into: folder / "logs", of: small, simulated)
    for name in ["phone", "tablet"] where small.values[name] != nil {
      _ = try Self.put(small.bytes(name), into: folder / "logs", of: small, simulated)
    }
    if let branch = small.values["branch"] {
      let place = folder / "logs" / desk.replica.hex / branch
      try simulated.disk.makeDirectories(place)
      let copy = try small.bytes("copy")
      var chain = Chain()
      let first = try Frame.decode(copy.span, at: 0, &chain).firstSequence
      try simulated.disk.replace(place / SegmentName.tail(first).string, with: copy)
    }
    let told = #"{"format":1,"book":"\#(desk.first.hex)","device":"reader","writers":{}}"#
    try simulated.disk.replace(folder / "book.json", with: Array(told.utf8))
    let book = try Book(at: folder, on: simulated.machine, view: .memory)
    let digest = try book.statusReader.digest()
    #expect(digest.hex == small.values["digest"])
    let words = Words.pronounceable(digest).joined(separator: " ")
    #expect(words == small.values["words"])
  }

  /// Stores the file of a log in its folder.
  private static func put(
    _ file: [UInt8], into logs: Path, of small: Small, _ simulated: SimulatedMachine
  ) throws -> (replica: UniqueID, first: UniqueID) {
    var chain = Chain()
    let frame = try Frame.decode(file.span, at: 0, &chain)
    let opening = try #require(frame.opening, "\(small.name) has a log without its beginning")
    let replica = UniqueID.replica(
      publicKey: opening.publicKey, incarnation: opening.incarnation)
    try simulated.disk.makeDirectories(logs / replica.hex)
    try simulated.disk.replace(logs / replica.hex / "000000000001.gz", with: file)
    return (replica, frame.events[0].hash.prefix16)
  }
}
