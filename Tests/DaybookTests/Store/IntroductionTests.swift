import Bytes
import Crypto
import Platform
import Sealing
import Syncing
import Testing

@testable import Daybook

/// Devices that reach the others only through a sealed store, and whose keys the others do not know yet.
struct IntroductionTests {
  /// A step of a history.
  private enum Step {
    case rekey
    /// The device revokes the key that it has replaced.
    case revokeOld
    case revoke(String)
    case rotate
    case sync
  }

  /// The steps that a device takes in order.
  private typealias Lane = (device: Int, steps: [Step])

  /// All orders of the steps of some devices.
  private static func orders(of lanes: [Lane]) -> [[(device: Int, step: Step)]] {
    var orders: [[(device: Int, step: Step)]] = []
    for place in lanes.indices where !lanes[place].steps.isEmpty {
      var rest = lanes
      let step = rest[place].steps.removeFirst()
      orders += Self.orders(of: rest).map { [(lanes[place].device, step)] + $0 }
    }
    return orders.isEmpty ? [[]] : orders
  }

  /// Someone with all that a device had before it took a new key.
  private struct Thief {
    let keys: DeviceKeys
    private(set) var ring: KeyRing

    init(of book: Book) throws {
      (keys, ring) = (try book.storeKeys.ownKeys(), try book.storeKeys.ring())
    }

    /// Takes every key that the store has for the stolen key, from anyone.
    mutating func take(_ office: SealedOffice) throws {
      let packages = office.names("k-").compactMap { name -> KeyPackage? in
        guard case .package(let id)? = try? ObjectName(parsing: name) else { return nil }
        return office.objects[name].flatMap { try? KeyPackage(decoding: $0, as: id) }
      }
      for package in packages {
        guard let key = try? package.unwrap(with: keys.agreement, in: ring.book) else { continue }
        let packager = try package.open(with: key).packager
        _ = try ring.take(
          package, with: keys.agreement, knowing: MemberKeys(admitted: [packager], revoked: []))
      }
    }

    func opens(_ name: String) -> Bool {
      guard case .events(let sealed)? = try? ObjectName(parsing: name) else { return false }
      return (try? ring.open(sealed)) != nil
    }
  }

  /// Runs a history, and checks that the thief of the old key can open nothing that a device sealed once it knew that
  /// the key was revoked, and that all devices that remain then agree.
  private func run(
    _ order: [(device: Int, step: Step)], rekeying: Int, _ names: [String], seed: UInt64
  ) throws {
    let office = try SealedOffice(of: names, seed: seed)
    let books = office.books
    let device = books[rekeying]
    var thief = try Thief(of: device)
    let stolen = thief.keys.signing.publicKey
    var gone: Set<String> = []
    var secret: Set<String> = []
    for (number, step) in order {
      let book = books[number]
      let before = Set(office.names("e-"))
      switch step {
      case .rekey: _ = try book.admin.rekey()
      case .revokeOld:
        let old = try book.deviceList.devices().first { $0.key == stolen.bytes }
        _ = try book.revoker.revoke(try #require(old))
      case .revoke(let name):
        _ = try book.revoker.revoke(try book.deviceList.device(called: name))
        gone.insert(name)
      case .rotate: _ = try book.storeKeys.rotate()
      case .sync:
        try TrustingTests.add("\(names[number]) \(secret.count)", to: book)
        try office.sync(book)
        // The sync has folded everything before it sealed.
        guard try book.storeKeys.members().revoked.contains(stolen) else { continue }
        secret.formUnion(Set(office.names("e-")).subtracting(before))
      }
    }
    let left = books.indices.filter { !gone.contains(names[$0]) }.map { books[$0] }
    for book in left + left { try office.sync(book) }
    try thief.take(office)
    #expect(!secret.contains(where: thief.opens))
    let lists = try TrustingTests.names(device)
    for book in left {
      #expect(try office.sync(book).problems == [])
      #expect(try TrustingTests.names(book) == lists)
      #expect(try book.deviceList.waitingDevices().isEmpty)
    }
  }

  private func runAll(
    _ lanes: [Lane], rekeying: Int, _ names: String..., seed: UInt64
  ) throws -> Int {
    let orders = Self.orders(of: lanes)
    for order in orders { try run(order, rekeying: rekeying, names, seed: seed) }
    return orders.count
  }

  @Test(arguments: [0, 1])
  func `Introduction: in each order of a new key, a revocation of the old one and syncs, all agree`(
    rekeying: Int
  ) throws {
    let lanes: [Lane] = [
      (rekeying, [.rekey, .revokeOld, .sync]), (1 - rekeying, [.sync]), (2, [.sync]),
    ]
    #expect(
      try runAll(lanes, rekeying: rekeying, "one", "two", "three", seed: 1_101) == 20)
  }

  @Test func `Introduction: in each order of a new key and another device's revocation, all agree`()
    throws
  {
    let lanes: [Lane] = [
      (1, [.rekey, .revokeOld, .sync]), (2, [.revoke("four"), .sync]),
    ]
    #expect(
      try runAll(lanes, rekeying: 1, "one", "two", "three", "four", seed: 1_102) == 10)
  }

  @Test func `Introduction: a device may replace its key twice or make a store key before a sync`()
    throws
  {
    let histories: [[Step]] = [
      [.rekey, .rekey, .revokeOld, .rotate, .sync], [.rekey, .rotate, .sync],
      [.rekey, .revoke("three"), .sync],
    ]
    for history in histories {
      try run(history.map { (0, $0) }, rekeying: 0, ["one", "two", "three"], seed: 1_103)
    }
  }

  @Test func `Introduction: a device that the others know vouches for one that they do not know`()
    throws
  {
    let office = try SealedOffice("one", "two", "three", seed: 1_104)
    let (one, two) = (office.books[0], office.books[1])
    // A device that is admitted and hears of a revocation elsewhere is the first to seal afterwards.
    let four = try office.office.join("four")
    try TrustingTests.add("four", to: four)
    _ = try four.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try one.revoker.revoke(try one.deviceList.device(called: "three"))
    _ = try one.replicator.sync(with: Office.directory)
    _ = try four.replicator.sync(with: Office.directory)
    let store = try office.address
    try office.sync(four, with: store)
    let isWaiting = try office.sync(two).problems.contains { problem in
      if case .waiting = problem { true } else { false }
    }
    #expect(isWaiting)
    try office.sync(one)
    #expect(try office.sync(two).problems == [])
    #expect(try TrustingTests.names(two) == ["four", "one", "three", "two"])
    // Nothing is put again, although two has not written anything since.
    let before = office.names("k-")
    for book in [one, two, one] { try office.sync(book) }
    #expect(office.names("k-") == before)
  }
}
