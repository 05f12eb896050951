package import Bytes
package import Crypto

/// The keys that may write to the book, and the last event of each log that takes effect.
///
/// Trust is a pure function of the stored events. Clocks and the order of arrival have no influence, so devices that
/// hold the same events agree.
package struct Trust: Sendable {
  /// The log whose first event gave the book its id, or nil if the device does not have that event.
  package private(set) var founder: UniqueID?
  /// The key of each log and branch.
  package private(set) var keys: [UniqueID: PublicKey] = [:]
  /// The name of each log's device, as given by an admission, or else by the device itself.
  package private(set) var names: [UniqueID: String] = [:]
  /// The name of each key's device, as given by the admissions that take effect.
  private var givenNames: [PublicKey: String] = [:]
  /// For each key, its log with the lowest id.
  private var logOfKey: [PublicKey: UniqueID] = [:]
  /// The logs of ``knownKeys``.
  package private(set) var known: Set<UniqueID> = []
  /// The founder's key and all keys that were admitted from it, directly or through others, including revoked keys.
  ///
  /// A key is known even before the device has a log written with it.
  package private(set) var knownKeys: Set<PublicKey> = []
  /// The keys that a known log has revoked.
  ///
  /// A revoked key can never be admitted again.
  package private(set) var revokedKeys: Set<PublicKey> = []
  /// The keys that their devices have replaced, each with the keys that claim to succeed it.
  package private(set) var successors: [PublicKey: Set<PublicKey>] = [:]
  /// The keys that have exactly one successor, keyed by that successor.
  package private(set) var predecessors: [PublicKey: [PublicKey]] = [:]
  /// The `retire` events by which ``successors`` were found.
  package private(set) var retirements: [KeyRetirement] = []
  /// The `admit` events that take effect, ordered by log and sequence.
  package private(set) var admissions: [KeyAdmission] = []
  /// For each log of a revoked key, the last event that takes effect; 0 if none does.
  package private(set) var cuts: [UniqueID: UInt64] = [:]
  /// The logs whose events are folded, each with the last event that is folded; `UInt64.max` if all are.
  package private(set) var admitted: [UniqueID: UInt64] = [:]
  /// The keys that can be reached from the founder's key by the admissions that take effect.
  ///
  /// A key is admitted even before the device has a log written with it.
  package private(set) var admittedKeys: Set<PublicKey> = []
  /// The keys that are not admitted because only revoked keys have let them in, each with one such revoked key.
  package private(set) var sponsors: [PublicKey: KeySponsor] = [:]
  /// Whether at least one admitted key is not revoked.
  ///
  /// Without such a key, no device can admit or revoke any longer, so the user has to begin a new book.
  package private(set) var hasTrustedDevice = false

  package init(_ input: TrustInput) {
    var solver = TrustSolver(input)
    keys = solver.keys
    founder = input.events.filter { $0.founds(input.book) }.map(\.log).min()
    names = solver.ownNames
    for (log, key) in keys { logOfKey[key] = min(log, logOfKey[key] ?? log) }
    guard let founder, let founderKey = keys[founder] else { return }

    solver.strike(by: founder)
    knownKeys = solver.reach(from: founderKey) { _ in .max }
    known = solver.logs(of: knownKeys)
    revokedKeys = solver.cut(by: known)
    cuts = solver.cuts
    admittedKeys = solver.reach(from: founderKey) { [cuts] in cuts[$0] ?? .max }
    for log in solver.logs(of: admittedKeys) { admitted[log] = cuts[log] ?? .max }
    sponsors = solver.sponsors(outside: admittedKeys, revoked: revokedKeys)
    hasTrustedDevice = !admittedKeys.isSubset(of: revokedKeys)
    retirements = solver.successions(founder: founder) { [admitted] log, sequence in
      sequence <= admitted[log] ?? 0
    }
    for retirement in retirements {
      successors[retirement.old, default: []].insert(retirement.new)
    }
    for (old, new) in successors {
      guard new.count == 1, let new = new.first else { continue }
      predecessors[new, default: []].append(old)
    }
    admissions = solver.admissions(within: admitted)
    givenNames = Self.givenNames(by: admissions)
    for (log, key) in keys { names[log] = givenNames[key] ?? names[log] }
  }

  /// The name of each key, from its `admit` event with the greatest (naming, sequence, log).
  private static func givenNames(by admissions: [KeyAdmission]) -> [PublicKey: String] {
    var latest: [PublicKey: KeyAdmission] = [:]
    for admission in admissions {
      guard let other = latest[admission.key],
        (other.naming, other.sequence, other.log)
          > (admission.naming, admission.sequence, admission.log)
      else {
        latest[admission.key] = admission
        continue
      }
    }
    return latest.mapValues(\.name)
  }

  /// The keys that their devices have replaced by another key.
  package var formerKeys: Set<PublicKey> { Set(successors.keys) }

  /// Whether two keys have the same name.
  package var hasNamesakes: Bool {
    var owners: [String: PublicKey] = [:]
    return keys.contains { log, key in
      guard let name = names[log] else { return false }
      return owners.updateValue(key, forKey: name).map { $0 != key } ?? false
    }
  }

  /// The name of a key's device; if there is none, the fingerprint of the key.
  package func name(of key: PublicKey) -> String {
    logOfKey[key].flatMap { names[$0] } ?? givenNames[key]
      ?? key.fingerprint.joined(separator: "-")
  }

  /// Whether the given event is folded.
  package func folds(_ log: UniqueID, _ sequence: UInt64) -> Bool {
    guard let last = admitted[log] else { return false }
    return sequence <= last
  }
}
