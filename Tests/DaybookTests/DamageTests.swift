import Bytes
import Daybook
import Domain
import Interchange
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

/// The state of a book after a byte of a log has changed.
struct DamageTests {
  /// A file of a log.
  private struct File {
    let path: Path
    /// The path relative to the book's folder.
    var name: String { String(path.string.dropFirst(Desk.folder.string.utf8.count + 1)) }
  }

  private func files(of desk: Desk) -> [File] {
    desk.simulated.disk.files.keys
      .filter { $0.string.hasPrefix("/home/book/logs/") }.sorted().map(File.init)
  }

  /// A book with a long tail of single commands.
  private func tailed(_ desk: Desk) throws -> Book {
    let book = try desk.found()
    for number in 0..<20 {
      _ = try book.commands.perform(.addList(name: "list \(number)", colour: nil))
    }
    return book
  }

  /// A book with a sealed segment of several frames, and a tail.
  private func sealed(_ desk: Desk) throws -> Book {
    let book = try desk.found()
    let filler = String(repeating: "a text that fills. ", count: 500)
    for batch in 0..<3 {
      let lines = (0..<30).map { number in
        """
        {"op": "add", "kind": "list", "id": "\(batch)-\(number)", "name": "list \(batch)-\(number)", \
        "note": "\(filler)\(batch * 31 + number)"}
        """
      }
      _ = try book.importer.importOperations(Array(lines.joined(separator: "\n").utf8))
    }
    _ = try book.commands.perform(.addList(name: "last", colour: nil))
    return book
  }

  private func names(_ book: Book) throws -> Set<String> {
    Set(try book.view().lists.lists().compactMap(\.name))
  }

  @Test(arguments: [0.3, 0.5, 0.7, 0.9])
  func `Damage: a damaged frame of a tail loses only its own events, and commands continue`(
    part: Double
  ) throws {
    let desk = try Desk(seed: 401)
    let book = try tailed(desk)
    let before = try names(book)
    let file = try #require(files(of: desk).first)
    try strike(file, of: desk, at: part)
    let reopened = try desk.open()
    try expectFault(in: reopened, file)
    #expect(try reopened.verifier.verify().faults.allSatisfy { $0.offset > 0 })
    _ = try reopened.core.projector.rebuild()
    // Each command has its own frame.
    #expect(try names(reopened).count == before.count - 1)
    #expect(try names(reopened).isSubset(of: before))
    try expectGoingOn(reopened, desk)
  }

  @Test(arguments: [0.4, 0.6, 0.95])
  func `Damage: a damaged frame of a sealed file loses only its own events`(part: Double) throws {
    let desk = try Desk(seed: 402)
    let before = try names(try sealed(desk))
    let files = files(of: desk).filter { $0.name.contains("-") }
    let file = try #require(files.max { size(of: $0, desk) < size(of: $1, desk) })
    try strike(file, of: desk, at: part)
    let reopened = try desk.open()
    try expectFault(in: reopened, file)
    _ = try reopened.core.projector.rebuild()
    let after = try names(reopened)
    #expect(after.isSubset(of: before))
    #expect(after.count < before.count)
    // One of the frames, which have 30 records each, is lost.
    #expect(after.count >= before.count - 31)
    try expectGoingOn(reopened, desk)
  }

  @Test func `Damage: a damaged last frame is restored from others without a fork`() throws {
    let (desk, other) = (try Desk(seed: 403), try Desk(seed: 404))
    let stick = Path("/stick")
    let book = try tailed(desk)
    _ = try book.replicator.sync(with: .directory(stick))
    let file = try #require(files(of: desk).first)
    try strike(file, of: desk, at: 0.99)
    try other.take(stick, from: desk)
    let (joined, _) = try BookFactory.join(
      at: Desk.folder, from: .directory(stick), on: other.machine, deviceName: "other",
      view: .memory, confirm: { _ in true })
    let whole = try names(joined)
    #expect(whole.count == 20)
    let reopened = try desk.open()
    _ = try reopened.commands.perform(.addList(name: "after", colour: nil))
    try desk.take(stick, from: other)
    let back = try reopened.replicator.sync(with: .directory(stick), admission: .always)
    #expect(back.problems == [])
    try other.take(stick, from: desk)
    let forth = try joined.replicator.sync(with: .directory(stick))
    #expect(forth.problems == [])
    #expect(try names(joined) == whole.union(["after"]))
    #expect(try names(reopened) == whole.union(["after"]))
    #expect(try joined.statusReader.digest() == reopened.statusReader.digest())
  }

  private func strike(_ file: File, of desk: Desk, at part: Double) throws {
    let offset = Int(Double(size(of: file, desk)) * part)
    desk.simulated.disk.rot(file.path, at: offset, flipping: 0x10)
  }

  private func size(of file: File, _ desk: Desk) -> Int {
    desk.simulated.disk.files[file.path]?.count ?? 0
  }

  private func expectFault(in book: Book, _ file: File) throws {
    let faults = try book.verifier.verify().faults
    #expect(!faults.isEmpty)
    #expect(faults.allSatisfy { $0.file == file.name })
  }

  /// Expects that the book can be written and synced, and that the new record is shown.
  private func expectGoingOn(_ book: Book, _ desk: Desk) throws {
    let before = try names(book)
    _ = try book.commands.perform(.addList(name: "after", colour: nil))
    #expect(try names(try desk.open()) == before.union(["after"]))
    let receipt = try book.replicator.sync(with: .directory(Path("/stick")))
    #expect(receipt.digest == (try book.statusReader.digest()))
    #expect(try names(try desk.open()) == before.union(["after"]))
  }
}
