import Bytes
package import Crypto

/// The keys that are affected when a device is revoked: its own keys, and the keys that are in the book only through
/// it.
///
/// A `revoke` ends one key. A stolen device may have admitted others before the theft was noticed. The admissions of
/// those devices stay valid, so the user who revokes the stolen device also has to decide about them. A key is in the
/// book *through the device alone* if every chain of admissions to it from the founder, or from the author of the
/// revocation, passes through the device.
package struct RevocationScope: Equatable {
  /// The named key, and the earlier keys of its device that are not revoked yet.
  package private(set) var keys: Set<PublicKey>
  /// The only key that has replaced the named key; it is not revoked.
  package private(set) var successor: PublicKey?
  /// The keys that are in the book through ``keys`` alone.
  package private(set) var dependents: Set<PublicKey>

  /// Finds the keys that the revocation of a key affects.
  ///
  /// - Parameters:
  ///   - key: The key to revoke.
  ///   - trust: The trust of the book, with its admissions.
  ///   - author: The key of the device that revokes. This key, its predecessors and the keys that they admitted are
  ///     kept.
  ///   - kept: Keys that are kept regardless of who admitted them, together with the keys that they admitted.
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

  /// The keys that are in the book through revoked keys alone.
  ///
  /// The key `own`, its predecessors, and the keys that a successor has taken over from a revoked key count as roots.
  package static func leftBehind(in trust: Trust, seenBy own: PublicKey?) -> Set<PublicKey> {
    var roots: Set<PublicKey> = []
    if let own { roots = withPredecessors(of: own, in: trust) }
    for key in trust.revokedKeys {
      guard let successor = successor(of: key, in: trust) else { continue }
      roots.formUnion(takenOver(by: successor, from: key, in: trust))
    }
    return dependents(on: trust.revokedKeys, in: trust, besides: roots)
  }

  /// The only successor of the given key.
  ///
  /// If several keys claim to be the successor, the real successor is unknown and the result is nil.
  private static func successor(of key: PublicKey, in trust: Trust) -> PublicKey? {
    let successors = (trust.successors[key] ?? []).subtracting(trust.revokedKeys)
    return successors.count == 1 ? successors.first : nil
  }

  /// The successor of the given key, and the keys that its device admitted under the old key.
  ///
  /// Keys that were admitted after the event at which the device gave up the old key were not admitted by that device.
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

  /// A key and the earlier keys of its device, as far back as each of them has exactly one successor.
  package static func withPredecessors(of key: PublicKey, in trust: Trust) -> Set<PublicKey> {
    var found: Set<PublicKey> = [key]
    var waiting = [key]
    while let next = waiting.popLast() {
      for old in trust.predecessors[next] ?? [] where found.insert(old).inserted {
        waiting.append(old)
      }
    }
    return found
  }
}
