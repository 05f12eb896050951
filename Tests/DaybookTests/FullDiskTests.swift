import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// What still works where nothing more can be written.
struct FullDiskTests {
  @Test func `a full disk keeps nobody from taking part in a sync`() throws {
    let desk = try Desk(seed: 2601)
    let book = try desk.found()
    _ = try book.perform(.addList(name: "Home", colour: nil))
    try book.prepareToSync()
    let disk = desk.simulated.disk
    // As a power cut leaves it.
    try disk.replace(Desk.folder / "lock", with: [])
    disk.becomeFull(afterBytes: 0)
    try book.prepareToSync()
    #expect(book.hello.frontier.places.map(\.sequence) == [2])
  }

  @Test func `who could not say where it serves can do so later`() throws {
    let desk = try Desk(seed: 2602)
    let book = try desk.found()
    let (short, long) = (Endpoint(host: "a", port: 1), Endpoint(host: "a.longer.name", port: 1))
    book.withdraw(try book.announce(short))
    desk.simulated.disk.becomeFull(afterBytes: 0)
    #expect(throws: DaybookError.self) { try book.announce(long) }
    desk.simulated.disk.clearWeather()
    #expect(try book.announce(long) != nil)
    #expect(try book.served() == long)
  }
}
