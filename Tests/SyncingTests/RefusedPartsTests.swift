import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Parts of messages and files that are invalid where they occur.
struct RefusedPartsTests {
  /// A bundle with any messages, whether or not the protocol allows them.
  private static func bundle(
    _ messages: [Message]
  ) throws -> (machine: SimulatedMachine, size: Int) {
    let machine = SimulatedMachine(seed: 3)
    try machine.disk.makeDirectories(BundleTests.path.parent)
    let bytes = Array("daybook bundle 1\n".utf8) + messages.flatMap(\.encoded)
    let whole = bytes + SHA256.digest(of: bytes).bytes
    try BundleTests.put(whole, on: machine)
    return (machine, whole.count)
  }

  @Test func `Bundle: a second hello is reported at its offset by reader and inspector`() throws {
    let hello = Message.hello(SessionTests.anna().hello)
    let (machine, _) = try Self.bundle([hello, hello, .end(.nothing)])
    let problems: [SyncProblem] = [
      .truncated(BundleTests.path, at: 17 + hello.encoded.count)
    ]
    let report = try Bundle.read(
      BundleTests.path, into: MemoryHolder(.bert), on: machine.machine)
    #expect(report.problems == problems)
    let contents = try Bundle.inspect(BundleTests.path, on: machine.machine)
    #expect(contents.problems == problems)
  }

  @Test func `Bundle: inspection reports bytes that follow a frame in its message`() throws {
    let holder = try JournalHolder(seed: 1)
    let frame = try #require(try holder.frames(of: holder.replica, lackedBy: []).next())
    let (machine, size) = try Self.bundle([
      .hello(holder.hello), .frame(log: holder.replica, frame + [0]), .end(.nothing),
    ])
    let contents = try Bundle.inspect(BundleTests.path, on: machine.machine)
    #expect(contents.problems == [.log(.refused(holder.replica, .trailing))])
    #expect(contents.byteCount == size)
  }

  @Test func `Bundle: a write over a folder fails and keeps its files`() throws {
    let (machine, _) = try Self.bundle([])
    let folder = BundleTests.path.parent
    #expect(throws: SyncError.disk(DiskError(.open, folder, .isADirectory))) {
      try Bundle.write(to: folder, from: SessionTests.anna(), on: machine.machine)
    }
    #expect(machine.disk.files.keys.sorted() == [BundleTests.path])
  }

  @Test func `Directory: a push by a holder without a book writes nothing`() throws {
    let tests = DirectoryTests()
    #expect(throws: SyncError.noBook) { try tests.push(MemoryHolder(.bert, book: nil)) }
    #expect(tests.machine.disk.files == [:])
  }

  @Test func `Directory: a push of a frame without a valid label writes nothing`() throws {
    let toy = try #require(try SessionTests.anna().frames(of: .anna, lackedBy: []).next())
    for frame in [[1, 2, 3], toy] {
      let holder = CarelessHolder(frame)
      #expect(holder.span(of: frame) == nil)
      let tests = DirectoryTests()
      var peer = try tests.peer()
      #expect(throws: SyncError.journal(.refused(.anna, .envelope))) {
        try peer.push(from: holder)
      }
      #expect(tests.machine.disk.files == [:])
    }
  }

  @Test func `Invitation: an invalid address is refused as such`() throws {
    let content = [UInt8](0..<48) + Array("nowhere".utf8)
    let name = Array("daybook invitation v1".utf8)
    let checksum = SHA256.digest(of: name + content).bytes.prefix(4)
    #expect(InvitationTests.fault("daybook1:" + Base32.encode(content + checksum)) == .address)
  }
}

/// A holder whose files were damaged after they were opened.
///
/// It returns one arbitrary frame.
private final class CarelessHolder: Holder {
  private let frame: [UInt8]

  init(_ frame: [UInt8]) { self.frame = frame }

  var hello: Hello { SessionTests.anna().hello }

  func landmarks(for other: Frontier) throws(SyncError) -> [Place] { [] }

  func frames(of replica: UniqueID, lackedBy places: [Place]) throws(SyncError) -> FrameStream {
    var waiting = [frame][...]
    return FrameStream { () throws(SyncError) in waiting.popFirst() }
  }

  func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError) {}

  func commit() throws(JournalError) -> Frontier { hello.frontier }
}
