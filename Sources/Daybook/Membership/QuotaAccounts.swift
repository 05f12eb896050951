import Bytes
import Crypto
import Domain
import Journaling

/// What each device has written, weighed against its quota before more of it is taken in.
///
/// A device pays for what it writes, and for what is written by every device that would not take part without it: so
/// nobody gets more room by letting in devices of their own. Devices without which this one would not take part pay
/// for themselves alone, and this one pays for nothing.
struct QuotaAccounts {
  /// What comes of a log, and who signs it, if that is known.
  struct Charge {
    let log: UniqueID
    var key: PublicKey?
    var news: Quota
  }

  /// The key of each log that is held.
  var keys: [UniqueID: PublicKey]
  private let own: Set<PublicKey>
  /// Who pays for what a key signs, beside the key itself.
  private let sponsors: [PublicKey: [PublicKey]]
  private let quotas: [PublicKey: Quota]
  private(set) var usage: [PublicKey: Quota] = [:]

  /// Sums up what is held.
  ///
  /// - Parameters:
  ///   - trust: Who takes part.
  ///   - own: The keys of this device, former ones among them.
  ///   - held: What is held of each log.
  ///   - quotas: What devices may write, where it is not the standard.
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
      // A device that let this one in, however indirectly, let in half the family.
      guard !all.isDisjoint(with: own), rest.isSuperset(of: own.intersection(all)) else { continue }
      for key in all.subtracting(rest) where key != author {
        sponsors[key, default: []].append(author)
      }
    }
    return sponsors
  }

  /// Whether a key is one of this device, which may write as much as it likes.
  func isOwn(_ key: PublicKey) -> Bool { own.contains(key) }

  func quota(of key: PublicKey) -> Quota { quotas[key] ?? .standard }

  /// The key that signs a log of which something is held or has come.
  func key(of log: UniqueID) -> PublicKey? { keys[log] }

  /// Whether what comes fits into the quotas of all who pay for it.
  func admits(_ charge: Charge) -> Bool {
    guard let key = charge.key, !own.contains(key) else { return true }
    return payers(of: key).allSatisfy { payer in
      ((usage[payer] ?? Quota()) + charge.news).fits(quota(of: payer))
    }
  }

  /// Counts what has come.
  mutating func take(_ charge: Charge) {
    guard let key = charge.key else { return }
    keys[charge.log] = key
    take(charge.news, of: key)
  }

  mutating func take(_ news: Quota, of key: PublicKey) {
    guard !own.contains(key) else { return }
    for payer in payers(of: key) { usage[payer] = (usage[payer] ?? Quota()) + news }
  }

  /// How many bytes of values the events of a frame write that are folded.
  static func valueBytes(of frame: borrowing Frame) -> UInt64 {
    var count = 0
    for event in frame.events where event.verb != nil {
      let bytes = frame.content.span.extracting(event.body)
      let body = try? Body.decode(bytes, author: 0) { UInt32(truncatingIfNeeded: $0) }
      count += body?.valueBytes ?? 0
    }
    return UInt64(count)
  }

  private func payers(of key: PublicKey) -> [PublicKey] { [key] + (sponsors[key] ?? []) }
}
