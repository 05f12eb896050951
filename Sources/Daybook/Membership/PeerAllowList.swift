import Bytes
package import Crypto
import Journaling
import ReadModel
import Syncing

/// Decides which peers the book accepts.
package struct PeerAllowList {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector

  init(_ core: BookCore) {
    (store, localDevice) = (core.store, core.localDevice)
    (trustReader, projector) = (core.trustReader, core.projector)
  }

  init(store: LogStore, localDevice: LocalDevice, trustReader: TrustReader, projector: Projector) {
    self.store = store
    self.localDevice = localDevice
    self.trustReader = trustReader
    self.projector = projector
  }

  /// The peers that the book accepts, based on the events that are held now.
  func allowedPeers() throws(DaybookError) -> AllowedPeers {
    guard store.file.book != .none else { return AllowedPeers() }
    let own = try localDevice.shownKey
    let trust = try projector.trust()
    return AllowedPeers(
      admitted: trust.admittedKeys.union([own]).subtracting(trust.revokedKeys),
      revoked: trust.revokedKeys)
  }

  /// Checks that a peer may still take part.
  func check(_ guest: PublicKey) throws(SyncError) {
    guard !store.folder.isJoining, store.file.book != .none else { return }
    let revoked: Set<PublicKey>
    do throws(DaybookError) {
      revoked = try trustReader.trust(by: try ledgerOfTrust()).revokedKeys
    } catch .journal(let error) {
      throw .journal(error)
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // If trust cannot be computed, no key is accepted.
      throw .cut
    }
    if revoked.contains(guest) { throw .unwelcome(.revokedKey) }
  }

  /// A ledger with all trust events: the ledger in memory, unless there are later trust events.
  private func ledgerOfTrust() throws(DaybookError) -> Ledger {
    try store.noticeOthers()
    if let memory = projector.memory, try saysNothingOfTrust(since: memory) {
      return memory.posting.ledger
    }
    return try projector.posting().ledger
  }

  private func saysNothingOfTrust(
    since memory: (posting: Posting, positions: [UniqueID: LogPosition])
  ) throws(DaybookError) -> Bool {
    let ledger = memory.posting.ledger
    guard ledger.forks == store.logTree.forks, ledger.holes == store.journalHoles else {
      return false
    }
    var isSilent = true
    for (log, end) in store.journal.logs {
      let posted = memory.positions[log]?.sequence ?? 0
      guard isSilent, end.sequence > posted else { continue }
      try store.forEachFrame(of: log, from: posted + 1) { _, news in
        if !news.allSatisfy({ $0.verb.map(JournalVerb.domain.contains) ?? false }) {
          isSilent = false
        }
      }
    }
    return isSilent
  }

  /// Checks whether other devices have revoked a peer.
  ///
  /// An export reads the journal as it was when the export began, so this method reads the logs separately.
  func checkBeside(_ guest: PublicKey) throws(SyncError) {
    let beside: BookCore
    do throws(DaybookError) {
      beside = try BookCore(
        at: store.layout.folder, on: store.machine, view: projector.place)
    } catch {
      throw .cut
    }
    try PeerAllowList(beside).check(guest)
  }
}

/// The keys that are allowed to finish a handshake, and the keys that are never allowed to.
struct AllowedPeers: Sendable {
  var admitted: Set<PublicKey> = []
  var revoked: Set<PublicKey> = []

  /// Whether a key may take part.
  ///
  /// For a key that is neither known nor revoked, `others` decides.
  func admits(_ key: PublicKey, orElse others: (PublicKey) -> Bool) -> Bool {
    !revoked.contains(key) && (admitted.contains(key) || others(key))
  }

  /// Whether a key is accepted from a peer that was dialed: only the pinned key or, without a pin, any known key.
  func admits(_ key: PublicKey, pinned pin: Pin?) -> Bool {
    !revoked.contains(key) && (pin?.fits(key) ?? admitted.contains(key))
  }
}

/// A description of the key that a peer must have.
package enum Pin: Sendable {
  case key(PublicKey)
  /// One of the keys that a device has had over time.
  case keys(Set<PublicKey>)
  /// The key with these words, as in the list of devices.
  case words([String])

  func fits(_ key: PublicKey) -> Bool {
    switch self {
    case .key(let expected): expected == key
    case .keys(let expected): expected.contains(key)
    case .words(let words): key.fingerprint == words
    }
  }
}
