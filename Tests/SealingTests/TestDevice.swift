import Bytes
import Crypto
import Sealing

/// A device with keys from constant seeds.
struct TestDevice: Sendable {
  let keys: DeviceKeys
  let recipient: KeyRecipient

  init(_ number: UInt8) throws {
    let seeds = [number, number + 0x80].map { [UInt8](repeating: $0 &+ 1, count: 32) }
    keys = try DeviceKeys(signingSeed: seeds[0], agreementSeed: seeds[1])
    recipient = try KeyRecipient(
      signing: keys.signing.publicKey, agreement: keys.agreement.publicKey)
  }

  var publicKey: PublicKey { keys.signing.publicKey }
}

extension MemberKeys {
  /// Devices of which some are revoked.
  init(_ devices: [TestDevice], revoked: [TestDevice] = []) {
    self.init(
      admitted: Set(devices.map(\.publicKey)), revoked: Set(revoked.map(\.publicKey)),
      recipients: devices.map(\.recipient))
  }
}

/// Values that tests seal.
enum Sample {
  static let key = StoreKey((0..<32).map { UInt8($0) })
  static let otherKey = StoreKey([UInt8](repeating: 0xaa, count: 32))
  static let store = StoreIdentity(
    book: UniqueID(high: 1, low: 2), store: UniqueID(high: 3, low: 4))
  static let range = ObjectRange(
    replica: UniqueID(high: 5, low: 6), events: 1...4_711, hash: UniqueID(high: 7, low: 8))
  static let named = NamedObject(range: range, digest: UniqueID(high: 9, low: 10))
  static let loss = NamedLoss(
    replica: UniqueID(high: 5, low: 6), events: 3...7, end: Digest((1...32).map { UInt8($0) }))

  /// Bytes that look random, but are always the same.
  static func frames(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 0x9e37 >> 7) }
  }

  static func sealed(_ frames: [UInt8]) -> SealedObject {
    SealedObject(sealing: frames, of: range, in: store, with: key)
  }
}

/// Returns the error that a body throws, or nil if it throws none.
func fault<Fault: Error, Value>(_ body: () throws(Fault) -> Value) -> Fault? {
  do throws(Fault) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
