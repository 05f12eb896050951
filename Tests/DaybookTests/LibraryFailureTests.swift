import Platform
import SimulatedPlatform
import Testing

@testable import Daybook

/// What a failure of the library says about what was done.
struct LibraryFailureTests {
  private func failure(_ body: () throws(Book.Failure) -> Void) -> Book.Failure? {
    do throws(Book.Failure) { try body() } catch { return error }
    return nil
  }

  @Test func `Failure: an error after a command was written says that the command is stored`()
    throws
  {
    let book = try Book.open("/home/book", on: Desk(seed: 4_501).machine, device: "laptop")
    let broken = DaybookError.disk(DiskError(.read, Path("/home/book/logs"), .io))
    let before = failure { () throws(Book.Failure) in
      try book.failingAfterWriting { () throws(DaybookError) in throw broken }
    }
    #expect(before?.hasWritten == false && before?.reason == .storage)
    #expect(before?.description == Book.Failure(broken).description)
    let after = failure { () throws(Book.Failure) in
      try book.failingAfterWriting { () throws(DaybookError) in
        _ = try book.commands.perform(.addList(name: "Home", colour: nil))
        throw broken
      }
    }
    #expect(after?.hasWritten == true && after?.reason == .storage)
    #expect(after?.description != before?.description)
    #expect(after?.description == Book.Failure(.storedBefore(.own, broken)).description)
    let refused = failure { () throws(Book.Failure) in _ = try book.addTodo(" ") }
    #expect(refused?.hasWritten == false && refused?.reason == .refused)
    #expect(Book.Failure(.storedBefore(.arrivals, broken)).hasWritten)
    #expect(Book.Failure(.erasureLeft(broken)).hasWritten)
  }

  @Test func `Failure: a command that claims to have written is in the book`() throws {
    var number = 0
    var isOver = false
    while !isOver {
      number += 1
      let desk = try Desk(seed: 4_502)
      let book = try Book.open("/home/book", on: desk.machine, device: "laptop")
      let start = desk.simulated.disk.calls.all
      desk.simulated.disk.failCall(number, of: .all, with: .io)
      let failure = failure { () throws(Book.Failure) in _ = try book.addTodo("Sweep") }
      isOver = desk.simulated.disk.calls.all - start < number
      desk.simulated.disk.clearWeather()
      guard failure == nil || failure?.hasWritten == true else { continue }
      let again = try Book.open("/home/book", on: desk.machine, device: "laptop")
      #expect(try again.todos().map(\.title) == ["Sweep"], "\(number)")
    }
  }

  @Test func `Failure: a join into a folder that has a book is refused, and says why`() throws {
    let pair = try LibraryPair(seed: 4_503)
    let folder = "/home/other"
    let machine = try pair.office.place("phone").machine
    let other = try Book.open(folder, on: machine, device: "phone")
    let id = other.id
    let invitation = try pair.laptop.invite(host: "127.0.0.1", port: 1).code
    let failures = [
      failure { () throws(Book.Failure) in
        _ = try Book.join(LibraryPair.stick, in: folder, on: machine, device: "phone")
      },
      failure { () throws(Book.Failure) in
        _ = try Book.join(by: invitation, in: folder, on: machine, device: "phone")
      },
    ]
    for failure in failures {
      #expect(failure?.reason == .refused && failure?.hasWritten == false)
      #expect(failure?.description == "there is already a book in /home/other.")
    }
    #expect(try Book.open(folder, on: machine, device: "phone").id == id)
  }

  @Test func `Library: after a failed join, no new book is made, and the join can be repeated`()
    throws
  {
    let pair = try LibraryPair(seed: 4_504)
    let machine = try pair.office.place("tablet").machine
    let folder = Office.folder.string
    func open() throws(Book.Failure) -> Book {
      try Book.open(folder, on: machine, device: "tablet")
    }
    // No process listens at this address.
    let invitation = try pair.laptop.invite(host: "127.0.0.1", port: 1).code
    let lost = [
      failure { () throws(Book.Failure) in
        _ = try Book.join(
          .machine(host: "127.0.0.1", port: 1), in: folder, on: machine, device: "tablet")
      },
      failure { () throws(Book.Failure) in
        _ = try Book.join(by: invitation, in: folder, on: machine, device: "tablet")
      },
    ]
    #expect(lost.map { $0?.reason } == [.peer, .peer])
    for _ in 0..<2 {
      let refusal = failure { () throws(Book.Failure) in _ = try open() }
      #expect(refusal?.reason == .refused && refusal?.hasWritten == false)
      #expect(
        refusal?.description
          == "an earlier 'daybook join' into /home/book was not finished. Join again.\n"
          + "To make a new book instead, choose another folder, or remove this one first.")
    }
    let joined = try Book.join(LibraryPair.stick, in: folder, on: machine, device: "tablet")
    #expect(joined.id == pair.laptop.id && !joined.file.isJoining)
    #expect(try open().id == pair.laptop.id)
  }

  @Test func `Library: an interrupted founding is completed, or becomes a join`() throws {
    let pair = try LibraryPair(seed: 4_505)
    let folder = Office.folder
    for (name, joins) in [("founder", false), ("guest", true)] {
      let machine = try pair.office.place(name).machine
      _ = try BookFactory.lay(out: folder, on: machine, deviceName: name, view: nil)
      if joins {
        _ = failure { () throws(Book.Failure) in
          _ = try Book.join(
            .machine(host: "127.0.0.1", port: 1), in: folder.string, on: machine, device: name)
        }
      }
      let opened = failure { () throws(Book.Failure) in
        _ = try Book.open(folder.string, on: machine, device: name)
      }
      #expect(opened?.reason == (joins ? .refused : nil))
    }
  }

  @Test
  func `Library: the second of two processes that open a new folder opens the book of the first`()
    throws
  {
    let desk = try Desk(seed: 4_506)
    @Sendable func open(_ machine: Machine, _ name: String) throws -> Book {
      try Book.open(Desk.folder.string, on: machine, device: name)
    }
    let interruption = Interruption(desk.simulated.timekeeper) {
      try open(desk.machine, "first").addTodo("Sweep")
    }
    let machine = Machine(
      disk: desk.machine.disk, timekeeper: interruption, dice: desk.machine.dice,
      network: desk.machine.network)
    let second = try open(machine, "second")
    #expect(try second.todos().map(\.title) == ["Sweep"])
    #expect(second.id == (try desk.open().id))
  }
}
