import Bytes
import Crypto
import Daybook
import Platform
import PosixPlatform
import ReadModel
import S3
import SimulatedPlatform
import Synchronization
import Syncing
import Testing

/// A network in which no host answers until the test releases it.
private final class SilentNetwork: Network {
  private let isLetGo = Mutex(false)
  private let waited = Mutex(false)

  func letGo() { isLetGo.withLock { $0 = true } }

  /// Whether a caller waited until then.
  var keptWaiting: Bool { waited.withLock { $0 } }

  func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
    throw .notPermitted
  }

  func poller() throws(NetworkError) -> any Poller { try PosixNetwork().poller() }

  func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line {
    let clock = SystemTimekeeper()
    let deadline = clock.monotonicMilliseconds() + 20_000
    while !isLetGo.withLock({ $0 }), clock.monotonicMilliseconds() < deadline {
      clock.pause(milliseconds: 1)
    }
    let isOver = isLetGo.withLock { $0 }
    waited.withLock { $0 = isOver }
    throw .timedOut
  }
}

struct ContactTests {
  private static let file = Desk.folder / "contacts"
  private static let stick = PeerAddress.directory(Path("/stick"))
  private static let id = UniqueID(high: 7, low: 1)

  private func text(_ desk: Desk) throws -> String {
    let bytes = try desk.simulated.disk.contents(of: Self.file, limit: 1 << 20)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("/stick", true), ("/./stick", true), ("/home/../stick", true), ("/stick/x/..", true),
    ("/stick/x", false), ("/Stick", false), ("/stick/..", false),
  ])
  func `Addresses: the same folder in another spelling is the same place`(
    path: String, isSame: Bool
  ) {
    let others = [
      PeerAddress.directory(Path(path)),
      .store(StoreAddress(folder: Path(path), store: Self.id, book: Self.id)),
    ]
    #expect(others.map(Self.stick.isSame) == [isSame, isSame])
  }

  @Test func `Peers: changes are kept after reopening, and invalid names are refused`() throws {
    let desk = try Desk(seed: 921)
    let book = try desk.found()
    #expect(try book.contactBook.contacts().isEmpty)
    try book.contactBook.addPeer("stick", at: Self.stick)
    try book.contactBook.addPeer("desk", at: .tcp(host: "::1", port: 7))
    try book.contactBook.addPeer("mail", at: .file(Path("/b.bundle")))
    try book.contactBook.addPeer("stick", at: .directory(Path("/other")))
    let again = try desk.open()
    #expect(try again.contactBook.contacts().map(\.name) == ["stick", "desk", "mail"])
    #expect(
      try again.contactBook.contacts().map(\.address) == [
        .directory(Path("/other")), .tcp(host: "::1", port: 7), .file(Path("/b.bundle")),
      ])
    try again.contactBook.renamePeer("desk", to: "kitchen")
    try again.contactBook.renamePeer("kitchen", to: "kitchen")
    _ = try again.contactBook.forgetPeer("mail")
    #expect(try book.contactBook.contacts().map(\.name) == ["stick", "kitchen"])
    #expect(throws: DaybookError.self) { try book.contactBook.renamePeer("stick", to: "kitchen") }
    #expect(throws: DaybookError.self) { try book.contactBook.renamePeer("desk", to: "x") }
    #expect(throws: DaybookError.self) { try book.contactBook.forgetPeer("desk") }
    for name in ["", "a/b", "tcp://a:1", "daybook1:AA", "a\nb", "-", ".."] {
      #expect(throws: DaybookError.self, "\(name)") {
        try book.contactBook.addPeer(name, at: Self.stick)
      }
    }
  }

  @Test(arguments: ["s3://my-bucket", "s3://my-bucket/a/b"], [false, true])
  func `Peers: the service of a bucket is kept after reopening`(
    text: String, usesPath: Bool
  ) throws {
    let desk = try Desk(seed: 928)
    let book = try desk.found()
    let services = [
      S3Service(
        host: "storage.example.org", port: 9443, isEncrypted: true, region: "eu-central-1",
        usesPath: usesPath),
      S3Service(
        host: "::1", port: 9000, isEncrypted: false, region: "garage", usesPath: usesPath),
    ]
    let addresses = try services.map { service in
      let place = StorePlace.bucket(try #require(BucketAddress(text, at: service)))
      return PeerAddress.store(StoreAddress(in: place, store: Self.id, book: book.id))
    }
    for (name, address) in zip(["far", "near"], addresses) {
      try book.contactBook.addPeer(name, at: address)
    }
    #expect(try desk.open().contactBook.contacts().map(\.address) == addresses)
  }

  @Test(arguments: [
    #""endpoint": "http://other:80", "region": "r""#, #""endpoint": "other", "region": "r""#,
    #""region": "r""#, #""endpoint": "https://other""#,
  ])
  func `Peers: a bucket without an acceptable service is an unreadable file`(
    service: String
  ) throws {
    let desk = try Desk(seed: 929)
    let book = try desk.found()
    let file = """
      {"peers": [{"name": "a", "s3": "s3://my-bucket", \(service), "store": "\(Self.id.hex)", "book": "\(book.id.hex)"}]}
      """
    try desk.simulated.disk.replace(Self.file, with: Array(file.utf8))
    #expect(throws: DaybookError.self) { try book.contactBook.contacts() }
  }

  @Test func `Peers: a peer is named after its device until the user renames it`() throws {
    let office = Office(seed: 925)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    let key = Hex.encode(try two.core.localDevice.identity.publicKey.bytes)
    let file =
      "{\"peers\": [{\"name\": \"two\", \"after\": \"two\", \"tcp\": \"a:1\", \"key\": \"\(key)\"}]}"
    try office.places[0].simulated.disk.replace(one.layout.contacts, with: Array(file.utf8))
    try two.admin.rename(try two.deviceList.device(called: "two"), to: "pocket")
    #expect(try one.contactBook.contacts().map(\.name) == ["two"])
    // The news arrives through the folder, and not from the peer.
    try office.exchange()
    #expect(try one.contactBook.contacts().map(\.name) == ["pocket"])
    #expect(try one.contactBook.contact(called: "pocket").address == .tcp(host: "a", port: 1))
    try one.admin.rename(try one.deviceList.device(called: "pocket"), to: "phone")
    #expect(try one.contactBook.knownPeers().map(\.contact.name) == ["phone"])
    try one.contactBook.renamePeer("phone", to: "mine")
    try one.admin.rename(try one.deviceList.device(called: "phone"), to: "pocket")
    #expect(try one.contactBook.contacts().map(\.name) == ["mine"])
  }

  @Test func `Peers: fields that a later version wrote are kept`() throws {
    let desk = try Desk(seed: 922)
    let book = try desk.found()
    let later = """
      {"peers": [{"name": "a", "hub": "h", "tcp": "a:1"}, {"name": "b", "hub": "x"}], "more": [1]}
      """
    try desk.simulated.disk.replace(Self.file, with: Array(later.utf8))
    #expect(try book.contactBook.contacts().map(\.address) == [.tcp(host: "a", port: 1), nil])
    try book.contactBook.renamePeer("a", to: "c")
    let written = try JSON(parsing: Array(text(desk).utf8))
    let expected = """
      {"peers": [{"name": "c", "tcp": "a:1", "hub": "h"}, {"name": "b", "hub": "x"}], "more": [1]}
      """
    #expect(written == (try JSON(parsing: Array(expected.utf8))))
  }

  @Test(arguments: [
    "", "{", "[]", #"{"peers": 1}"#, #"{"peers": [1]}"#, #"{"peers": [{"name": ""}]}"#,
    #"{"peers": [{"name": "a"}, {"name": "a"}]}"#, #"{"peers": [{"name": "a", "tcp": "b"}]}"#,
    #"{"peers": [{"name": "a", "key": "00"}]}"#,
  ])
  func `Peers: an unreadable file is reported and left unchanged`(damage: String) throws {
    let desk = try Desk(seed: 923)
    let book = try desk.found()
    try desk.simulated.disk.makeDirectories(Path("/stick"))
    try desk.simulated.disk.replace(Self.file, with: Array(damage.utf8))
    let told = #expect(throws: DaybookError.self) { try book.contactBook.contacts() }
    guard case .contacts(Self.file, _) = told else {
      Issue.record("\(String(describing: told))")
      return
    }
    #expect(throws: DaybookError.self) { try book.contactBook.addPeer("stick", at: Self.stick) }
    // The book itself is still usable.
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    _ = try book.replicator.sync(with: Self.stick)
    #expect(try text(desk) == damage)
  }

  @Test func `Peers: a sync is recorded for the peer with its address`() throws {
    let desk = try Desk(seed: 924)
    let book = try desk.found()
    try desk.simulated.disk.makeDirectories(Path("/stick"))
    try book.contactBook.addPeer("stick", at: Self.stick)
    try book.contactBook.addPeer("other", at: .directory(Path("/other")))
    _ = try book.replicator.sync(with: Self.stick)
    let now = desk.simulated.timekeeper.now().milliseconds
    #expect(try book.contactBook.contacts().map(\.synced) == [now, nil])
  }

  @Test func `Peers: a peer that moved to a new address loses its sync state`() throws {
    let desk = try Desk(seed: 926)
    let book = try desk.found()
    try desk.simulated.disk.makeDirectories(Path("/stick"))
    try book.contactBook.addPeer("stick", at: Self.stick)
    _ = try book.replicator.sync(with: Self.stick)
    #expect(try book.contactBook.knownPeers().map(\.isBehind) == [false])
    try book.contactBook.addPeer("stick", at: Self.stick)
    #expect(try book.contactBook.contacts().map { $0.synced != nil } == [true])
    try book.contactBook.addPeer("stick", at: .directory(Path("/other")))
    #expect(try book.contactBook.contacts().map(\.synced) == [nil])
    #expect(try book.contactBook.knownPeers().map(\.isBehind) == [true])
  }

  @Test func `Peers: a folder is behind once the book has changed, whatever the clock showed`()
    throws
  {
    let desk = try Desk(seed: 927)
    let book = try desk.found()
    let clock = desk.simulated.timekeeper
    let noon = clock.now()
    try desk.simulated.disk.makeDirectories(Path("/stick"))
    try book.contactBook.addPeer("stick", at: Self.stick)
    clock.advance(milliseconds: 7_200_000)
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    clock.set(noon)
    _ = try book.replicator.sync(with: Self.stick)
    #expect(try book.contactBook.knownPeers().map(\.isBehind) == [false])
    _ = try book.commands.perform(.addList(name: "Work", colour: nil))
    #expect(try book.contactBook.knownPeers().map(\.isBehind) == [true])
    _ = try book.replicator.sync(with: Self.stick)
    #expect(try book.contactBook.knownPeers().map(\.isBehind) == [false])
  }

  @Test func `Peers: a peer that does not answer delays no other`() throws {
    let desk = try Desk(seed: 925)
    let disk = desk.simulated.disk
    let network = SilentNetwork()
    let machine = Machine(
      disk: disk, timekeeper: SystemTimekeeper(), dice: desk.simulated.dice, network: network,
      beside: SystemThread.start)
    for name in ["a", "b"] { try disk.makeDirectories(Path("/\(name)")) }
    _ = try desk.found()
    let book = try Book(at: Desk.folder, on: machine, view: .memory)
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    try book.contactBook.addPeer("silent", at: .tcp(host: "silent", port: 1))
    for name in ["a", "b"] { try book.contactBook.addPeer(name, at: .directory(Path("/\(name)"))) }
    var ended: [String] = []
    try ParallelSync(of: book).run(with: try book.contactBook.contacts(), admitting: false) {
      meeting in
      switch meeting.visit {
      case .done(let receipt):
        #expect(receipt.sent.map(\.events) == [2])
        ended.append(meeting.contact.name)
      case .failed(let error):
        #expect("\(error)".contains("timedOut"))
        ended.append("not \(meeting.contact.name)")
      }
      if ended.count == 2 { network.letGo() }
    }
    #expect(ended.dropLast().sorted() == ["a", "b"])
    #expect(ended.last == "not silent")
    #expect(network.keptWaiting)
    #expect(try disk.list(Path("/a")) == disk.list(Path("/b")))
  }

  @Test func `Peers: a machine with one thread syncs with one peer after the other`() throws {
    let desk = try Desk(seed: 926)
    for name in ["a", "b"] { try desk.simulated.disk.makeDirectories(Path("/\(name)")) }
    let book = try desk.found()
    for name in ["a", "b"] { try book.contactBook.addPeer(name, at: .directory(Path("/\(name)"))) }
    try book.contactBook.addPeer("nowhere", at: .tcp(host: "nowhere", port: 1))
    var ended: [String] = []
    try ParallelSync(of: book).run(with: try book.contactBook.contacts(), admitting: false) {
      meeting in
      if case .failed = meeting.visit { ended.append("not") }
      ended.append(meeting.contact.name)
    }
    #expect(ended == ["a", "b", "not", "nowhere"])
  }
}
