import Platform
import SimulatedPlatform
import Testing

@testable import Daybook

/// What a failure of the library tells about what was done.
struct LibraryFailureTests {
  private func failure(_ body: () throws(Book.Failure) -> Void) -> Book.Failure? {
    do throws(Book.Failure) { try body() } catch { return error }
    return nil
  }

  @Test func `Failure: an error after a command was written tells that it is stored`() throws {
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
}
