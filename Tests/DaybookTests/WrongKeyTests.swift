import Bytes
import Crypto
import Daybook
import Journaling
import Platform
import SimulatedPlatform
import Testing
import Verifying

/// A key of another log in place of a device's own.
struct WrongKeyTests {
  private func keyFile(_ desk: Desk, _ book: Book) throws -> Path {
    book.layout.keys / (try #require(try desk.machine.disk.list(book.layout.keys).first))
  }

  private func swapped() throws -> (desk: Desk, path: Path, own: [UInt8]) {
    let (desk, other) = (try Desk(seed: 71), try Desk(seed: 72))
    let (book, others) = (try desk.found(), try other.found())
    _ = try book.commands.perform(.addList(name: "before", colour: nil))
    let path = try keyFile(desk, book)
    let own = try desk.machine.disk.contents(of: path, limit: 1 << 16)
    let bytes = try other.machine.disk.contents(of: try keyFile(other, others), limit: 1 << 16)
    try desk.machine.disk.replace(path, with: bytes)
    return (desk, path, own)
  }

  @Test func `Wrong key: commands are refused until the device's own key is restored`() throws {
    let (desk, path, own) = try swapped()
    for _ in 0..<2 {
      let book = try desk.open()
      let error = #expect(throws: DaybookError.self) {
        _ = try book.commands.perform(.addList(name: "after", colour: nil))
      }
      guard case .otherKey(let told) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(told == path)
    }
    // With its own key back, the book can be written again.
    try desk.machine.disk.replace(path, with: own)
    let book = try desk.open()
    _ = try book.commands.perform(.addList(name: "after", colour: nil))
    #expect(try book.verifier.verify().faults.isEmpty)
  }

  @Test func `Wrong key: a copy without keys shows one new key, and signs with it`() throws {
    let office = Office(seed: 73)
    let original = try office.found("one")
    _ = try original.commands.perform(.addList(name: "before", colour: nil))
    _ = try office.clone("one", as: "two")
    let (place, keys) = (try office.place("two"), original.layout.keys)
    for name in try place.machine.disk.list(keys) { try place.machine.disk.remove(keys / name) }
    let shown = try (0..<2).map { _ in try place.open().core.localDevice.shownKey }
    #expect(shown[0] == shown[1])
    let copy = try place.open()
    _ = try copy.commands.perform(.addList(name: "after", colour: nil))
    #expect(try copy.deviceList.devices().first(where: \.isThis)?.key == shown[0].bytes)
  }

  @Test func `Wrong key: compaction is refused and leaves the logs unchanged`() throws {
    let (desk, _, _) = try swapped()
    let before = desk.simulated.disk.files.filter { $0.key.string.contains("/logs/") }
    #expect(throws: DaybookError.self) { _ = try desk.open().healer.compact() }
    #expect(desk.simulated.disk.files.filter { $0.key.string.contains("/logs/") } == before)
  }
}
