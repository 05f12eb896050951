import Daybook
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Folder peers whose files a book remembers.
struct RememberedPeerTests {
  private static let memory = "store-"

  private func memories(of place: Office.Place) -> [Path] {
    place.simulated.disk.files.keys.filter {
      $0.parent == Office.folder && $0.name.hasPrefix(Self.memory)
    }
  }

  /// A book with some records, on a machine that has synced it with the stick.
  private func synced() throws -> (office: Office, book: Book) {
    let office = Office(seed: 77)
    let book = try office.found("desk")
    for number in 0..<20 {
      _ = try book.commands.perform(.addList(name: "list \(number)", colour: nil))
    }
    for _ in 0..<2 { _ = try book.replicator.sync(with: Office.directory) }
    return (office, book)
  }

  @Test func `Folder peer: an unchanged sync reads at most one block of it`() throws {
    let (office, book) = try synced()
    let before = office.stick.calls
    let receipt = try book.replicator.sync(with: Office.directory)
    #expect(office.stick.calls.reads - before.reads == 1)
    #expect(office.stick.calls.mutating == before.mutating)
    #expect(receipt.received.isEmpty && receipt.sent.isEmpty)
    #expect(receipt.problems == [])
  }

  @Test func `Folder peer: a device that joins by it remembers what it has read`() throws {
    let (office, _) = try synced()
    let phone = try office.join("phone")
    _ = try phone.replicator.sync(with: Office.directory)
    let before = office.stick.calls.reads
    _ = try phone.replicator.sync(with: Office.directory)
    #expect(office.stick.calls.reads - before == 1)
  }

  @Test func `Folder peer: what is remembered of it is removed with the peer`() throws {
    let (office, book) = try synced()
    let place = try office.place("desk")
    #expect(memories(of: place).count == 1)
    try book.contactBook.addPeer("stick", at: Office.directory)
    _ = try book.contactBook.forgetPeer("stick")
    #expect(memories(of: place) == [])
  }
}
