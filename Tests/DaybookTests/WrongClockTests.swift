import Bytes
import Daybook
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

/// One device's clock is wrong by years.
@Suite struct WrongClockTests {
  enum Way: CaseIterable {
    case directory
    case bundle
    case line
  }

  private static let year: Int64 = 8766 * 3_600_000

  private func rename(_ book: Book, _ id: UniqueID, _ name: String) throws {
    let name = Request.Assignment(Field.List.name, .value(.text(name)))
    _ = try book.commands.perform(.edit(id, [name]))
  }

  private func names(_ books: [Book]) throws -> [[String?]] {
    try books.map { try $0.view().lists.lists().map(\.name) }
  }

  private func meet(_ office: Office, by way: Way) async throws {
    let books = office.books
    switch way {
    case .directory:
      for book in books + books {
        _ = try book.replicator.sync(with: Office.directory, admission: .always)
      }
    case .bundle:
      let file = MountedDisk.stick(0) / "all.bundle"
      for (from, to) in [(0, 1), (1, 0)] {
        _ = try books[from].replicator.writeBundle(to: file)
        _ = try books[to].replicator.sync(with: .file(file), admission: .always)
      }
    case .line:
      let server = Server(try office.place("one").machine)
      let port = try await server.start()
      _ = try books[1].replicator.sync(
        with: .tcp(host: "127.0.0.1", port: port), admission: .always)
      #expect(await server.stop() == [])
    }
  }

  @Test(arguments: [-40, -1, 1, 40] as [Int64], Way.allCases)
  func `Wrong clock: with an error of years, syncs succeed and later edits win`(
    years: Int64, way: Way
  ) async throws {
    let office = Office(seed: 731)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Home", colour: nil))
    _ = try one.replicator.sync(with: Office.directory)
    let clock = try office.place("one").simulated.timekeeper
    try office.place("two").simulated.timekeeper.set(
      Moment(milliseconds: clock.now().milliseconds + years * Self.year))
    let two = try office.join("two")
    try await meet(office, by: .directory)
    let list = try #require(try one.view().lists.lists().first?.head.id)

    for (book, name) in [(two, "Wrong"), (one, "Right"), (two, "Wrong again"), (one, "Last")] {
      clock.advance(milliseconds: 60_000)
      try rename(book, list, name)
      try await meet(office, by: way)
      #expect(try names([one, two]) == [[name], [name]])
      #expect(try one.statusReader.digest() == two.statusReader.digest())
    }
    let now = clock.now().milliseconds
    let own = try one.historyReader.history().entries.filter { $0.device == "one" }
    #expect(try #require(own.map(\.fact.time).max()) == now)

    let device = try #require(try one.deviceList.devices().first { $0.name == "two" })
    #expect(device.isClockSuspect)
    let offset = Double(try #require(device.clockOffset)) / Double(Self.year)
    #expect(Int64(offset.rounded()) == years)
    let heard = try #require(device.lastHeard)
    #expect(heard > now - 300_000 && heard <= now)
    let named = try one.healthCheck.diagnose().findings.compactMap { finding -> [String]? in
      switch finding {
      case .future(let devices) where years > 0: devices.map(\.name)
      case .past(let devices) where years < 0: devices.map(\.name)
      default: nil
      }
    }
    #expect(named == [["two"]])
  }

  @Test func `Wrong clock: a difference of two hours is accepted`() async throws {
    let office = Office(seed: 732)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Home", colour: nil))
    _ = try one.replicator.sync(with: Office.directory)
    let clock = try office.place("one").simulated.timekeeper
    try office.place("two").simulated.timekeeper.set(
      Moment(milliseconds: clock.now().milliseconds + 7_200_000))
    let two = try office.join("two")
    _ = try two.commands.perform(.addList(name: "Hut", colour: nil))
    try await meet(office, by: .directory)
    let device = try #require(try one.deviceList.devices().first { $0.name == "two" })
    #expect(!device.isClockSuspect)
    #expect(device.clockOffset == 7_200_000)
    #expect(device.lastHeard == clock.now().milliseconds)
  }
}
