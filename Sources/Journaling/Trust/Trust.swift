package import Bytes
package import Crypto

/// Who may write to the book, and up to where: a pure function of the events held.
///
/// Clocks and the order of arrival play no part, so devices that hold the same events agree.
package struct Trust: Sendable {
  /// The log whose first event gave the book its id, or nil while it is not held.
  package private(set) var founder: UniqueID?
  /// The key of each log and branch.
  package private(set) var keys: [UniqueID: PublicKey] = [:]
  /// What each log's device is called: as it was admitted, or else as it calls itself.
  package private(set) var names: [UniqueID: String] = [:]
  /// What each key's device is called by the admits that count.
  private var givenNames: [PublicKey: String] = [:]
  /// The first log of each key, by id.
  private var logOfKey: [PublicKey: UniqueID] = [:]
  /// The logs that the founder vouches for, directly or through others, revoked or not.
  package private(set) var known: Set<UniqueID> = []
  /// The keys of the logs that are known, and those that are admitted before a log of theirs is held.
  package private(set) var knownKeys: Set<PublicKey> = []
  /// The keys that somebody known has revoked, which can never be admitted again.
  package private(set) var revokedKeys: Set<PublicKey> = []
  /// The keys that their devices have left behind, each with the keys that claim to follow it.
  package private(set) var successors: [PublicKey: Set<PublicKey>] = [:]
  /// The retirements that say so.
  package private(set) var retirements: [KeyRetirement] = []
  /// The admits that count, by log and sequence.
  package private(set) var admissions: [KeyAdmission] = []
  /// The last event that counts of each log somebody known has revoked; 0 for none of them.
  package private(set) var cuts: [UniqueID: UInt64] = [:]
  /// The logs whose events are folded, each with the last event that is; `UInt64.max` where all are.
  package private(set) var admitted: [UniqueID: UInt64] = [:]
  /// The keys of the logs that are admitted, and those that are admitted before a log of theirs is held.
  package private(set) var admittedKeys: Set<PublicKey> = []
  /// Whether a device is left that is admitted and not revoked.
  ///
  /// Without one nobody can admit or revoke any more, and the way on is a new book.
  package private(set) var hasTrustedDevice = false

  package init(_ input: TrustInput) {
    var solver = TrustSolver(input)
    keys = solver.keys
    founder = keys.keys.filter { input.hash($0, 1) == input.book }.min()
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
    hasTrustedDevice = !admittedKeys.isSubset(of: revokedKeys)
    retirements = solver.successions(founder: founder) { [admitted] log, sequence in
      sequence <= admitted[log] ?? 0
    }
    for retirement in retirements {
      successors[retirement.old, default: []].insert(retirement.new)
    }
    admissions = solver.admissions(within: admitted)
    givenNames = Self.givenNames(by: admissions)
    for (log, key) in keys { names[log] = givenNames[key] ?? names[log] }
  }

  /// The name that the admit with the greatest (naming, sequence, log) gives each key.
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

  /// The keys that their devices have left behind for another one.
  package var formerKeys: Set<PublicKey> { Set(successors.keys) }

  /// Whether two keys have one name.
  package var hasNamesakes: Bool {
    var owners: [String: PublicKey] = [:]
    return keys.contains { log, key in
      guard let name = names[log] else { return false }
      return owners.updateValue(key, forKey: name).map { $0 != key } ?? false
    }
  }

  /// What the device of a key is called; without a log of it, the words of the key.
  package func name(of key: PublicKey) -> String {
    logOfKey[key].flatMap { names[$0] } ?? givenNames[key]
      ?? key.fingerprint.joined(separator: "-")
  }

  /// Whether an event counts in the common state.
  package func folds(_ log: UniqueID, _ sequence: UInt64) -> Bool {
    guard let last = admitted[log] else { return false }
    return sequence <= last
  }
}
