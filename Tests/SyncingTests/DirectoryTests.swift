import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

struct DirectoryTests {
  static let folder = Path("/stick/daybook")
  let machine = SimulatedMachine(seed: 5)

  /// The folder on a machine's disk, which is created if it is missing.
  static func peer(on machine: SimulatedMachine) throws -> DirectoryPeer {
    try machine.disk.makeDirectories(folder)
    return try DirectoryPeer(at: folder, on: machine.machine)
  }

  func peer() throws -> DirectoryPeer { try Self.peer(on: machine) }

  func push(_ holder: MemoryHolder) throws -> DirectoryReport {
    var peer = try peer()
    return try peer.push(from: holder)
  }

  func pull(_ holder: MemoryHolder) throws -> DirectoryReport {
    var peer = try peer()
    return try peer.pull(.book, into: holder)
  }

  static func logFolder(_ log: UniqueID) -> Path { folder / UniqueID.book.hex / log.hex }

  /// The files of a log by their ranges, in order.
  func ranges(of log: UniqueID) -> [ClosedRange<UInt64>] {
    machine.disk.files.keys.filter { $0.parent == Self.logFolder(log) }
      .compactMap { DirectoryName($0.name) }.sorted().map(\.events)
  }

  @Test func `Directory: a push to an empty folder writes durable files named after their digests`()
    throws
  {
    let report = try push(SessionTests.anna())
    #expect(report == DirectoryReport(sent: [.anna: 4, .cleo: 2], received: [:], problems: []))
    #expect(ranges(of: .anna) == [1...4])
    #expect(ranges(of: .cleo) == [1...2])
    for (path, bytes) in machine.disk.files {
      #expect(path.name.hasSuffix("-\(SHA256.digest(of: bytes).prefix16.hex).gz"))
    }
    machine.disk.crash()
    #expect(machine.disk.files.count == 2)
  }

  @Test func `Directory: pulls and pushes spread the events of each holder to all`() throws {
    let (anna, bert, cleo) = (SessionTests.anna(), SessionTests.bert(), MemoryHolder(.cleo))
    for holder in [anna, bert, cleo, anna] {
      _ = try pull(holder)
      _ = try push(holder)
    }
    #expect(
      [anna, bert, cleo].map(SessionTests.contents)
        == Array(
          repeating: SessionTests.united, count: 3))
    let before = machine.disk.files
    #expect(try push(anna) == DirectoryReport())
    #expect(try pull(bert) == DirectoryReport())
    #expect(machine.disk.files == before)
  }

  @Test func `Directory: a push writes only the events that it lacks`() throws {
    let anna = SessionTests.anna()
    _ = try push(anna)
    anna.write(["a5", "a6"], to: .anna)
    #expect(try push(anna).sent == [.anna: 2])
    #expect(ranges(of: .anna) == [1...4, 5...6])
  }

  @Test func `Directory: a partly copied file is reported, skipped and kept`() throws {
    _ = try push(SessionTests.anna())
    let path = try #require(
      machine.disk.files.keys.first { $0.parent == Self.logFolder(.anna) })
    let whole = try #require(machine.disk.files[path])
    for cut in 0..<whole.count {
      try machine.disk.replace(path, with: Array(whole[..<cut]))
      let newcomer = MemoryHolder(.bert)
      let report = try pull(newcomer)
      #expect(report.problems == [.wrongDigest(path)])
      #expect(SessionTests.contents(newcomer) == [.cleo: ["c1", "c2"]])
      #expect(machine.disk.files[path] == Array(whole[..<cut]))
    }
    try machine.disk.replace(path, with: whole)
    let newcomer = MemoryHolder(.bert)
    #expect(try pull(newcomer).problems == [])
    #expect(newcomer.frontier == SessionTests.anna().frontier)
  }

  @Test func `Directory: a push replaces a damaged file with the events of the holder`() throws {
    _ = try push(SessionTests.anna())
    let path = try #require(
      machine.disk.files.keys.first { $0.parent == Self.logFolder(.anna) })
    let whole = try #require(machine.disk.files[path])
    machine.disk.rot(path, at: 40, flipping: 1)
    let report = try push(SessionTests.anna())
    #expect(report.problems == [.wrongDigest(path)])
    #expect(report.sent == [.anna: 4])
    #expect(machine.disk.files[path] == whole)
  }

  @Test func `Directory: a damaged file is reported until other files hold its events`() throws {
    _ = try push(SessionTests.anna())
    let anna = SessionTests.anna()
    anna.write(["a5"], to: .anna)
    _ = try push(anna)
    let path = try #require(
      machine.disk.files.keys.first { $0.name.hasPrefix("000000000005-000000000005") })
    machine.disk.rot(path, at: 40, flipping: 1)
    #expect(try pull(MemoryHolder(.bert)).problems == [.wrongDigest(path)])
    anna.write(["a6"], to: .anna)
    #expect(try push(anna).problems == [.wrongDigest(path)])
    #expect(try push(anna).problems == [])
    let newcomer = MemoryHolder(.bert)
    #expect(try pull(newcomer).problems == [])
    #expect(newcomer.frontier.sequence(of: .anna) == 6)
    #expect(try pull(anna).problems == [])
  }

  @Test func `Directory: conflict copies, odd names and unrelated files are skipped`() throws {
    _ = try push(SessionTests.anna())
    let path = try #require(
      machine.disk.files.keys.first { $0.parent == Self.logFolder(.anna) })
    let whole = try #require(machine.disk.files[path])
    let odd = [
      String(path.name.dropLast(3)) + " (Anna's conflicted copy).gz", path.name.uppercased(),
      ".tmp-0011223344556677", "000000000001-000000000004.gz", "readme.txt", "0-4-" + "0.gz",
    ]
    for name in odd { try machine.disk.replace(path.parent / name, with: whole) }
    let digest = SHA256.digest(of: []).prefix16
    let name = DirectoryName(events: 1...9, digest: digest).string
    try machine.disk.makeDirectories(path.parent / name)
    try machine.disk.makeDirectories(Self.folder / "photos")
    try machine.disk.replace(Self.folder / UniqueID.book.hex / "notes", with: whole)
    try machine.disk.replace(Self.folder / UniqueID.book.hex / UniqueID.bert.hex, with: whole)
    let before = machine.disk.files
    let newcomer = MemoryHolder(.bert)
    let report = try pull(newcomer)
    #expect(report.received == [.anna: 4, .cleo: 2])
    #expect(report.problems == [])
    #expect(try push(newcomer) == DirectoryReport())
    #expect(machine.disk.files == before)
  }

  @Test func `Directory: a correctly named file with invalid content is reported and skipped`()
    throws
  {
    _ = try push(SessionTests.anna())
    let junk: [UInt8] = Array("not a frame".utf8)
    let name = DirectoryName(events: 1...999, digest: SHA256.digest(of: junk).prefix16)
    let path = Self.logFolder(.anna) / name.string
    try machine.disk.replace(path, with: junk)
    let newcomer = MemoryHolder(.bert)
    let report = try pull(newcomer)
    #expect(report.problems == [.notAFrame(path, at: 0)])
    #expect(newcomer.frontier == SessionTests.anna().frontier)
  }

  @Test func `Directory: a forged file is reported, and the correct file is read`() throws {
    _ = try push(SessionTests.anna())
    let forger = MemoryHolder(.cleo).write(["a1", "a2", "a3", "a4", "a5"], to: .anna)
    forger.eventsPerFrame = 9
    var bytes: [UInt8] = []
    try forger.forEachFrame(of: .anna, lackedBy: []) { (frame) in bytes += frame }
    bytes[bytes.count - 1] ^= 1
    let name = DirectoryName(events: 1...5, digest: SHA256.digest(of: bytes).prefix16)
    try machine.disk.replace(Self.logFolder(.anna) / name.string, with: bytes)
    let newcomer = MemoryHolder(.bert)
    let report = try pull(newcomer)
    #expect(report.problems == [.log(.wrongHead(.anna, sequence: 5))])
    #expect(newcomer.frontier == SessionTests.anna().frontier)
  }

  @Test func `Directory: a gap is reported, and the next push closes it`() throws {
    _ = try push(SessionTests.anna())
    let anna = SessionTests.anna().write(["a5", "a6"], to: .anna)
    _ = try push(anna)
    let first = try #require(
      machine.disk.files.keys.first {
        $0.parent == Self.logFolder(.anna) && DirectoryName($0.name)?.events == 1...4
      })
    try machine.disk.remove(first)
    let newcomer = MemoryHolder(.bert)
    #expect(try pull(newcomer).problems == [.log(.gap(.anna, held: 0, received: 5))])
    #expect(try push(anna).sent == [.anna: 6])
    #expect(try pull(newcomer).problems == [])
    #expect(newcomer.frontier == anna.frontier)
  }

  @Test func `Directory: a missing folder is an error and is not created`() throws {
    #expect(throws: SyncError.noFolder(Self.folder)) {
      try DirectoryPeer(at: Self.folder, on: machine.machine)
    }
    var peer = try peer()
    // This happens if a stick is pulled out.
    try machine.disk.removeDirectory(Self.folder)
    let missing = DiskError(.makeDirectory, Self.folder, .notFound)
    #expect(throws: SyncError.disk(missing)) { try peer.push(from: SessionTests.anna()) }
    #expect(try machine.disk.status(Self.folder) == nil)
  }

  @Test func `Directory: the folder of a book is refused as a peer`() throws {
    try machine.disk.makeDirectories(Self.folder / "logs")
    try machine.disk.replace(Self.folder / "book.json", with: Self.bookFile)
    #expect(throws: SyncError.isABook(Self.folder)) { try peer() }
  }

  @Test(
    "Directory: each folder inside the folder of a book is refused as a peer",
    arguments: ["logs", "keys", "aside", "quarantine", "mine", "logs/anna/branch", "mine/a/b/c/d"])
  func insideABook(name: String) throws {
    let folder = Path("\(Self.folder)/\(name)")
    try machine.disk.makeDirectories(folder)
    try machine.disk.makeDirectories(Self.folder / "logs")
    _ = try DirectoryPeer(at: folder, on: machine.machine)
    try machine.disk.replace(Self.folder / "book.json", with: Self.bookFile)
    #expect(throws: SyncError.insideABook(folder, book: Self.folder)) {
      _ = try DirectoryPeer(at: folder, on: machine.machine)
    }
    #expect(throws: SyncError.insideABook(folder, book: Self.folder)) {
      _ = try SealedStores(in: .folder(folder), on: machine.machine)
    }
    _ = try DirectoryPeer(at: Self.folder.parent, on: machine.machine)
  }

  @Test(
    "Directory: a folder with only one of the files of a book is a peer",
    arguments: [
      (Array("[]".utf8), true), (Array("not JSON".utf8), true), (Self.bookFile, false),
      (Array(#"{"format": 1, "book": "shopping"}"#.utf8), true),
    ])
  func foreignBookFile(bytes: [UInt8], hasLogs: Bool) throws {
    try machine.disk.makeDirectories(hasLogs ? Self.folder / "logs" : Self.folder)
    try machine.disk.replace(Self.folder / "book.json", with: bytes)
    #expect(try peer().books() == [])
    #expect(try push(SessionTests.anna()).problems == [])
    #expect(try peer().books() == [.book])
    #expect(try machine.disk.contents(of: Self.folder / "book.json", limit: 1 << 10) == bytes)
  }

  private static let bookFile = Array(
    #"{"format": 1, "book": "\#(UniqueID.book.hex)", "device": "anna"}"#.utf8)

  @Test func `Directory: of several books, pulls read the holder's own`() throws {
    #expect(try peer().books() == [])
    _ = try push(SessionTests.anna())
    #expect(try peer().books() == [.book])
    let other = MemoryHolder(.cleo, book: .id(0xb1)).write(["z"], to: .cleo)
    _ = try push(other)
    #expect(try peer().books() == [.book, .id(0xb1)])
    let bert = MemoryHolder(.bert)
    _ = try pull(bert)
    #expect(bert.frontier == SessionTests.anna().frontier)
  }

  @Test func `Directory: a push that fails at any call does no damage, and a retry completes`()
    throws
  {
    var number = 1
    var isDone = false
    while !isDone {
      let attempt = DirectoryTests()
      try attempt.machine.disk.makeDirectories(Self.folder)
      attempt.machine.disk.failCall(number, with: .io)
      do {
        var peer = try DirectoryPeer(at: Self.folder, on: attempt.machine.machine)
        _ = try peer.push(from: SessionTests.anna())
        isDone = true
      } catch {
        number += 1
      }
      attempt.machine.disk.clearWeather()
      attempt.machine.disk.crash()
      _ = try attempt.push(SessionTests.anna())
      let newcomer = MemoryHolder(.bert)
      #expect(try attempt.pull(newcomer).problems == [])
      #expect(newcomer.frontier == SessionTests.anna().frontier)
    }
    #expect(number > 10)
  }
}
