import Bytes
import Crypto
import Journaling

/// The amount that each device has written, compared with its quota before more is accepted.
///
/// A device is charged for its own events and for the events of every device that takes part only through it, so
/// admitting other devices does not increase its quota. A device without which this device would not take part is
/// charged only for its own events, and this device is not charged at all.
struct QuotaAccounts {
  /// The amount that was received for a log, and the key that signs the log, if it is known.
  struct Charge {
    let log: UniqueID
    var key: PublicKey?
    var news: Quota
    /// The number of logs that the received frame may add by beginning a branch.
    var branchLimit: UInt64 = .max
  }

  /// The key of each held log.
  var keys: [UniqueID: PublicKey]
  private let own: Set<PublicKey>
  /// The keys that are charged for the events of a key, in addition to the key itself.
  private let sponsors: [PublicKey: [PublicKey]]
  private let quotas: [PublicKey: Quota]
  private(set) var usage: [PublicKey: Quota] = [:]

  /// Adds up the held events and bytes by key.
  ///
  /// - Parameters:
  ///   - trust: The devices that take part.
  ///   - own: The keys of this device, including its former keys.
  ///   - held: The held amount of each log.
  ///   - quotas: The quotas that differ from the default.
  init(
    _ trust: Trust, own: Set<PublicKey>, held: [UniqueID: Quota], quotas: [PublicKey: Quota]
  ) {
    keys = trust.keys
    self.own = own
    self.quotas = quotas
    sponsors = Self.sponsors(trust, own)
    for (log, quota) in held {
      if let key = keys[log] { take(quota, of: key) }
    }
  }

  private static func sponsors(
    _ trust: Trust, _ own: Set<PublicKey>
  ) -> [PublicKey: [PublicKey]] {
    let graph = AdmissionGraph(trust)
    let all = graph.reach(from: [], without: [])
    var sponsors: [PublicKey: [PublicKey]] = [:]
    for author in graph.authors.subtracting(own) {
      let rest = graph.reach(from: [], without: [author])
      // A device that admitted this device, even indirectly, is not charged for other devices, because it may have
      // admitted most devices.
      guard !all.isDisjoint(with: own), rest.isSuperset(of: own.intersection(all)) else { continue }
      for key in all.subtracting(rest) where key != author {
        sponsors[key, default: []].append(author)
      }
    }
    return sponsors
  }

  /// Whether a key belongs to this device, which has no quota.
  func isOwn(_ key: PublicKey) -> Bool { own.contains(key) }

  func quota(of key: PublicKey) -> Quota { quotas[key] ?? .standard }

  /// The key that signs a log; nil if no part of the log is held or was received.
  func key(of log: UniqueID) -> PublicKey? { keys[log] }

  /// Whether received events fit into the quotas of all keys that are charged for them.
  func admits(_ charge: Charge) -> Bool {
    guard let key = charge.key, !own.contains(key) else { return true }
    return payers(of: key).allSatisfy { payer in
      ((usage[payer] ?? Quota()) + charge.news).fits(quota(of: payer))
    }
  }

  /// The number of logs, besides those of a charge, that fit into the quotas of all keys that are charged.
  func spareLogs(beside charge: Charge) -> UInt64 {
    guard let key = charge.key, !own.contains(key) else { return .max }
    return payers(of: key).reduce(.max) { least, payer in
      let used = ((usage[payer] ?? Quota()) + charge.news).logs
      let all = quota(of: payer).logs
      return min(least, all - min(used, all))
    }
  }

  /// Adds received events to the accounts of the keys that are charged for them.
  mutating func take(_ charge: Charge) {
    guard let key = charge.key else { return }
    keys[charge.log] = key
    take(charge.news, of: key)
  }

  mutating func take(_ news: Quota, of key: PublicKey) {
    guard !own.contains(key) else { return }
    for payer in payers(of: key) { usage[payer] = (usage[payer] ?? Quota()) + news }
  }

  /// The key that is responsible for a key: the first of the keys without which that key would not take part, or the
  /// key itself.
  func sponsor(of key: PublicKey) -> PublicKey {
    let all = sponsors[key] ?? []
    // All of these keys are on every path to the key, so they have an order, and the first depends on none of the
    // others.
    return all.first { sponsors[$0] == nil } ?? key
  }

  private func payers(of key: PublicKey) -> [PublicKey] { [key] + (sponsors[key] ?? []) }
}
