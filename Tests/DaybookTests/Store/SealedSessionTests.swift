import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// What a session with a sealed store costs.
struct SealedSessionTests {
  /// The book of the first machine, on a disk that counts what is done with the store.
  private func reopened(_ office: SealedOffice) throws -> (book: Book, disk: ListingDisk) {
    let place = office.office.places[0]
    let disk = ListingDisk(place.machine.disk, counting: try office.address.location)
    let machine = Machine(
      disk: disk, timekeeper: place.machine.timekeeper, dice: place.machine.dice,
      network: place.machine.network)
    return (try Book(at: Office.folder, on: machine, view: .memory), disk)
  }

  /// The number of times that a device lists the store in one sync.
  private func listings(_ office: SealedOffice, _ change: (Book) throws -> Void) throws -> Int {
    let (book, disk) = try reopened(office)
    try change(book)
    let before = disk.count
    try office.sync(book)
    return disk.count - before
  }

  @Test func `Sealed session: an unchanged store is listed once`() throws {
    let office = try SealedOffice("one", "two", seed: 961)
    #expect(try listings(office) { _ in } == 1)
  }

  @Test func `Sealed session: a store is listed once, whatever is read and written`() throws {
    let office = try SealedOffice("one", "two", "three", seed: 962)
    for book in office.books.dropFirst() { try TrustingTests.add("news", to: book) }
    try office.sync(office.books[1])
    _ = try office.books[2].replicator.sync(with: Office.directory)
    let before = office.names("e-").count
    let count = try listings(office) { book in
      // The store lacks the events of two devices.
      _ = try book.replicator.sync(with: Office.directory)
      try TrustingTests.add("more", to: book)
      _ = try book.storeKeys.rotate()
    }
    #expect(count == 1)
    #expect(office.names("e-").count == before + 2)
    #expect(office.names("k-").count == 2)
  }

  @Test func `Sealed session: what a session has put is not read again by the next one`() throws {
    let office = try SealedOffice("one", "two", seed: 963)
    let (book, disk) = try reopened(office)
    try TrustingTests.add("more", to: book)
    try office.sync(book)
    let before = disk.reads
    try office.sync(book)
    // A block of one object, and one key package.
    #expect(disk.reads - before == 2)
  }
}
