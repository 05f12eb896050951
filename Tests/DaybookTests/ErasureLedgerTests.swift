import Bytes
import Crypto
import Journaling
import Testing

@testable import Daybook

/// The bodies that are erased, and the bodies that are missing.
struct ErasureLedgerTests {
  private static let eraser = UniqueID(high: 1, low: 1)
  private static let author = UniqueID(high: 2, low: 2)
  private static let erase = Landmark(
    log: eraser, sequence: 7, hash: UniqueID(high: 3, low: 3))

  private func ledger() -> ErasureLedger {
    var ledger = ErasureLedger()
    ledger.note(
      ErasureLedger.Erase(
        place: Self.erase, entity: EventName(log: Self.author, sequence: 2)))
    let body = StrippedBody(digest: SHA256.digest(of: [1]), erase: Self.erase)
    for sequence: UInt64 in [2, 3, 5] { ledger.note(body, at: sequence, of: Self.author) }
    return ledger
  }

  @Test func `Erasure ledger: bodies stripped by a revoked erase are missing`() throws {
    let ledger = ledger()
    let (whole, cut): ([UniqueID: UInt64], [UniqueID: UInt64]) = (
      [Self.eraser: 7, Self.author: 9], [Self.eraser: 6, Self.author: 9]
    )
    #expect(ledger.bodiless(in: Self.author, by: whole) == [])
    #expect(ledger.bodiless(in: Self.author, by: cut) == [2...3, 5...5])
    #expect(try ledger.erasures(by: cut, in: tree()).isEmpty)
    // A stripped event may have been the add of another erased entity.
    let erased = try ledger.erasures(by: whole, in: tree()).entities
    #expect(erased.keys.sorted().map(\.sequence) == [2, 3, 5])
    #expect(Set(erased.values) == [Self.erase])
  }

  @Test func `Erasure ledger: a remembered erase counts while its author's log is lost`() throws {
    var ledger = ledger()
    #expect(try ledger.erasures(by: [Self.author: 9], in: tree()).isEmpty)
    ledger.lostAuthors = [Self.eraser: 6]
    #expect(try ledger.erasures(by: [Self.author: 9], in: tree()).isEmpty)
    ledger.lostAuthors = [Self.eraser: .max]
    let erased = try ledger.erasures(by: [Self.author: 9], in: tree()).entities
    #expect(erased.keys.sorted().map(\.sequence) == [2, 3, 5])
    #expect(ledger.bodiless(in: Self.author, by: [Self.author: 9]) == [])
    #expect(!ledger.isNothing(by: [Self.author: 9]))
  }

  @Test func `Erasure ledger: a stored hash of zeros is not taken for a missing one`() throws {
    var ledger = ErasureLedger()
    for (sequence, add) in [(2, UniqueID.none), (3, nil), (4, Self.author)] as [(UInt64, UniqueID?)]
    {
      let entity = EventName(log: Self.author, sequence: sequence)
      ledger.note(ErasureLedger.Erase(place: Self.erase, entity: entity, add: add))
      ledger.hidden.insert(entity, by: Self.erase, supposing: add)
    }
    var writer = CBORWriter()
    ledger.encode(to: &writer)
    let bytes = writer.bytes
    var reader = CBORReader(bytes.span)
    let stored = try ErasureLedger(decoding: &reader)
    #expect(stored.erases == ledger.erases)
    #expect(stored.hidden == ledger.hidden)
  }

  @Test
  func `Erasure ledger: an uncounted erase causes losses only of bodies that other devices hold`() {
    let ledger = ledger()
    let whole: [UniqueID: UInt64] = [Self.eraser: 7, Self.author: 9]
    func lost(by admitted: [UniqueID: UInt64]) -> [ClosedRange<UInt64>] {
      ledger.lostBodies(in: Self.author, by: admitted, showing: whole)
    }
    #expect(lost(by: whole) == [])
    #expect(lost(by: [:]) == [])
    // The other devices have the bodies of the events up to 3.
    #expect(lost(by: [Self.author: 3]) == [2...3])
    #expect(
      ledger.lostBodies(in: Self.author, by: [:], showing: [Self.author: 9]) == [2...3, 5...5])
  }

  @Test func `Erasure ledger: an erase is recognised by its hash, whatever its log is called`() {
    var ledger = ledger()
    var elsewhere = Self.erase
    elsewhere.log = UniqueID(high: 9, low: 9)
    ledger.note(
      StrippedBody(digest: SHA256.digest(of: [2]), erase: elsewhere), at: 8, of: Self.author)
    #expect(ledger.bodiless(in: Self.author, by: [Self.eraser: 7]) == [])
  }

  @Test func `Erasure ledger: an erase finds its add by hash, on any branch`() throws {
    let (meant, other) = (UniqueID(high: 5, low: 5), UniqueID(high: 6, low: 6))
    let entity = EventName(log: Self.author, sequence: 2)
    var ledger = ErasureLedger()
    ledger.note(ErasureLedger.Erase(place: Self.erase, entity: entity, add: meant))
    func erasures(_ tree: LogTree) throws -> Erasures {
      try ledger.erasures(by: [Self.eraser: 7, Self.author: 9], in: tree)
    }
    var held = Erasures()
    held.insert(entity, by: Self.erase)
    #expect(try erasures(tree(holding: [Self.author: meant])) == held)
    #expect(try erasures(tree(holding: [Self.author: other])) == Erasures())
    var onBranch = Erasures()
    onBranch.insert(EventName(log: Self.branch, sequence: 2), by: Self.erase)
    #expect(
      try erasures(tree(holding: [Self.author: other, Self.branch: meant])) == onBranch)
    // An add that is not held yet is checked when it arrives.
    var supposed = Erasures()
    supposed.insert(entity, by: Self.erase, supposing: meant)
    #expect(try erasures(tree()) == supposed)
    #expect(try erasures(tree(holding: [Self.branch: other])) == supposed)
  }

  private static let branch = UniqueID(high: 8, low: 8)

  /// A tree of the author's log, and of its branch if that has a hash, by the hashes of their second events.
  private func tree(holding hashes: [UniqueID: UniqueID] = [:]) -> LogTree {
    var logs: [UniqueID: (lineage: Lineage, end: UInt64)] = [
      Self.author: (Lineage(replica: Self.author), 9)
    ]
    if hashes[Self.branch] != nil {
      let fork = Fork(trunk: Self.author, lastShared: 1)
      logs[Self.branch] = (Lineage(replica: Self.author, fork: fork), 9)
    }
    return LogTree(logs) { log, sequence throws(DaybookError) in
      sequence == 2 ? hashes[log] : nil
    }
  }

  @Test func `Erasure ledger: decoding returns what was encoded`() throws {
    var ledger = Ledger()
    ledger.erasing = self.ledger()
    ledger.erasing.lostAuthors = [Self.eraser: .max]
    let unknown = EventName(log: Self.author, sequence: 3)
    ledger.erasing.note(
      ErasureLedger.Erase(place: Self.erase, entity: unknown, add: Self.branch))
    ledger.erasing.hidden.insert(EventName(log: Self.author, sequence: 2), by: Self.erase)
    ledger.erasing.hidden.insert(unknown, by: Self.erase, supposing: Self.branch)
    let read = try Ledger(decoding: ledger.encode()).erasing
    #expect(read.erases == ledger.erasing.erases)
    #expect(read.stripped == ledger.erasing.stripped)
    #expect(read.lostAuthors == ledger.erasing.lostAuthors)
    #expect(read.hidden == ledger.erasing.hidden)
  }
}
