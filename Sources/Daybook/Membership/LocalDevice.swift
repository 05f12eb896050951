import Bytes
package import Crypto
import Journaling
package import Platform
import Syncing

/// This machine as a device of the book: the logs that it writes or has written, and its keys.
package final class LocalDevice {
  let store: LogStore
  /// The identity that this device last showed.
  var knownIdentity: TLSIdentity?
  /// The incarnation that connects this device's own log with its key; nil until it is looked up.
  var knownIncarnation: (log: UniqueID, incarnation: UniqueID)?
  /// The folder outside the book in which the ends of this device's logs are stored; nil for none.
  var witness: Path?
  /// The file of the lost key that this process has replaced with a new one.
  package internal(set) var replacedKey: Path?

  init(in store: LogStore) { self.store = store }

  /// The log that this machine writes, if it has begun one and no other machine has written to it.
  var ownLog: UniqueID? {
    get throws(DaybookError) {
      guard let replica = try store.folder.writtenLog() else { return nil }
      return store.journal.end(of: replica, on: .logs) == nil || store.journal.isForked(replica)
        ? nil : replica
    }
  }

  /// The log that identifies this machine: the log that it writes, or else the log that it most recently abandoned.
  var lastOwnLog: UniqueID? {
    get throws(DaybookError) {
      if let log = try ownLog { return log }
      let mark = try store.folder.mark()
      let known = [store.file.writers[mark], store.file.left[mark]?.log].compactMap(
        \.self)
      return known.first { store.journal.end(of: $0, on: .logs) != nil }
    }
  }

  /// The last event that this machine itself has written to a log.
  func tip(of log: UniqueID) -> (sequence: UInt64, hash: Digest)? {
    // If the log has forked, only the witness shows which branch belongs to this machine.
    if store.journal.isForked(log) { return witnessed(of: log) }
    return store.journal.end(of: log, on: .logs).flatMap {
      $0.sequence > 0 ? ($0.sequence, $0.hash) : nil
    }
  }

  /// Records the last event that this machine has written to its log, before it abandons the log for a log with another
  /// key.
  func noteLeftLog() throws(DaybookError) {
    let mark = try store.folder.mark()
    guard let log = store.file.writers[mark], let tip = tip(of: log) else { return }
    let place = Landmark(log: log, sequence: tip.sequence, hash: tip.hash.prefix16)
    store.folder.file.earlier[mark, default: []].append(place)
  }

  /// The events that this machine has written to its log and to the logs that it has left.
  func ownLogs() throws(DaybookError) -> OwnLogs {
    let mark = try store.folder.mark()
    var own = OwnLogs(last: try lastOwnLog, ends: [:])
    if let log = try ownLog { own.ends[log] = .max }
    let tips =
      [store.file.left[mark]?.tip].compactMap(\.self)
      + (store.file.earlier[mark] ?? [])
    guard !tips.isEmpty else { return own }
    let tree = store.logTree
    for tip in tips where store.journal.end(of: tip.log, on: .logs) != nil {
      guard let holder = try tree.holder(of: tip) else { continue }
      for reach in tree.reaches(through: holder, upTo: tip.sequence) {
        own.ends[reach.log] = max(own.ends[reach.log] ?? 0, reach.upTo)
      }
    }
    return own
  }

  /// For each log, the last event that this machine folds.
  func shownLogs(_ trust: Trust) throws(DaybookError) -> [UniqueID: UInt64] {
    try ownLogs().shown(by: trust).filter { store.journal.end(of: $0.key, on: .logs) != nil }
  }

  /// The events of this device's own log that are known from outside the logs.
  func ownEnds() throws(DaybookError) -> [Landmark] {
    guard let log = try store.folder.writtenLog() else { return [] }
    return knownEnds(ofOwn: log)
  }

  /// The first event of a log of this machine, and the last one according to its witness.
  func knownEnds(ofOwn log: UniqueID) -> [Landmark] {
    let witnessed = witnessed(of: log).map {
      Landmark(log: log, sequence: $0.sequence, hash: $0.hash.prefix16)
    }
    // The first event is known to exist, because `book.json` names a log only after that event is durable.
    let first = Landmark(log: log, sequence: 1, hash: .none)
    return [first, witnessed].compactMap(\.self)
  }
}

// MARK: - Keys

extension LocalDevice {
  /// The private keys of a log of this device, or nil if they are not stored here.
  func keys(of replica: UniqueID) throws(DaybookError) -> DeviceKeys? {
    guard let kept = try store.folder.keptKeys(of: replica) else { return nil }
    let keys = try wrap({ [layout = store.layout] in
      DaybookError.keys(layout.key(of: replica), $0)
    }) {
      () throws(CryptoError) in try kept.made()
    }
    try check(keys, of: replica)
    return keys
  }

  /// The keys of this device for its next incarnation; new keys if it has none.
  func deviceKeys() throws(DaybookError) -> DeviceKeys {
    if let keys = try storedKeys() { return keys }
    return try store.folder.newKeys()
  }

  /// The key file of the log that this machine most recently wrote, if no key of this device remains.
  ///
  /// The next log then begins with a new key, which another device must admit.
  func lostKey() throws(DaybookError) -> Path? {
    guard let log = try store.folder.lastWrittenLog(), try storedKeys() == nil else { return nil }
    return store.layout.key(of: log)
  }

  /// The keys of this device for its next incarnation, if it has any.
  func storedKeys() throws(DaybookError) -> DeviceKeys? {
    let mark = try store.folder.mark()
    let own = [store.file.writers[mark], store.file.left[mark]?.log].compactMap(
      \.self)
    // A copied book contains the keys of the original device.
    let others =
      store.file.writers.values.sorted() + store.file.left.values.map(\.log).sorted()
    for replica in own + others {
      if let keys = try self.keys(of: replica) { return keys }
    }
    return try keysInWaiting()
  }

  /// Checks that keys belong to the log that their file is named after, if the log's first event can be read.
  func check(_ keys: DeviceKeys, of log: UniqueID) throws(DaybookError) {
    guard let own = try? store.journal.publicKey(of: log) else { return }
    guard own == keys.signing.publicKey else { throw .otherKey(store.layout.key(of: log)) }
  }
}

// MARK: - Identity

extension LocalDevice {
  /// The identity that this device shows to peers: the key of its current or next log.
  package var identity: TLSIdentity {
    get throws(DaybookError) {
      let keys = try shownKeys()
      if let knownIdentity, knownIdentity.publicKey == keys.signing.publicKey {
        return knownIdentity
      }
      let made = try wrap({ [layout = store.layout] in DaybookError.keys(layout.keys, $0) }) {
        () throws(CryptoError) in try TLSIdentity(keys.signing)
      }
      knownIdentity = made
      return made
    }
  }

  /// The key by which other devices identify this device.
  package var shownKey: PublicKey {
    get throws(DaybookError) { try shownKeys().signing.publicKey }
  }

  /// The keys by which other devices identify this device.
  ///
  /// If the device has no keys yet, they are created and stored.
  func shownKeys() throws(DaybookError) -> DeviceKeys {
    if let own = try ownLog {
      guard let keys = try keys(of: own) else { throw .noKey(store.layout.key(of: own)) }
      return keys
    }
    if let keys = try storedKeys() { return keys }
    // The next log gets a new key. Until then, each call would create a different key.
    if let path = try lostKey() { throw .noKey(path) }
    // Once a peer has seen a key, the device must keep it.
    let keys = try store.folder.newKeys()
    try store.folder.keep(
      keys, of: .replica(publicKey: keys.signing.publicKey, incarnation: .none))
    return keys
  }

  /// Returns keys that this device showed before it had a log, or those of a log that it had begun before a crash.
  ///
  /// The result is nil if this machine has written a log. If the book is a copy, the folder may also contain the keys
  /// of another machine's logs.
  private func keysInWaiting() throws(DaybookError) -> DeviceKeys? {
    guard try store.folder.lastWrittenLog() == nil else { return nil }
    for id in try idsOfKeys() {
      guard let keys = try keys(of: id) else { continue }
      if id == .replica(publicKey: keys.signing.publicKey, incarnation: .none) { return keys }
    }
    for log in try begunLogs() {
      if let keys = try keys(of: log) { return keys }
    }
    return nil
  }

  /// The ids after which the key files are named, in order.
  private func idsOfKeys() throws(DaybookError) -> [UniqueID] {
    do throws(DiskError) {
      return try store.machine.disk.list(store.layout.keys).compactMap(Layout.replica(ofKey:))
        .sorted()
    } catch {
      if error.reason == .notFound { return [] }
      throw .disk(error)
    }
  }

  /// The logs that were begun in this folder, if no machine has been recorded as a writer.
  ///
  /// The writer is recorded after the first event is durable, so a crash between the two leaves a log without a writer.
  /// If a writer was ever recorded, the folder may be a copy of another machine's, and so may the logs.
  func begunLogs() throws(DaybookError) -> [UniqueID] {
    let file = store.file
    guard file.writers.isEmpty, file.left.isEmpty, file.earlier.isEmpty else { return [] }
    return try idsOfKeys().filter { store.journal.end(of: $0, on: .logs)?.sequence ?? 0 > 0 }
  }

  /// This device's own log, and the incarnation that connects it with its key.
  func ownSpeaker() throws(DaybookError) -> (log: UniqueID, incarnation: UniqueID)? {
    guard let log = try ownLog else { return nil }
    if let knownIncarnation, knownIncarnation.log == log { return knownIncarnation }
    guard case .open(let opening) = try store.openEvent(of: log) else { return nil }
    knownIncarnation = (log, opening.incarnation)
    return knownIncarnation
  }

  /// The keys for signing heads of a log, or nil if this device has none.
  ///
  /// The logs of other devices are exported only up to their last head.
  func exportKeys(of log: UniqueID) throws(SyncError) -> DeviceKeys? {
    do throws(DaybookError) {
      return try keys(of: log)
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // If a key file cannot be read, events that are already signed can still be sent.
      return nil
    }
  }
}
