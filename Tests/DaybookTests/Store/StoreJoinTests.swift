import Bytes
import Crypto
import Journaling
import Platform
import ReadModel
import Sealing
import SimulatedPlatform
import Syncing
import Testing
import Verifying

@testable import Daybook

/// The refusals of joins through a sealed store, and faults of the store.
struct StoreJoinTests: StoreJoinSuite {
  let office: SealedOffice
  let address: StoreAddress

  init() throws {
    office = try SealedOffice("one", seed: 1_040)
    address = try office.address
  }

  // MARK: The story

  @Test func `Store join: a device joins although it is never on together with the inviter`() throws
  {
    try TrustingTests.add("before", to: one)
    let invitation = try invite()
    #expect(isWaiting(try begin("two", invitation)))
    #expect(office.names("p-").count == 1)
    // Nothing happens until the inviter has synced, and each step can be repeated.
    #expect(isWaiting(try resume("two")))
    #expect(isWaiting(try begin("two", invitation)))
    #expect(office.names("p-").count == 1)
    let receipt = try sync()
    #expect(receipt.guests.map(\.fate) == [.admitted("two")])
    let book = try joined("two")
    #expect(book.id == one.id)
    #expect(try TrustingTests.names(book) == ["before", "one"])
    #expect(try book.deviceList.isAdmitted())
    try TrustingTests.add("after", to: book)
    _ = try book.replicator.sync(with: .store(address))
    try sync()
    #expect(try TrustingTests.names(one) == ["after", "before", "one"])
    #expect(try one.statusReader.digest() == book.statusReader.digest())
    for book in [one, book] { #expect(try book.verifier.verify().faults == []) }
    // The joiner keeps no invitation, and the inviter keeps no secret.
    #expect(try resume("two") == nil)
    #expect(files == ["store-invitations"])
    let entries = try StoreInvitationFile(store: one.core.store).read().entries
    #expect(entries.map(\.secret) == [nil] && entries.map(\.agreement) == [nil])
  }

  @Test func `Store join: no secret, key or name is in any byte of the store`() throws {
    let invitation = try invite()
    let book = try begin("two", invitation).book
    let keys = try book.core.localDevice.shownKeys()
    let knock = try #require(office.objects.first { $0.key.hasPrefix("p-") })
    try sync()
    let answer = try #require(office.objects.first { $0.key.hasPrefix("p-") })
    #expect(knock.key != answer.key && knock.value.count == answer.value.count)
    for secret in [
      invitation.secret, keys.signing.publicKey.bytes, keys.agreement.publicKey, Array("two".utf8),
    ] {
      for (name, bytes) in Array(office.objects) + [knock] {
        #expect(
          !Hex.encode(bytes).contains(Hex.encode(secret)) && !name.contains(Hex.encode(secret)))
      }
    }
  }

  // MARK: Refusals

  @Test func `Store join: each invitation admits one device`() throws {
    let invitation = try invite()
    _ = try begin("two", invitation)
    // Another device finds the knock before the inviter has answered, and the answer afterwards.
    #expect(fault { _ = try begin("three", invitation) } == .used)
    try sync()
    #expect(fault { _ = try begin("three", invitation) } == .used)
    #expect(try resume("three") == nil)
    #expect(try joined("two").id == one.id)
    #expect(try one.deviceList.devices().map(\.name).sorted() == ["one", "two"])
  }

  @Test func `Store join: a declined, cancelled or expired invitation is refused with the reason`()
    throws
  {
    for (end, code) in [("decline", 12), ("cancel", 12), ("expire", 9)] as [(String, UInt64)] {
      let invitation = try invite()
      #expect(isWaiting(try begin(end, invitation)))
      switch end {
      case "decline": #expect(try sync(false).guests.map(\.fate) == [.refused(.declined)])
      case "cancel":
        #expect(try one.invitations.storeDesk.cancel() == 1)
        #expect(try sync().guests == [])
      default:
        advance(86_400_001)
        #expect(try sync().guests == [])
      }
      #expect(fault { _ = try resume(end) } == .refused(code), "\(end)")
      #expect(try resume(end) == nil)
    }
    #expect(try one.deviceList.devices().map(\.name) == ["one"])
    #expect(
      try StoreInvitationFile(store: one.core.store).read().entries.map(\.secret) == [
        nil, nil, nil,
      ])
    // The answers are removed a week later.
    #expect(office.names("p-").count == 3)
    advance(9 * 86_400_000)
    try sync()
    #expect(office.names("p-") == [])
    #expect(try StoreInvitationFile(store: one.core.store).read().entries == [])
  }

  @Test func `Store join: a seventeenth open invitation cancels only the oldest open one`() throws {
    let first = try invite()
    #expect(isWaiting(try begin("two", first)))
    try sync()
    _ = try joined("two")
    let oldest = try invite()
    #expect(isWaiting(try begin("three", oldest)))
    for _ in 1...Limit.openInvitations { _ = try invite() }
    try sync()
    #expect(fault { _ = try resume("three") } == .refused(12))
    let entries = try StoreInvitationFile(store: one.core.store).read().entries
    #expect(
      entries.map(\.outcome)
        == [KnockAnswer.admitted, 12] + Array(repeating: nil, count: Limit.openInvitations))
    #expect(
      entries.filter { $0.secret == nil }.map(\.name) == [first, oldest].map(\.knockSecret.name))
  }

  @Test func `Store join: without an answer, the joiner gives up after a day`() throws {
    #expect(isWaiting(try begin("two", try invite())))
    advance(86_400_001)
    #expect(fault { _ = try resume("two") } == .unanswered)
    #expect(office.names("p-") == [] && files == ["store-invitations"])
  }

  @Test func `Store join: a wrong secret or a changed knock admits nobody`() throws {
    var wrong = try invite()
    wrong.secret[0] ^= 1
    #expect(isWaiting(try begin("two", wrong)))
    #expect(try sync().guests == [])
    let invitation = try invite()
    #expect(isWaiting(try begin("three", invitation)))
    let id = ObjectName.knock(invitation.knockSecret.id(of: .knock)).text
    let knock = try #require(office.objects[id])
    for bit in [0, 64, 320, knock.count * 8 - 1] {
      var changed = knock
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      try office.disk.replace(try office.path(id), with: changed)
      let receipt = try sync()
      #expect(receipt.guests == [])
      #expect(receipt.problems == [.badKnock(try office.path(id), bit < 64 ? .magic : .tag)])
    }
    // The joiner replaces the changed knock.
    #expect(isWaiting(try resume("three")))
    #expect(office.objects[id] == knock)
    try sync()
    #expect(try joined("three").id == one.id)
  }

  @Test func `Store join: a revoked key is refused, and the inviter's own invitation too`() throws {
    let first = try begin("two", try invite())
    try sync()
    _ = try joined("two")
    try sync()
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    let again = try invite()
    #expect(isWaiting((first.book, try begin("two", again).step)))
    #expect(try sync().guests.map(\.fate) == [.refused(.revokedKey)])
    #expect(fault { _ = try resume("two") } == .refused(11))
    let error = #expect(throws: DaybookError.self) {
      _ = try StoreJoining.begin(
        at: Office.folder, by: again, on: office.office.places[0].machine, deviceName: "one",
        view: .memory, confirm: { _ in true })
    }
    guard case .ownInvitation? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `Store join: a name that is taken gets a number`() throws {
    let invitation = try invite(asking: false)
    let result = try StoreJoining.begin(
      at: Office.folder, by: invitation, on: try place("two").machine, deviceName: "one",
      view: .memory, confirm: { _ in true })
    #expect(isWaiting(result))
    #expect(try sync(false).guests.map(\.fate) == [.admitted("one 2")])
    let book = try joined("two")
    #expect(try book.deviceList.devices().first { $0.isThis }?.name == "one 2")
  }

  @Test func `Store join: a device with a book of its own keeps its records`() throws {
    let place = try place("two")
    let own = try BookFactory.create(
      at: Office.folder, on: place.machine, deviceName: "two", view: .memory)
    try TrustingTests.add("mine", to: own)
    let invitation = try invite()
    let declined = #expect(throws: DaybookError.self) {
      _ = try StoreJoining.begin(
        at: Office.folder, by: invitation, on: place.machine, deviceName: "two", view: .memory,
        confirm: { _ in false })
    }
    guard case .declined? = declined else {
      Issue.record("the join is not declined")
      return
    }
    #expect(isWaiting(try begin("two", invitation)))
    // It can still be used while it waits.
    try TrustingTests.add("meanwhile", to: try place.open())
    try sync()
    let book = try joined("two")
    #expect(book.id == one.id)
    #expect(try TrustingTests.names(book) == ["meanwhile", "mine", "one"])
    try sync()
    #expect(try TrustingTests.names(one) == ["meanwhile", "mine", "one"])
    #expect(try one.statusReader.digest() == book.statusReader.digest())
  }

  // MARK: Faults of the store

  @Test func `Store join: lost packages and keys made meanwhile reach the joiner later`() throws {
    _ = try begin("two", try invite())
    try sync()
    // The store loses everything, and the inviter makes another key.
    for name in office.objects.keys { try office.disk.remove(try office.path(name)) }
    #expect(fault { _ = try resume("two") } == .noStore(SealedOffice.folder))
    _ = try one.storeKeys.rotate()
    try TrustingTests.add("later", to: one)
    let exchange = one.replicator.exchange
    _ = try SealedExchange(
      replica: exchange.replica, storeKeys: exchange.storeKeys, address: address
    ).run()
    let book = try joined("two")
    #expect(try TrustingTests.names(book) == ["later", "one"])
  }

  @Test func `Store join: keys of anyone but the inviter are not accepted`() throws {
    let invitation = try invite()
    let book = try begin("two", invitation).book
    let keys = try book.core.localDevice.shownKeys()
    // A thief with a key of its own makes a package for the joiner.
    let thief = try SigningKey(seed: [UInt8](repeating: 7, count: 32))
    let key = StoreKey([UInt8](repeating: 8, count: StoreKey.byteCount))
    let origin = try KeyOrigin(of: key, in: one.id, at: 1, revoked: [], signedBy: thief)
    let recipient = try KeyRecipient(
      signing: keys.signing.publicKey, agreement: keys.agreement.publicKey)
    let package = try KeyPackage(of: key, from: origin, for: [recipient], signedBy: thief)
    try office.disk.replace(
      try office.path(ObjectName.package(package.id).text), with: package.bytes)
    #expect(isWaiting(try resume("two")))
    try sync()
    let joined = try joined("two")
    #expect(try joined.storeKeys.ring().key(key.id) == nil)
  }
}
