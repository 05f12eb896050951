package import Bytes
import Crypto
import Journaling
import Platform

/// What giving the device a new key came to.
package struct Rekeying: Sendable {
  /// The log that the device writes from now on.
  package var replica: UniqueID
  /// Words that stand for the new key.
  package var fingerprint: [String]
  /// Words that stand for the key that was left.
  package var formerFingerprint: [String]
  /// Whether the old key has admitted the new one; else somebody else is to.
  package var isAdmitted: Bool
}

extension Book {
  /// Gives this device a new key, which the old one admits.
  ///
  /// Cut short anywhere, it can be done again: a key that was admitted and not taken yet is taken then.
  package func rekey() throws(DaybookError) -> Rekeying {
    let done = try withLock { () throws(DaybookError) in
      let old = try ownLogForWriting()
      var posting = try remembered(by: try view())
      let trust = try trust(by: posting.ledger)
      guard let oldKey = trust.keys[old] else { throw .journal(.damaged(old)) }
      let isTrusted = trust.admitted[old] == .max
      let begun = isTrusted ? try begunKeys(after: oldKey, posting.ledger, trust) : nil
      let keys: DeviceKeys
      if let begun { keys = begun } else { keys = try newKeys() }
      let key = keys.signing.publicKey
      if isTrusted, begun == nil {
        // The key is kept first, under a name that tells what it is for, so that none is admitted and lost.
        try keep(keys, of: .replica(publicKey: key, incarnation: .none))
        _ = try append(
          [], trusting: [.admit(key, name: trust.names[old] ?? file.device, route: .newKey)],
          knowing: &posting)
      }
      let replica = try beginLog(of: keys, leaving: old)
      try noteLeftLog()
      file.writers[try mark()] = replica
      try saveFile()
      rememberTrust()
      return Rekeying(
        replica: replica, fingerprint: key.fingerprint, formerFingerprint: oldKey.fingerprint,
        isAdmitted: isTrusted)
    }
    _ = try view()
    return done
  }

  /// Begins a log under another key than that of the log it follows, and says so in it.
  func beginLog(of keys: DeviceKeys, leaving old: UniqueID) throws(DaybookError) -> UniqueID {
    let replica = try beginLog(of: keys)
    guard let end = journal.end(of: old, on: .logs) else { return replica }
    let left = Landmark(log: old, sequence: end.sequence, hash: end.hash.prefix16)
    let event = NewEvent(body: TrustVerb.retire(left).encode())
    _ = try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.append([Command(time: now, events: [event])], to: replica, keys: keys)
    }
    bearWitness(of: replica)
    return replica
  }

  /// The keys that were admitted for this device and never taken, if it was cut short then.
  private func begunKeys(
    after oldKey: PublicKey, _ ledger: Ledger, _ trust: Trust
  ) throws(DaybookError) -> DeviceKeys? {
    var taken: Set<PublicKey> = []
    for replica in file.writers.values { if let key = trust.keys[replica] { taken.insert(key) } }
    for event in ledger.trustEvents.reversed() where trust.keys[event.log] == oldKey {
      guard case .admit(let key, _, _, _) = event.verb, !taken.contains(key),
        !trust.revokedKeys.contains(key), trust.successors[key] == nil
      else { continue }
      let kept = try keys(of: .replica(publicKey: key, incarnation: .none))
      if let kept { return kept }
    }
    return nil
  }
}
