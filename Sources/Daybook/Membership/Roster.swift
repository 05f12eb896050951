import Bytes
import Crypto
import Journaling

/// Who takes part in a book, key by key: a device is in the roster from the moment that its admission counts, whether
/// or not it has written anything.
struct Roster {
  let trust: Trust
  /// By whom, when and how each key was let in.
  private let admissions: [PublicKey: Device.Admission]

  init(_ trust: Trust, by ledger: Ledger) {
    self.trust = trust
    var first: [PublicKey: (KeyAdmission, Int64?)] = [:]
    // Renaming the founder does not admit it.
    let founder = trust.founder.flatMap { trust.keys[$0] }
    for admission in trust.admissions
    where trust.keys[admission.log] != admission.key && admission.key != founder {
      let event = EventName(log: admission.log, sequence: admission.sequence)
      let time = ledger.trustTimes[event]
      if let (other, otherTime) = first[admission.key],
        Roster.rank(other, otherTime) <= Roster.rank(admission, time)
      {
        continue
      }
      first[admission.key] = (admission, time)
    }
    admissions = first.mapValues { admission, time in
      Device.Admission(
        author: trust.names[admission.log] ?? admission.log.hex,
        authorKey: trust.keys[admission.log]?.bytes ?? [], time: time, route: admission.route)
    }
  }

  /// The one that let a device in stands before those that only named it, and the earliest before later ones.
  private static func rank(
    _ admission: KeyAdmission, _ time: Int64?
  ) -> (Int, Int64, UniqueID, UInt64) {
    (admission.naming == 0 ? 0 : 1, time ?? .max, admission.log, admission.sequence)
  }

  func admission(of key: PublicKey) -> Device.Admission? { admissions[key] }

  func standing(of key: PublicKey, log: UniqueID?) -> Device.Standing {
    if trust.revokedKeys.contains(key) { return .revoked }
    if let log, trust.founder == log { return .founder }
    let isAdmitted = log.map { trust.admitted[$0] != nil } ?? trust.admittedKeys.contains(key)
    return isAdmitted ? .admitted : .waiting
  }

  /// The devices that were let in, revoked since or not, and of which none of the given logs is.
  ///
  /// One whose log was here and is lost stands with that.
  func silentDevices(besides logs: some Sequence<UniqueID>) -> [Device] {
    let held = Set(logs)
    let writing = Set(held.compactMap { trust.keys[$0] })
    var lost: [PublicKey: UniqueID] = [:]
    for (log, key) in trust.keys where !held.contains(log) {
      lost[key] = min(log, lost[key] ?? log)
    }
    let listed = trust.admittedKeys.union(trust.revokedKeys.intersection(trust.knownKeys))
    return listed.subtracting(writing).map { key in
      Device(
        replica: lost[key] ?? .replica(publicKey: key, incarnation: .none),
        name: trust.name(of: key),
        fingerprint: key.fingerprint, key: key.bytes, events: 0, cut: 0, hasLog: false,
        admission: admission(of: key), lastWritten: nil, standing: standing(of: key, log: nil),
        isThis: false, isFormerKey: trust.successors[key] != nil)
    }
  }
}
