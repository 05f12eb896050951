import Bytes
import Crypto
import Journaling
import Platform
import Sealing
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// The keys of sealed stores on one device, and what it knows about the devices that may have them.
struct StoreKeyKeeperTests {
  /// The keys of a device that is not admitted.
  private func stranger() throws -> DeviceKeys { try Flood(seed: 9).keys }

  private func recipient(_ keys: DeviceKeys) throws -> KeyRecipient {
    try KeyRecipient(signing: keys.signing.publicKey, agreement: keys.agreement.publicKey)
  }

  /// Writes a trust event that the program itself would not write.
  private func write(_ verb: TrustVerb, by book: Book) throws {
    try book.access.withLock { () throws(DaybookError) in
      var posting = try book.core.projector.posting()
      _ = try book.writer.append([], trusting: [verb], knowing: &posting)
    }
  }

  /// Carries the log of one book to another, which stores the frames and does not fold them.
  private func carry(from source: Book, to book: Book) throws {
    let log = try #require(try source.core.localDevice.ownLog)
    var intake = Intake(BookReplica(of: book.replica))
    try BookReplica(of: source.replica).forEachFrame(
      of: log, lackedBy: book.core.store.journal.ends(of: log)
    ) { (frame) throws(SyncError) in
      try intake.take(frame, of: log)
    }
    try intake.commit()
    #expect(intake.problems == [])
  }

  /// Adds a key to the ring of a book, as if a device had made it.
  private func add(
    _ number: UInt8, at time: Int64, by maker: DeviceKeys, to book: Book
  ) throws -> UniqueID {
    let key = StoreKey(Array(repeating: number, count: StoreKey.byteCount))
    let members = MemberKeys(
      admitted: [maker.signing.publicKey], revoked: [], recipients: [try recipient(maker)])
    try book.storeKeys.change { ring throws(DaybookError) in
      do throws(StoreKeyError) {
        _ = try ring.make(key, at: time, knowing: members, signedBy: maker.signing)
      } catch {
        throw .storeKey(error)
      }
    }
    return key.id
  }

  /// The path and the fault of a file with keys that cannot be read.
  private func fault(_ body: () throws -> Void) -> (Path, StoreKeyError)? {
    let error = #expect(throws: DaybookError.self) { try body() }
    guard case .storeKeys(let path, let fault)? = error else { return nil }
    return (path, fault)
  }

  private func founded(seed: UInt64) throws -> (desk: Desk, book: Book) {
    let desk = try Desk(seed: seed)
    let book = try desk.found()
    try TrustingTests.add("Home", to: book)
    return (desk, book)
  }
}

// MARK: - Members

extension StoreKeyKeeperTests {
  @Test func `Members: revoked and replaced keys stay admitted, and any key can be revoked`() throws
  {
    let (_, books) = try TrustingTests.office("one", "two", "three", seed: 931)
    let (one, two, three) = (books[0], books[1], books[2])
    let former = try three.storeKeys.ownKeys()
    _ = try three.admin.rekey()
    try TrustingTests.exchange(books)
    let neverAdmitted = try stranger().signing.publicKey
    try write(.revoke(neverAdmitted, kept: []), by: one)
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    try TrustingTests.exchange(books)
    let keys = try books.map { try $0.storeKeys.ownKeys() } + [former]
    #expect(Set(keys.map(\.signing.publicKey)).count == 4)
    for book in [one, three] {
      let members = try book.storeKeys.members()
      #expect(members.admitted == Set(keys.map(\.signing.publicKey)))
      #expect(members.revoked == [neverAdmitted, try two.storeKeys.ownKeys().signing.publicKey])
      #expect(members.recipients.count == 4)
      #expect(Set(members.recipients) == Set(try keys.map(recipient)))
    }
  }

  @Test func `Members: a revocation counts as soon as its frame is stored`() throws {
    let (_, books) = try TrustingTests.office("one", "two", "three", seed: 932)
    let (one, two, three) = (books[0], books[1], books[2])
    #expect(try one.storeKeys.members().revoked == [])
    _ = try two.revoker.revoke(try two.deviceList.device(called: "three"))
    try carry(from: two, to: one)
    #expect(try one.storeKeys.members().revoked == [three.storeKeys.ownKeys().signing.publicKey])
  }

  @Test func `Members: a revocation that another process has stored counts`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 933)
    let one = books[0]
    one.core.store.noticesOthers = false
    let other = try office.place("one").open()
    _ = try other.revoker.revoke(try other.deviceList.device(called: "two"))
    #expect(
      try one.storeKeys.members().revoked == [books[1].storeKeys.ownKeys().signing.publicKey])
  }

  @Test func `Members: a log that is set aside counts once its device is known`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 934)
    let (one, two) = (books[0], books[1])
    let three = try office.join("three")
    try TrustingTests.add("three", to: three)
    _ = try three.replicator.sync(with: Office.directory)
    _ = try two.replicator.sync(with: Office.directory, admission: .always)
    _ = try three.replicator.sync(with: Office.directory)
    let key = try stranger().signing.publicKey
    try write(.revoke(key, kept: []), by: three)
    // The log arrives before the admission of its device.
    try carry(from: three, to: one)
    #expect(try one.storeKeys.members().revoked == [])
    try carry(from: two, to: one)
    #expect(one.core.store.journal.aside.count == 1)
    let own = try three.storeKeys.ownKeys()
    let members = try one.storeKeys.members()
    #expect(members.revoked == [key])
    #expect(members.admitted.contains(own.signing.publicKey))
    #expect(members.recipients.contains(try recipient(own)))
  }
}

// MARK: - The file

extension StoreKeyKeeperTests {
  @Test func `Store keys: without a file there are none, and a change is kept after reopening`()
    throws
  {
    let (desk, book) = try founded(seed: 936)
    let path = book.layout.storeKeys(of: book.id)
    #expect(try book.storeKeys.ring() == KeyRing(book: book.id))
    #expect(try book.storeKeys.change { ring in ring.keys.count } == 0)
    #expect(desk.simulated.disk.files[path] == nil)
    let id = try add(1, at: 5, by: try book.storeKeys.ownKeys(), to: book)
    let ring = try book.storeKeys.ring()
    #expect(ring.keys.map(\.key.id) == [id])
    #expect(desk.simulated.disk.files[path] == ring.bytes)
    #expect(try desk.open().storeKeys.ring() == ring)
  }

  @Test func `Store keys: a change that fails writes nothing`() throws {
    let (_, book) = try founded(seed: 937)
    _ = try add(1, at: 5, by: try book.storeKeys.ownKeys(), to: book)
    let ring = try book.storeKeys.ring()
    #expect(throws: DaybookError.self) {
      try book.storeKeys.change { ring throws(DaybookError) in
        ring.forget(Set(ring.keys.map(\.key.id)))
        throw .declined
      }
    }
    #expect(try book.storeKeys.ring() == ring)
  }

  @Test func `Store keys: changes of two processes are both kept`() throws {
    let (desk, book) = try founded(seed: 938)
    let other = try desk.open()
    let keys = try book.storeKeys.ownKeys()
    let ids = [
      try add(1, at: 5, by: keys, to: book), try add(2, at: 6, by: keys, to: other),
      try add(3, at: 7, by: keys, to: book),
    ]
    #expect(try other.storeKeys.ring().keys.map(\.key.id) == ids)
  }

  @Test func `Store keys: a damaged file is reported and never overwritten`() throws {
    let (desk, book) = try founded(seed: 939)
    let path = book.layout.storeKeys(of: book.id)
    _ = try add(1, at: 5, by: try book.storeKeys.ownKeys(), to: book)
    let other = UniqueID(high: 1, low: 2)
    for (bytes, expected): ([UInt8], StoreKeyError) in [
      // An array of the one number 2.
      ([0x81, 0x02], .version(2)), ([], .content(.truncated(at: 0))),
      (KeyRing(book: other).bytes, .otherBook(other)),
    ] {
      try desk.simulated.disk.replace(path, with: bytes)
      for found in [
        fault { _ = try book.storeKeys.ring() }, fault { _ = try book.storeKeys.listedKeys() },
        fault { _ = try book.storeKeys.rotate() },
      ] {
        let (place, fault) = try #require(found)
        #expect(place == path)
        #expect(fault == expected)
      }
      #expect(desk.simulated.disk.files[path] == bytes)
    }
  }

  @Test func `Store keys: a new book begins without keys, and the former ones are kept`() throws {
    let (desk, book) = try founded(seed: 940)
    let former = book.layout.storeKeys(of: book.id)
    _ = try add(1, at: 5, by: try book.storeKeys.ownKeys(), to: book)
    let ring = try book.storeKeys.ring()
    try book.refounder.found(anew: try book.refounder.newFounding(with: []))
    #expect(try book.storeKeys.ring() == KeyRing(book: book.id))
    let made = try book.storeKeys.rotate()
    #expect(try book.storeKeys.ring().keys.map(\.key.id) == [made.id])
    #expect(desk.simulated.disk.files[former] == ring.bytes)
  }
}

// MARK: - The list, and new keys

extension StoreKeyKeeperTests {
  @Test func `Store keys: the list has the maker and the state of each, the last one first`() throws
  {
    let (_, books) = try TrustingTests.office("one", "two", "three", seed: 941)
    let one = books[0]
    #expect(try one.storeKeys.listedKeys() == [])
    let makers = try books.map { try $0.storeKeys.ownKeys() } + [try stranger()]
    var ids: [UniqueID] = []
    for (place, maker) in makers.enumerated() {
      ids.append(try add(UInt8(place + 1), at: Int64(place + 1), by: maker, to: one))
    }
    func listed(_ states: [ListedStoreKey.State]) -> [ListedStoreKey] {
      let names = ["one", "two", "three", nil]
      return states.indices.reversed().map { place in
        ListedStoreKey(
          id: ids[place], made: Int64(place + 1), makerName: names[place],
          makerWords: makers[place].signing.publicKey.fingerprint, state: states[place])
      }
    }
    #expect(try one.storeKeys.listedKeys() == listed([.fit, .fit, .used, .old(.makerUnknown)]))
    _ = try one.revoker.revoke(try one.deviceList.device(called: "three"))
    let old: [ListedStoreKey.State] = [
      .old(.laterRevocation), .old(.laterRevocation), .old(.makerRevoked), .old(.makerUnknown),
    ]
    #expect(try one.storeKeys.listedKeys() == listed(old))
    let made = try one.storeKeys.rotate()
    #expect(try one.storeKeys.listedKeys() == [made] + listed(old))
  }

  @Test func `Store keys: a new key is in use, and the one before it only fit`() throws {
    let (_, book) = try founded(seed: 942)
    let first = try book.storeKeys.rotate()
    #expect(first.state == .used)
    let second = try book.storeKeys.rotate()
    #expect(second.state == .used)
    #expect(second.made > first.made)
    #expect(second.makerName == "laptop")
    var former = first
    former.state = .fit
    #expect(try book.storeKeys.listedKeys() == [second, former])
    let members = try book.storeKeys.members()
    #expect(try book.storeKeys.ring().sealingKey(knowing: members)?.id == second.id)
  }

  @Test func `Store keys: a device that is not admitted or was revoked makes none`() throws {
    let (office, books) = try TrustingTests.office("one", "two", seed: 943)
    _ = try books[0].revoker.revoke(try books[0].deviceList.device(called: "two"))
    try TrustingTests.exchange(books)
    for book in [books[1], try office.join("waiting")] {
      let error = #expect(throws: DaybookError.self) { _ = try book.storeKeys.rotate() }
      guard case .storeKey(.notTrusted)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(try book.storeKeys.ring().keys == [])
    }
  }
}
