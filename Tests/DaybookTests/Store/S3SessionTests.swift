import Platform
import ReadModel
import S3
import SimulatedPlatform
import StorageStandIn
import Synchronization
import Syncing
import Testing

@testable import Daybook

/// Sessions of two devices with a sealed store in a bucket.
struct S3SessionTests {
  private static let variables = [
    "AWS_ACCESS_KEY_ID": "ID", "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_ENDPOINT_URL": "http://127.0.0.1:8333",
  ]

  private let office: Office
  private let storage: S3StandIn
  private let books: [Book]
  private let address: PeerAddress

  init() throws {
    office = try TrustingTests.office("one", "two", seed: 1_010).0
    let clock = office.places[0].simulated.timekeeper
    let storage = S3StandIn(AccessKey(id: "ID", secret: "secret")) { clock.now().milliseconds }
    let machines = office.places.map { place in
      Machine(
        disk: place.machine.disk, timekeeper: place.machine.timekeeper, dice: place.machine.dice,
        network: storage, variable: { Self.variables[$0] })
    }
    books = try machines.map { try Book(at: Office.folder, on: $0, view: .memory) }
    for (book, machine) in zip(books, machines) {
      let place = try StorePlace(
        bucket: "s3://bucket/p", BucketOptions(usesPath: true), on: machine)
      _ = try SealedPeerFounder(book.replicator).add("cloud", in: place, forcing: false)
    }
    self.storage = storage
    address = try #require(
      try books[0].contactBook.contacts().first { $0.name == "cloud" }?.address)
  }

  private func sync(_ numbers: Int...) throws {
    for number in numbers {
      for place in office.places { place.simulated.timekeeper.advance(milliseconds: 10) }
      _ = try books[number].replicator.sync(with: address)
    }
  }

  /// The number of objects with events.
  private var count: Int { storage.state.withLock { $0.objects.keys.count { $0.contains("/e-") } } }

  @Test func `S3 session: devices exchange all events through a bucket`() throws {
    let second = try books[1].contactBook.contacts().first { $0.name == "cloud" }
    #expect(second?.address == address)
    try TrustingTests.add("a", to: books[0])
    try TrustingTests.add("b", to: books[1])
    try sync(0, 1, 0)
    for book in books { #expect(try TrustingTests.names(book) == ["a", "b", "one", "two"]) }
  }

  @Test(arguments: [1, 2])
  func `S3 session: a bucket that lost all objects, or every second one, is filled again`(
    step: Int
  ) throws {
    try sync(0, 1, 0)
    let before = count
    storage.state.withLock { state in
      for (number, key) in state.objects.keys.sorted().enumerated() where number % step == 0 {
        state.objects[key] = nil
      }
    }
    #expect(count < before)
    try sync(0, 1)
    #expect(count == before)
    try TrustingTests.add("a", to: books[0])
    try sync(0, 1)
    #expect(try TrustingTests.names(books[1]) == ["a", "one", "two"])
  }

  @Test func `S3 session: a device with its own credentials joins through a bucket`() throws {
    guard case .store(let store) = address else {
      Issue.record("the peer is not a store")
      return
    }
    let desk = books[0].invitations.storeDesk
    let invitation = try desk.invite(through: store, asking: false).invitation
    let parsed = try StoreInvitation(parsing: invitation.text)
    #expect(parsed == invitation && !invitation.text.contains("secret"))
    let place = try office.place("three")
    place.simulated.timekeeper.set(office.places[0].simulated.timekeeper.now())
    let machine = Machine(
      disk: place.machine.disk, timekeeper: place.machine.timekeeper, dice: place.machine.dice,
      network: storage, variable: { Self.variables[$0] })
    let begun = try StoreJoining.begin(
      at: Office.folder, by: parsed, on: machine, deviceName: "three", view: .memory,
      confirm: { _ in true })
    guard case .waiting = begun.step else {
      Issue.record("the device has joined at once")
      return
    }
    try sync(0)
    let result = try #require(
      try StoreJoining.resume(at: Office.folder, on: machine, view: .memory))
    guard case .joined = result.step else {
      Issue.record("the device has not joined")
      return
    }
    #expect(try TrustingTests.names(result.book) == ["one", "two"])
    try sync(0)
    #expect(try books[0].statusReader.digest() == result.book.statusReader.digest())
  }
}
