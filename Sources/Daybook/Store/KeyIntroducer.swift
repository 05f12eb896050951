import Bytes
import Crypto
import Domain
import Journaling
import Sealing

/// Determines which devices may not know which members, and with which former keys this device can introduce itself to
/// them.
///
/// A device accepts a store key only from a device that it knows to be admitted. The events from which it would learn
/// of a new member, or of a member's new key, may be sealed with that same store key. A device therefore relies on the
/// packages of another device only if the recipient certainly knows that device.
struct KeyIntroducer {
  private let localDevice: LocalDevice
  private let causality: Causality
  private let trust: Trust

  /// - Parameters:
  ///   - localDevice: This device.
  ///   - trustReader: Determines the trust.
  ///   - posting: The trust events and causality of all logs.
  /// - Throws: ``DaybookError`` if the trust cannot be read.
  init(
    _ localDevice: LocalDevice, _ trustReader: TrustReader, _ posting: Posting
  ) throws(DaybookError) {
    (self.localDevice, causality) = (localDevice, posting.causality)
    trust = try trustReader.trust(by: posting.ledger)
  }

  /// For the signing keys of recipients, the trusted keys that the recipient possibly does not know to be admitted.
  ///
  /// A recipient certainly knows the founder, and each key whose admission it has written or seen. A recipient without
  /// a log has not joined yet. It knows only the device that invited it, possibly by a former key of that device.
  func unfamiliar(
    to recipients: [KeyRecipient], seenBy own: PublicKey
  ) -> [PublicKey: Set<PublicKey>] {
    let trusted = trust.admittedKeys.subtracting(trust.revokedKeys)
    var ends: [PublicKey: [EventKey]] = [:]
    for (log, key) in trust.keys {
      guard let number = causality.number(of: log) else { continue }
      ends[key, default: []].append(EventKey(log: number, sequence: .max))
    }
    let founder = trust.founder.flatMap { trust.keys[$0] }
    let admissions = trust.admissions.compactMap { admission in
      causality.number(of: admission.log).map { number in
        (key: admission.key, event: EventKey(log: number, sequence: admission.sequence))
      }
    }
    var unfamiliar: [PublicKey: Set<PublicKey>] = [:]
    for recipient in Set(recipients.map(\.signing)) where recipient != own {
      guard trusted.contains(recipient) else { continue }
      var left = trusted.subtracting([recipient])
      if let ends = ends[recipient] {
        if let founder { left.remove(founder) }
        for (key, event) in admissions where left.contains(key) {
          if ends.contains(where: { causality.past(of: $0, includes: event) }) { left.remove(key) }
        }
      }
      if !left.isEmpty { unfamiliar[recipient] = left }
    }
    return unfamiliar
  }

  /// The signing keys that this device has replaced and still has.
  ///
  /// A key that cannot be read is omitted, because it is needed for nothing else here.
  func formerKeys(of own: PublicKey) -> [SigningKey] {
    var (former, next): (Set<PublicKey>, [PublicKey]) = ([], [own])
    while let key = next.popLast() {
      for (old, new) in trust.successors where new.contains(key) && former.insert(old).inserted {
        next.append(old)
      }
    }
    former.remove(own)
    var found: [PublicKey: SigningKey] = [:]
    for (log, key) in trust.keys.sorted(by: { $0.key < $1.key })
    where former.contains(key) && found[key] == nil {
      found[key] = ((try? localDevice.keys(of: log)) ?? nil)?.signing
    }
    return found.values.sorted { $0.publicKey < $1.publicKey }
  }
}
