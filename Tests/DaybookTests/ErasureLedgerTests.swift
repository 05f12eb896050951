import Bytes
import Crypto
import Journaling
import Testing

@testable import Daybook

/// Which bodies are gone for good, and which are missing.
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

  @Test func `bodies taken by an erase that is cut are missing, and nothing is erased by it`() {
    let ledger = ledger()
    let (whole, cut): ([UniqueID: UInt64], [UniqueID: UInt64]) = (
      [Self.eraser: 7, Self.author: 9], [Self.eraser: 6, Self.author: 9]
    )
    #expect(ledger.bodiless(in: Self.author, by: whole) == [])
    #expect(ledger.bodiless(in: Self.author, by: cut) == [2...3, 5...5])
    #expect(ledger.erasures(by: cut).isEmpty)
    // What was stripped may have been the add of something else that was erased.
    let erased = ledger.erasures(by: whole).entities
    #expect(erased.keys.sorted().map(\.sequence) == [2, 3, 5])
    #expect(Set(erased.values) == [Self.erase])
  }

  @Test func `an erase is known by its hash, whatever its log is called there`() {
    var ledger = ledger()
    var elsewhere = Self.erase
    elsewhere.log = UniqueID(high: 9, low: 9)
    ledger.note(
      StrippedBody(digest: SHA256.digest(of: [2]), erase: elsewhere), at: 8, of: Self.author)
    #expect(ledger.bodiless(in: Self.author, by: [Self.eraser: 7]) == [])
  }

  @Test func `it reads as it was written`() throws {
    var ledger = Ledger()
    ledger.erasing = self.ledger()
    ledger.erasing.hidden.insert(EventName(log: Self.author, sequence: 2), by: Self.erase)
    let read = try Ledger(decoding: ledger.encode()).erasing
    #expect(read.erases == ledger.erasing.erases)
    #expect(read.stripped == ledger.erasing.stripped)
    #expect(read.hidden == ledger.erasing.hidden)
  }
}
