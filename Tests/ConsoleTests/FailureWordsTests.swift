import Bytes
import Daybook
import Domain
import Journaling
import Phrasing
import Platform
import SimulatedPlatform
import Syncing
import Testing

@testable import Console

/// The library describes errors with the sentences that the program prints.
struct FailureWordsTests {
  private static let folder = "/home/ada/.local/share/daybook/default"

  private static func failure(_ body: () throws(Book.Failure) -> Void) -> Book.Failure? {
    do throws(Book.Failure) { try body() } catch { return error }
    return nil
  }

  private func open(_ stage: Stage) throws(Book.Failure) -> Book {
    try Book.open(Self.folder, on: stage.machine.machine, device: "laptop")
  }

  /// Checks that the program and the library report the same error.
  private func expect(
    _ reason: Book.Failure.Reason, _ outcome: Stage.Outcome, like failure: Book.Failure?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let failure = try #require(failure, sourceLocation: sourceLocation)
    #expect(failure.reason == reason, sourceLocation: sourceLocation)
    #expect(
      outcome.error == "daybook: \(failure.description)\n", sourceLocation: sourceLocation)
  }

  @Test func `Failure: for each reason, the library has the message that the program prints`()
    throws
  {
    let stage = Stage()
    let book = try open(stage)
    let nobody = "11111111-2222-8333-8444-555555555555"
    let id = try #require(Book.RecordID(nobody))
    try expect(
      .unknownRecord, stage.run("show", nobody),
      like: Self.failure { () throws(Book.Failure) in _ = try book.events(of: id) })
    try expect(
      .refused, stage.run("undo"),
      like: Self.failure { () throws(Book.Failure) in try book.undoLast() })
    let lunch = try book.addQuestion("Lunch?", choices: ["Noodles": 0])
    try expect(
      .refused, stage.run("pick", "Lunch?"),
      like: Self.failure { () throws(Book.Failure) in _ = try book.pick(lunch) })
    try stage.put("Eggs\n", as: "notes.txt")
    try expect(
      .peer, stage.run("sync", "/home/ada/notes.txt"),
      like: Self.failure { () throws(Book.Failure) in
        try book.sync(with: .bundle("/home/ada/notes.txt"))
      })
    let lock = try #require(try stage.disk.lock(Path("\(Self.folder)/lock")))
    try expect(
      .busy, stage.run("add", "todo", "Sweep"),
      like: Self.failure { () throws(Book.Failure) in try book.addTodo("Sweep") })
    try stage.disk.close(lock.token)
    try stage.disk.replace(Path("\(Self.folder)/book.json"), with: Array("eggs".utf8))
    try expect(
      .storage, stage.run("list", "lists"),
      like: Self.failure { () throws(Book.Failure) in _ = try open(stage) })
  }

  private static let path = Path("/media/stick")

  private static let errors: [(DaybookError, Book.Failure.Reason)] = [
    (.noBook(path), .noBook), (.refused(.dead(.todo, .none)), .unknownRecord),
    (.refused(.noChoices(.none)), .refused), (.bookExists(path), .refused),
    (.joinBegun(path), .refused), (.storeJoin(.used), .refused),
    (.notServed, .refused), (.ownInvitation, .refused),
    (.badInvitation(.cut(letters: 3)), .refused),
    (.closedInvitation, .peer), (.otherInviter("h:1"), .peer), (.sync(.noBook), .peer),
    (.network(.portInUse), .peer), (.sync(.disk(DiskError(.write, path, .full))), .peer),
    (.journal(.locked(holder: "7")), .busy), (.journal(.poisoned), .storage),
    (.storedBefore(.own, .disk(DiskError(.write, path, .full))), .storage),
    (.nothingToRedo(afterUndo: false), .refused), (.notAdmitted, .refused),
  ]

  @Test(arguments: errors)
  func `Failure: an error has the expected reason and the program's message`(
    error: DaybookError, reason: Book.Failure.Reason
  ) {
    let failure = Book.Failure(error)
    #expect(failure.reason == reason)
    #expect(failure.description == Told(ofAny: error).text)
  }
}
