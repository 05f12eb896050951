import Bytes
import Crypto
import Journaling

/// The devices that take part in a book, by key.
///
/// A device is in the roster as soon as its admission counts, even if it has written nothing.
struct Roster {
  let trust: Trust
  let ledger: Ledger
  /// The admission of each key: its author, its time and its route.
  private let admissions: [PublicKey: Device.Admission]
  /// The key that admitted each key, by the same admissions.
  private let admitters: [PublicKey: PublicKey]
  /// The first admission of each key by a key that is not revoked.
  private let keepings: [PublicKey: Device.Admission]
  /// The first revocation of each revoked key.
  private let removals: [PublicKey: Device.Removal]
  /// The logs and branches with a first event, except those that share the first event of their trunk.
  private let begun: Set<UniqueID>

  init(_ trust: Trust, by ledger: Ledger) {
    self.trust = trust
    self.ledger = ledger
    begun = Set(ledger.trustEvents.filter { $0.verb.verb == .open }.map(\.log))
    removals = Self.removals(trust, by: ledger)
    // Renaming the founder does not admit it.
    let founder = trust.founder.flatMap { trust.keys[$0] }
    let foreign = trust.admissions.filter { admission in
      trust.keys[admission.log] != admission.key && admission.key != founder
    }
    let first = Self.first(of: foreign, by: ledger)
    let kept = foreign.filter { admission in
      trust.keys[admission.log].map { !trust.revokedKeys.contains($0) } ?? false
    }
    func described(_ admission: KeyAdmission) -> Device.Admission {
      Device.Admission(
        author: trust.names[admission.log] ?? admission.log.hex,
        authorKey: trust.keys[admission.log]?.bytes ?? [],
        time: ledger.trustTimes[admission.place], route: admission.route)
    }
    admitters = first.compactMapValues { trust.keys[$0.log] }
    admissions = first.mapValues(described)
    keepings = Self.first(of: kept, by: ledger).mapValues(described)
  }

  /// The first of the given admissions of each key.
  private static func first(
    of admissions: [KeyAdmission], by ledger: Ledger
  ) -> [PublicKey: KeyAdmission] {
    var first: [PublicKey: (KeyAdmission, Int64?)] = [:]
    for admission in admissions {
      let time = ledger.trustTimes[admission.place]
      if let (other, otherTime) = first[admission.key],
        rank(other, otherTime) <= rank(admission, time)
      {
        continue
      }
      first[admission.key] = (admission, time)
    }
    return first.mapValues(\.0)
  }

  /// The first revocation of each revoked key, by the times of the revocations.
  private static func removals(
    _ trust: Trust, by ledger: Ledger
  ) -> [PublicKey: Device.Removal] {
    var removals: [PublicKey: Device.Removal] = [:]
    for event in ledger.trustEvents where trust.known.contains(event.log) {
      guard case .revoke(let key, _) = event.verb else { continue }
      let removal = Device.Removal(
        author: trust.names[event.log] ?? event.log.hex, time: ledger.trustTimes[event.place])
      if let other = removals[key],
        (other.time ?? .max, other.author) <= (removal.time ?? .max, removal.author)
      {
        continue
      }
      removals[key] = removal
    }
    return removals
  }

  /// The rank for choosing an admission: events that admitted a device precede events that only named it, and earlier
  /// events precede later ones.
  private static func rank(
    _ admission: KeyAdmission, _ time: Int64?
  ) -> (Int, Int64, UniqueID, UInt64) {
    (admission.naming == 0 ? 0 : 1, time ?? .max, admission.log, admission.sequence)
  }

  /// The names that the devices have had; few callers need them.
  var names: NameHistory { NameHistory(trust, by: ledger) }

  func admission(of key: PublicKey) -> Device.Admission? { admissions[key] }

  /// The first admission by a device that is not revoked, if the device that admitted the key is revoked.
  func keeping(of key: PublicKey) -> Device.Admission? {
    guard let admitter = admitters[key], trust.revokedKeys.contains(admitter) else { return nil }
    return keepings[key]
  }

  func removal(of key: PublicKey) -> Device.Removal? { removals[key] }

  /// The key that admitted a key, and the nearest revoked key above it, which can be the same.
  func admitters(of key: PublicKey) -> (nearest: PublicKey?, revoked: PublicKey?) {
    var above = admitters[key]
    var passed: Set<PublicKey> = []
    while let next = above, !trust.revokedKeys.contains(next), passed.insert(next).inserted {
      above = admitters[next]
    }
    let isRevoked = above.map(trust.revokedKeys.contains) ?? false
    return (admitters[key], isRevoked ? above : nil)
  }

  func standing(of key: PublicKey, log: UniqueID?) -> Device.Standing {
    if trust.revokedKeys.contains(key) { return .revoked }
    if let log, trust.founder == log { return .founder }
    let isAdmitted = log.map { trust.admitted[$0] != nil } ?? trust.admittedKeys.contains(key)
    return isAdmitted ? .admitted : .waiting
  }

  /// The admitted devices without any of the given logs, including revoked devices.
  ///
  /// A device whose log was once here and is now lost is listed with its lost log.
  func silentDevices(besides logs: some Sequence<UniqueID>) -> [Device] {
    let held = Set(logs)
    let writing = Set(held.compactMap { trust.keys[$0] })
    var lost: [PublicKey: UniqueID] = [:]
    for (log, key) in trust.keys where !held.contains(log) && begun.contains(log) {
      lost[key] = min(log, lost[key] ?? log)
    }
    let listed = trust.admittedKeys.union(trust.revokedKeys.intersection(trust.knownKeys))
    return listed.subtracting(writing).map { key in
      Device(
        replica: lost[key] ?? .replica(publicKey: key, incarnation: .none),
        name: trust.name(of: key),
        fingerprint: key.fingerprint, key: key.bytes, events: 0, cut: 0, hasLog: false,
        admission: admission(of: key), keeping: keeping(of: key), removal: removal(of: key),
        lastWritten: nil, standing: standing(of: key, log: nil),
        isThis: false, isFormerKey: trust.successors[key] != nil)
    }
  }
}
