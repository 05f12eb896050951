import Bytes
import Crypto
import Platform
import Sealing
import SimulatedPlatform
import Syncing
import Testing

struct SealedPeerTests {
  private let machine = SimulatedMachine(seed: 31)
  private let anna: SealedDevice
  private let bert: SealedDevice

  init() throws {
    for folder in [DirectoryTests.folder, Path("/book")] {
      try machine.disk.makeDirectories(folder)
    }
    anna = try SealedDevice(1, SessionTests.anna())
    bert = try SealedDevice(2, SessionTests.bert())
    try SealedDevice.introduce([anna, bert])
  }

  /// The objects of the store, by their names.
  private var objects: [String: [UInt8]] {
    let files = machine.disk.files.filter { $0.key.parent == SealedDevice.address.location }
    return Dictionary(uniqueKeysWithValues: files.map { ($0.key.name, $0.value) })
  }

  private func names(_ kind: String) -> [String] {
    objects.keys.filter { $0.hasPrefix(kind) }.sorted()
  }

  private func path(_ name: String) -> Path { SealedDevice.address.location / name }

  @discardableResult
  private func sync(_ device: SealedDevice) throws -> SealedDevice.Outcome {
    machine.timekeeper.advance(milliseconds: 10)
    return try device.sync(on: machine.machine)
  }

  // MARK: Exchange

  @Test func `Sealed peer: devices exchange all events through the store`() throws {
    #expect(try sync(anna).pushed == DirectoryReport(sent: [.anna: 4, .cleo: 2]))
    let outcome = try sync(bert)
    #expect(outcome.pulled == DirectoryReport(received: [.anna: 2, .cleo: 1]))
    #expect(outcome.pushed == DirectoryReport(sent: [.bert: 3]))
    #expect(try sync(anna).pulled == DirectoryReport(received: [.bert: 3]))
    #expect(
      [anna, bert].map { SessionTests.contents($0.holder) }
        == [SessionTests.united, SessionTests.united])
    #expect(anna.ring == bert.ring)
  }

  @Test func `Sealed peer: no text and no id is in any byte or name of the store`() throws {
    anna.holder.write(["canary canary canary canary"], to: .anna)
    try sync(anna)
    try sync(bert)
    #expect(names("e-").count == 3 && names("k-").count == 1)
    let ids = [UniqueID.book, .anna, .bert, .cleo].map(\.bytes)
    let keys = [anna, bert].flatMap {
      [$0.keys.signing.publicKey.bytes, $0.keys.agreement.publicKey]
    }
    for secret in ids + keys + [Array("canary".utf8)] {
      for (name, bytes) in objects {
        #expect(!bytes.contains(secret), "\(name)")
        #expect(!name.contains(Hex.encode(secret)))
      }
    }
  }

  @Test func `Sealed peer: an unchanged session writes nothing and reads two files`() throws {
    for device in [anna, bert, anna, bert] { try sync(device) }
    let (before, calls) = (machine.disk.files, machine.disk.calls.mutating)
    let disk = CountingDisk(machine.disk, in: DirectoryTests.folder)
    let outcome = try anna.sync(
      on: Machine(
        disk: disk, timekeeper: machine.timekeeper, dice: machine.dice,
        network: machine.network))
    #expect(outcome == SealedDevice.Outcome())
    // A block of one object, and one key package.
    #expect(disk.reads.files == 2)
    #expect(machine.disk.calls.mutating == calls)
    #expect(machine.disk.files == before)
  }

  @Test func `Sealed peer: the bell is written anew only after something was written`() throws {
    try sync(anna)
    let first = objects["bell"]
    #expect(first?.count == 16)
    try sync(anna)
    #expect(objects["bell"] == first)
    anna.holder.write(["more"], to: .anna)
    try sync(anna)
    #expect(objects["bell"] != first)
  }

  @Test func `Sealed peer: an outdated statement of a loss is removed`() throws {
    try sync(anna)
    let key = try #require(anna.ring.sealingKey(knowing: anna.members))
    let loss = NamedLoss(
      replica: .anna, events: 1...2, end: Digest([UInt8](repeating: 9, count: 32)))
    let name = ObjectName.loss(SealedName(sealing: loss, with: key)).text
    try machine.disk.replace(path(name), with: [])
    try sync(anna)
    #expect(names("l-") == [])
  }

  // MARK: Faults

  @Test func `Sealed peer: a store that was emptied is filled again, keys included`() throws {
    for device in [anna, bert, anna] { try sync(device) }
    for name in objects.keys { try machine.disk.remove(path(name)) }
    #expect(try sync(bert).pushed.sent == [.anna: 4, .bert: 3, .cleo: 2])
    let cleo = try SealedDevice(3, MemoryHolder(.cleo))
    try SealedDevice.introduce([anna, bert, cleo])
    // The new device has no key yet, and makes one for its own events.
    let outcome = try sync(cleo)
    #expect(outcome.pulled.received == [:])
    #expect(outcome.pulled.problems == [.waiting(SealedDevice.address.location, objects: 3)])
    try sync(bert)
    #expect(try sync(cleo).pulled == DirectoryReport(received: [.anna: 4, .bert: 3, .cleo: 2]))
  }

  @Test func `Sealed peer: half of the objects lost, all of them come back`() throws {
    for device in [anna, bert, anna] { try sync(device) }
    let before = objects
    for (number, name) in before.keys.sorted().enumerated() where number % 2 == 0 {
      try machine.disk.remove(path(name))
    }
    try sync(anna)
    try sync(bert)
    let bell = ["bell"]
    #expect(Set(objects.keys).subtracting(bell) == Set(before.keys).subtracting(bell))
    for (name, bytes) in before where name != "bell" { #expect(objects[name] == bytes) }
  }

  @Test func `Sealed peer: an object with a flipped bit is told, ignored and written again`() throws
  {
    try sync(anna)
    let before = objects
    for name in names("e-") + names("k-") {
      let bytes = try #require(before[name])
      for bit in stride(from: 0, to: bytes.count * 8, by: 61) {
        var other = bytes
        other[bit / 8] ^= 1 << UInt8(bit % 8)
        try machine.disk.replace(path(name), with: other)
        let fresh = try SealedDevice(2, MemoryHolder(.bert))
        fresh.members = bert.members
        try? machine.disk.remove(fresh.memory)
        let outcome = try sync(fresh)
        #expect(!(outcome.problems + outcome.pulled.problems).isEmpty, "\(name) \(bit)")
        for written in objects.keys where before[written] == nil {
          try machine.disk.remove(path(written))
        }
        try machine.disk.replace(path(name), with: bytes)
      }
    }
  }

  @Test func `Sealed peer: objects of another store or book cannot be opened`() throws {
    try sync(anna)
    let name = try #require(names("e-").first)
    let bytes = try #require(objects[name])
    let key = try #require(anna.ring.sealingKey(knowing: anna.members))
    guard case .events(let sealed) = try ObjectName(parsing: name) else {
      Issue.record("\(name)")
      return
    }
    let named = try sealed.open(with: key)
    for store in [
      StoreIdentity(book: .id(9), store: SealedDevice.address.store),
      StoreIdentity(book: .book, store: .id(9)),
    ] {
      #expect(throws: SealedObjectError.tag) {
        try SealedObject.open(bytes, as: named, in: store, with: key)
      }
    }
  }

  @Test func `Sealed peer: names that others have made are told, and names of no kind passed over`()
    throws
  {
    try sync(anna)
    let name = try #require(names("e-").first)
    let letters = Array(name)
    let last = letters[letters.count - 10]
    let other =
      String(letters.prefix(letters.count - 10)) + (last == "a" ? "b" : "a")
      + String(letters.suffix(9))
    try machine.disk.replace(path(other), with: [1, 2, 3])
    try machine.disk.replace(path("e-short"), with: [1])
    try machine.disk.replace(path("notes.txt"), with: [1])
    #expect(try sync(anna).pulled.problems == [.badName(path(other), .code)])
  }

  // MARK: Keys

  @Test func `Sealed peer: a revoked device opens nothing that is sealed afterwards`() throws {
    let thief = try SealedDevice(3, MemoryHolder(.cleo))
    try SealedDevice.introduce([anna, bert, thief])
    try sync(anna)
    #expect(try sync(thief).pulled.received == [.anna: 4, .cleo: 2])
    try SealedDevice.introduce([anna, bert, thief], revoking: [thief])
    anna.holder.write(["secret"], to: .anna)
    try sync(anna)
    #expect(try sync(bert).pulled.received == [.anna: 3, .cleo: 1])
    let outcome = try thief.peer(on: machine.machine).pull(
      into: thief.holder, openedWith: thief.ring)
    #expect(
      outcome
        == DirectoryReport(problems: [.waiting(SealedDevice.address.location, objects: 2)]))
    #expect(!thief.holder.texts(of: .anna).contains("secret"))
  }

  @Test func `Sealed peer: a device that has lost its keys takes all of them from the store again`()
    throws
  {
    try sync(anna)
    try anna.ring.make(
      StoreKey([UInt8](repeating: 9, count: StoreKey.byteCount)),
      at: machine.timekeeper.now().milliseconds, knowing: anna.members,
      signedBy: anna.keys.signing)
    for device in [anna, bert, bert] { try sync(device) }
    #expect(bert.ring == anna.ring && bert.ring.keys.count == 2)
    bert.ring = KeyRing(book: .book)
    #expect(try sync(bert) == SealedDevice.Outcome())
    #expect(bert.ring == anna.ring)
  }

  @Test func `Sealed peer: a device that is not admitted writes nothing`() throws {
    try sync(anna)
    let stranger = try SealedDevice(9, MemoryHolder(.id(9)).write(["hello"], to: .id(9)))
    stranger.members = anna.members
    let before = objects
    #expect(throws: StoreKeyError.notTrusted) { try sync(stranger) }
    #expect(objects == before)
  }

  @Test func `Sealed peer: with a full folder nothing is sealed with a key that others lack`()
    throws
  {
    machine.disk.becomeFull(afterBytes: 1)
    #expect(try sync(anna).problems == [.notLeft(DirectoryTests.folder, .full)])
    #expect(names("e-") == [])
  }
}

extension [UInt8] {
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard count >= other.count else { return false }
    return (0...count - other.count).contains { self[$0...].starts(with: other) }
  }
}
