import Bytes
import Crypto
import Sealing
import Testing

/// The rules for keys in all histories of a few devices.
struct FitnessModelTests {
  private static let devices = Result { try (0..<4).map { try TestDevice(UInt8($0)) } }

  /// The decisions of the program, which depend on a few bits, each made once.
  private static let rules = Result { try RuleTable(devices.get()).rules }

  private static func model(
    _ count: Int, hasThief: Bool, _ rules: FitnessModel.Rules, steps: Int
  ) -> FitnessModel {
    var model = FitnessModel(devices: count, hasThief: hasThief, rules: rules)
    model.run(steps: steps)
    return model
  }

  @Test(arguments: [(3, 496), (4, 30_782)])
  func `Fit keys: in all histories of seven steps, no device seals for one it knows to be revoked`(
    devices: Int, worlds: Int
  ) throws {
    let model = Self.model(devices, hasThief: false, try Self.rules.get(), steps: 7)
    #expect(model.violations == 0)
    #expect(model.visited == worlds)
  }

  @Test(arguments: [(3, 7, 2_497), (4, 6, 71_585)])
  func `Fit keys: a thief that gives keys away and states origins opens nothing once it is known`(
    devices: Int, steps: Int, worlds: Int
  ) throws {
    let model = Self.model(devices, hasThief: true, try Self.rules.get(), steps: steps)
    #expect(model.violations == 0)
    #expect(model.visited == worlds)
  }

  @Test
  func `Fit keys: without the list, the check on giving or the signed origin, they are unsafe`()
    throws
  {
    let rules = try Self.rules.get()
    var (listless, unchecked, unsigned) = (rules, rules, rules)
    listless.isFit = { origin, revoked in revoked & 1 << origin.maker == 0 }
    unchecked.allows = { _, _ in true }
    unsigned.isOriginSigned = false
    #expect(Self.model(3, hasThief: false, listless, steps: 4).violations > 0)
    #expect(Self.model(3, hasThief: false, unchecked, steps: 4).violations > 0)
    #expect(Self.model(3, hasThief: true, unsigned, steps: 4).violations > 0)
  }
}

/// The decisions of a ring with one key, for each origin and each knowledge.
private struct RuleTable {
  private var fit: Set<[UInt8]> = []
  private var allowed: Set<[UInt8]> = []

  init(_ devices: [TestDevice]) throws {
    let key = StoreKey([UInt8](repeating: 7, count: 32))
    let book = UniqueID(high: 0, low: 1)
    for maker in UInt8(0)..<4 {
      for list in UInt8(0)..<16 {
        let signer = devices[Int(maker)].keys.signing
        let origin = try KeyOrigin(
          of: key, in: book, at: 0, revoked: Self.keys(list, of: devices), signedBy: signer)
        let recipients = devices.map(\.recipient).filter(origin.allows)
        for device in UInt8(0)..<4 where origin.allows(devices[Int(device)].recipient) {
          allowed.insert([maker, list, device])
        }
        // A package needs a recipient, so there is no package of a key whose list has all devices.
        guard let first = devices.first(where: { recipients.contains($0.recipient) }) else {
          continue
        }
        var ring = KeyRing(book: book)
        let package = try KeyPackage(of: key, from: origin, for: recipients, signedBy: signer)
        let packagers = Set(devices.map(\.publicKey))
        _ = try ring.take(
          package, with: first.keys.agreement,
          knowing: MemberKeys(admitted: packagers, revoked: []))
        for revoked in UInt8(0)..<16 {
          let members = MemberKeys(
            admitted: packagers, revoked: Self.keys(revoked, of: devices))
          if ring.sealingKey(knowing: members) == key { fit.insert([maker, list, revoked]) }
        }
      }
    }
  }

  var rules: FitnessModel.Rules {
    FitnessModel.Rules(
      isFit: { [fit] origin, revoked in fit.contains([origin.maker, origin.revoked, revoked]) },
      allows: { [allowed] origin, device in
        allowed.contains([origin.maker, origin.revoked, device])
      })
  }

  private static func keys(_ mask: UInt8, of devices: [TestDevice]) -> Set<PublicKey> {
    Set(devices.indices.filter { mask & 1 << UInt8($0) != 0 }.map { devices[$0].publicKey })
  }
}
