import Bytes
package import Crypto

/// The keys that go when a device is revoked: its own, and those in the book through it alone.
///
/// A revoke ends one key. A stolen device may have let in others before it was missed, and their admissions stay
/// valid, so whoever revokes it decides about these too. A key is in the book *through the device alone* if every
/// chain of admissions from the founder, or from the author of the revoke, to it passes through the device.
package struct RevocationScope: Equatable {
  /// The key that was named, and the keys that its device had before.
  package private(set) var keys: Set<PublicKey>
  /// The one key that has taken the place of the named one, which stays.
  package private(set) var successor: PublicKey?
  /// The keys that are in the book through these alone.
  package private(set) var dependents: Set<PublicKey>

  /// - Parameters:
  ///   - key: The key that is to be revoked.
  ///   - trust: The trust of the book, from which the admissions come.
  ///   - author: The key of the device that revokes. It, what it was called by before, and what these let in stay.
  ///   - kept: Keys that stay whoever let them in; so does what they let in.
  package init(
    of key: PublicKey, in trust: Trust, by author: PublicKey, keeping kept: Set<PublicKey> = []
  ) {
    keys = Self.withPredecessors(of: key, in: trust).subtracting(trust.revokedKeys)
    keys.insert(key)
    successor = Self.successor(of: key, in: trust)
    let own = Self.withPredecessors(of: author, in: trust)
    keys.subtract(own.subtracting([key]))
    var roots = own.union(kept).subtracting([key])
    if let successor { roots.formUnion(Self.takenOver(by: successor, from: key, in: trust)) }
    dependents = Self.dependents(on: keys, in: trust, besides: roots)
  }

  /// The keys that are in the book only through keys that were revoked, with nobody else to vouch for them.
  package static func leftBehind(in trust: Trust, seenBy own: PublicKey?) -> Set<PublicKey> {
    var roots: Set<PublicKey> = []
    if let own { roots = withPredecessors(of: own, in: trust) }
    for key in trust.revokedKeys {
      guard let successor = successor(of: key, in: trust) else { continue }
      roots.formUnion(takenOver(by: successor, from: key, in: trust))
    }
    return dependents(on: trust.revokedKeys, in: trust, besides: roots)
  }

  /// The key that follows another one.
  ///
  /// Of several keys that claim to, none can be told to be the device's own.
  private static func successor(of key: PublicKey, in trust: Trust) -> PublicKey? {
    let successors = (trust.successors[key] ?? []).subtracting(trust.revokedKeys)
    return successors.count == 1 ? successors.first : nil
  }

  /// A key that follows another one, and the keys that its device let in under the other one.
  ///
  /// What was let in behind the event at which the device says that it left the old key, somebody else let in.
  private static func takenOver(
    by successor: PublicKey, from key: PublicKey, in trust: Trust
  ) -> Set<PublicKey> {
    var ends: [UniqueID: UInt64] = [:]
    for retirement in trust.retirements where retirement.old == key && retirement.new == successor {
      ends[retirement.left] = max(ends[retirement.left] ?? 0, retirement.last)
    }
    let admissions = trust.admissions.filter { $0.sequence <= ends[$0.log] ?? 0 }
    return Set(admissions.map(\.key) + [successor])
  }

  private static func dependents(
    on keys: Set<PublicKey>, in trust: Trust, besides roots: Set<PublicKey>
  ) -> Set<PublicKey> {
    let reached = AdmissionGraph(trust).reach(from: roots, without: keys)
    return trust.admittedKeys.subtracting(reached).subtracting(keys)
      .subtracting(trust.revokedKeys)
  }

  /// A key and all that its device had before, as far as each names one that follows it.
  package static func withPredecessors(of key: PublicKey, in trust: Trust) -> Set<PublicKey> {
    var found: Set<PublicKey> = [key]
    var waiting = [key]
    while let next = waiting.popLast() {
      for (old, successors) in trust.successors where successors == [next] {
        if found.insert(old).inserted { waiting.append(old) }
      }
    }
    return found
  }
}
