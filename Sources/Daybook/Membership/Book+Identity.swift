import Bytes
package import Crypto
import Journaling
import Platform
import ReadModel
import Syncing

// How this device shows itself to others, and whom it lets in.

extension Book {
  /// What this device shows of itself: the key of the log it writes, or of the one it will begin.
  package var identity: TLSIdentity {
    get throws(DaybookError) {
      let keys = try shownKeys()
      if let knownIdentity, knownIdentity.publicKey == keys.signing.publicKey {
        return knownIdentity
      }
      let made = try wrap({ [layout] in DaybookError.keys(layout.keys, $0) }) {
        () throws(CryptoError) in try TLSIdentity(keys.signing)
      }
      knownIdentity = made
      return made
    }
  }

  /// The key by which others know this device.
  package var shownKey: PublicKey {
    get throws(DaybookError) { try shownKeys().signing.publicKey }
  }

  private func shownKeys() throws(DaybookError) -> DeviceKeys {
    if let own = try ownLog {
      guard let keys = try keys(of: own) else { throw .noKey(layout.key(of: own)) }
      return keys
    }
    let keys = try deviceKeys()
    // Whoever meets this device by a key must find it again by that key.
    let kept = UniqueID.replica(publicKey: keys.signing.publicKey, incarnation: .none)
    if file.writers.isEmpty, file.left.isEmpty, try self.keys(of: kept) == nil {
      try keep(keys, of: kept)
    }
    return keys
  }

  /// Keys by which a device was met that had no log yet.
  func keysInWaiting() throws(DaybookError) -> DeviceKeys? {
    guard file.writers.isEmpty, file.left.isEmpty else { return nil }
    let names: [String]
    do throws(DiskError) {
      names = try machine.disk.list(layout.keys)
    } catch {
      if error.reason == .notFound { return nil }
      throw .disk(error)
    }
    for id in names.compactMap(Layout.replica(ofKey:)).sorted() {
      guard let keys = try keys(of: id) else { continue }
      if id == .replica(publicKey: keys.signing.publicKey, incarnation: .none) { return keys }
    }
    return nil
  }

  /// Whom the book lets in, by what it holds now.
  func guests() throws(DaybookError) -> Guests {
    guard file.book != .none else { return Guests() }
    let own = try shownKey
    let trust = try trust(by: try remembered(by: try view()).ledger)
    return Guests(
      admitted: trust.admittedKeys.union([own]).subtracting(trust.revokedKeys),
      revoked: trust.revokedKeys)
  }

  /// Makes sure that who has shown a key may still take part.
  func check(_ guest: PublicKey) throws(SyncError) {
    guard !isJoining, file.book != .none else { return }
    let revoked: Set<PublicKey>
    do throws(DaybookError) {
      revoked = try trust(by: try ledgerOfTrust()).revokedKeys
    } catch .journal(let error) {
      throw .journal(error)
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // Who is trusted cannot be told now, so nobody is.
      throw .cut
    }
    if revoked.contains(guest) { throw .unwelcome(.revokedKey) }
  }

  /// A ledger that tells who is trusted now: the one in mind, where nothing that came since says anything of that.
  private func ledgerOfTrust() throws(DaybookError) -> Ledger {
    try noticeOthers()
    if let memory, try saysNothingOfTrust(since: memory) { return memory.posting.ledger }
    return try remembered(by: try view()).ledger
  }

  private func saysNothingOfTrust(
    since memory: (posting: Posting, positions: [UniqueID: LogPosition])
  ) throws(DaybookError) -> Bool {
    let ledger = memory.posting.ledger
    guard ledger.forks == logTree.forks, ledger.holes == journalHoles else { return false }
    var isSilent = true
    for (log, end) in journal.logs {
      let posted = memory.positions[log]?.sequence ?? 0
      guard isSilent, end.sequence > posted else { continue }
      try forEachFrame(of: log, from: posted + 1) { frame in
        let news = frame.events.drop { $0.sequence <= posted }
        if !news.allSatisfy({ $0.verb.map(JournalVerb.domain.contains) ?? false }) {
          isSilent = false
        }
      }
    }
    return isSilent
  }

  /// Looks whether others have revoked a guest meanwhile.
  ///
  /// Frames are read from the journal as it is, so another look is taken beside it.
  func checkBeside(_ guest: PublicKey) throws(SyncError) {
    let beside: Book
    do throws(DaybookError) {
      beside = try Book(unfinishedAt: layout.folder, on: machine, view: place)
    } catch {
      throw .cut
    }
    try beside.check(guest)
  }
}

/// Keys whose holders may finish a handshake, and keys whose holders never may.
struct Guests: Sendable {
  var admitted: Set<PublicKey> = []
  var revoked: Set<PublicKey> = []

  /// Whether a key may take part; one that is neither known nor revoked as somebody else says.
  func admits(_ key: PublicKey, orElse others: (PublicKey) -> Bool) -> Bool {
    !revoked.contains(key) && (admitted.contains(key) || others(key))
  }

  /// Whether a key may be at the other end of a line that was dialled: the one it is pinned to, or else a known one.
  func admits(_ key: PublicKey, pinned pin: Pin?) -> Bool {
    !revoked.contains(key) && (pin?.fits(key) ?? admitted.contains(key))
  }
}

/// Which key the other side of a line is to have.
package enum Pin: Sendable {
  case key(PublicKey)
  /// One of the keys that a device has had, one after the other.
  case keys(Set<PublicKey>)
  /// The key that is spelt so, as devices are listed.
  case words([String])

  func fits(_ key: PublicKey) -> Bool {
    switch self {
    case .key(let expected): expected == key
    case .keys(let expected): expected.contains(key)
    case .words(let words): key.fingerprint == words
    }
  }
}
