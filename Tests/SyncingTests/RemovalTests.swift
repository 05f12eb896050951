import Bytes
import Crypto
import Syncing
import TestDice
import Testing

/// The conditions for removing a file of a directory peer in favour of another.
struct RemovalTests {
  static func hash(_ sequence: UInt64, _ chain: UInt8 = 0) -> Digest {
    SHA256.digest(of: [chain, UInt8(sequence)])
  }

  static func file(
    _ events: ClosedRange<UInt64>, _ verdict: Verdict = .clean, chain: UInt8 = 0, copy: UInt8 = 0
  ) -> VerifiedFile {
    let name = DirectoryName(events: events, digest: .id(copy))
    let hashes = (events.lowerBound - 1...events.upperBound).map { ($0, hash($0, chain)) }
    return VerifiedFile(name, verdict: verdict, hashes: Dictionary(uniqueKeysWithValues: hashes))
  }

  @Test func `Removal: a file is replaced by a larger file that holds its range`() {
    #expect(mayReplace(Self.file(3...4), by: Self.file(1...9)))
    #expect(mayReplace(Self.file(1...4), by: Self.file(1...5)))
    #expect(mayReplace(Self.file(4...9), by: Self.file(1...9)))
    #expect(!mayReplace(Self.file(1...9), by: Self.file(3...4)))
  }

  @Test func `Removal: a file that holds only part of a range does not replace it`() {
    #expect(!mayReplace(Self.file(3...4), by: Self.file(4...9)))
    #expect(!mayReplace(Self.file(3...5), by: Self.file(1...4)))
  }

  @Test func `Removal: a file of a different branch replaces no other file`() {
    #expect(!mayReplace(Self.file(3...4), by: Self.file(1...9, chain: 1)))
    // A file that forks within the range, after its beginning.
    var forked = Self.file(1...9)
    var hashes = forked.hashes
    hashes[4] = Self.hash(4, 1)
    forked = VerifiedFile(forked.name, verdict: .clean, hashes: hashes)
    #expect(!mayReplace(Self.file(3...4), by: forked))
    hashes[4] = nil
    #expect(
      !mayReplace(
        Self.file(3...4), by: VerifiedFile(forked.name, verdict: .clean, hashes: hashes)))
  }

  @Test func `Removal: if two files have the same events, the file with the greater name stays`() {
    let (one, other) = (Self.file(1...3, copy: 1), Self.file(1...3, copy: 2))
    #expect(mayReplace(one, by: other))
    #expect(!mayReplace(other, by: one))
    #expect(!mayReplace(one, by: one))
  }

  @Test func `Removal: a file with an erased body is replaced by a clean file`() {
    let (clean, dirty) = (Self.file(1...3, copy: 1), Self.file(1...3, .hasBodyToStrip, copy: 2))
    #expect(mayReplace(dirty, by: clean))
    #expect(!mayReplace(clean, by: dirty))
    #expect(!mayReplace(Self.file(2...3), by: dirty))
    #expect(!mayReplace(dirty, by: Self.file(1...9, .hasBodyToStrip)))
  }

  @Test
  func `Removal: a file with an unexplained missing body is kept and replaces no file`() {
    #expect(!mayReplace(Self.file(3...4, .hasUnexplained), by: Self.file(1...9)))
    #expect(!mayReplace(Self.file(3...4), by: Self.file(1...9, .hasUnexplained)))
    #expect(!mayReplace(Self.file(3...4, .hasBodyToStrip), by: Self.file(1...9, .hasUnexplained)))
  }

  @Test(arguments: 0..<200)
  func `Removal: concurrent removals keep every event in some file`(seed: UInt64) throws {
    var dice = TestDice.Dice(seed: seed)
    let files = (0..<6).map { number in
      let first = UInt64(1 + dice.number(3))
      let verdict: Verdict = dice.chance(30) ? .hasBodyToStrip : .clean
      return Self.file(first...first + UInt64(dice.number(4)), verdict, copy: UInt8(number))
    }
    // Each device acts according to what it saw, regardless of what others have removed in the meantime.
    let removed = Set(
      files.filter { old in files.contains { mayReplace(old, by: $0) } }.map(\.name))
    let events = Set(files.flatMap { Array($0.name.events) })
    let left = files.filter { !removed.contains($0.name) }
    #expect(Set(left.flatMap { Array($0.name.events) }) == events)
  }
}
