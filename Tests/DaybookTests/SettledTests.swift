import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

/// The mark in the lock file that says whether all files of the logs are flushed.
struct SettledTests {
  private func word(on desk: Desk, _ book: Book) throws -> String {
    String(decoding: try desk.machine.disk.contents(of: book.layout.lock, limit: 64), as: UTF8.self)
  }

  /// A book whose log has no tail, so the next command creates a file.
  private func sealed(seed: UInt64) throws -> (desk: Desk, book: Book) {
    let desk = try Desk(seed: seed)
    let book = try desk.found()
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    let log = try #require(try book.core.localDevice.ownLog)
    try book.core.store.journal.seal(log, keys: try book.core.localDevice.keys(of: log))
    return (desk, book)
  }

  @Test func `Settled mark: a successful command sets it, and a failed one clears it`() throws {
    let desk = try Desk(seed: 831)
    let book = try desk.found()
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    #expect(try word(on: desk, book) == "settled\n")
    #expect(throws: DaybookError.self) {
      try book.access.withLock { () throws(DaybookError) in throw .notAdmitted }
    }
    #expect(try word(on: desk, book) == "1\n")
    _ = try book.commands.perform(.addList(name: "Work", colour: nil))
    #expect(try word(on: desk, book) == "settled\n")
  }

  @Test func `Settled mark: a process that only tries the lock leaves it unchanged`() throws {
    let desk = try Desk(seed: 832)
    let book = try desk.found()
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    _ = try book.healthCheck.diagnose()
    #expect(try word(on: desk, book) == "settled\n")
    book.core.store.release(try book.core.store.folder.takeLock())
    #expect(try word(on: desk, book) == "1\n")
    _ = try book.healthCheck.diagnose()
    #expect(try word(on: desk, book) == "1\n")
  }

  @Test func `Settled mark: a killed process's files are flushed before the next command`() throws {
    let (desk, _) = try sealed(seed: 833)
    func open(_ disk: SimulatedDisk) throws -> Book {
      let machine = Machine(
        disk: disk, timekeeper: desk.simulated.timekeeper, dice: Seeded(seed: 8),
        network: desk.simulated.network)
      return try Book(at: Desk.folder, on: machine, view: .memory)
    }
    let whole = desk.simulated.disk.copy()
    let start = whole.calls.mutating
    _ = try open(whole).commands.perform(.addList(name: "first", colour: nil))
    let count = whole.calls.mutating - start
    try #require(count > 8)
    for number in 1...count {
      let disk = desk.simulated.disk.copy()
      disk.failCall(number, with: .io, .fromThenOn)
      _ = try? open(disk).commands.perform(.addList(name: "first", colour: nil))
      disk.clearWeather()
      disk.kill()
      let next = try open(disk)
      _ = try next.commands.perform(.addList(name: "next", colour: nil))
      let shown = try Ordeal.titles(next)
      #expect(shown.isSuperset(of: ["Home", "next"]))
      disk.crash(keeping: .nothing)
      #expect(try Ordeal.titles(try open(disk)) == shown, "killed at call \(number) of \(count)")
    }
  }
}
