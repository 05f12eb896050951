import Bytes
import Daybook
import Journaling
import Platform
import Testing
import Verifying

/// Membership follows from the book's id, so a wrong id is damage even if every log is whole.
struct FounderTests {
  @Test func `Verification: a book id without a founder's log is a fault`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 9_201)
    #expect(try books[0].verifier.verify().faults == [])
    let place = try office.place("one")
    let path = Office.folder / "book.json"
    var file = try BookFile(parsing: try place.machine.disk.contents(of: path, limit: 1 << 16))
    file.book = UniqueID(high: file.book.high ^ 1, low: file.book.low)
    try place.machine.disk.replace(path, with: file.bytes)
    let book = try place.open()
    #expect(try TrustingTests.names(book) == ["one"])
    #expect(
      try book.verifier.verify().faults == [Fault(file: "book.json", offset: 0, kind: .noFounder)])
  }
}
