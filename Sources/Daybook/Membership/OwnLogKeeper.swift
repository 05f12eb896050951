import Bytes
import Crypto
import Domain
import Journaling
import Platform
import Syncing

/// Decides which log this machine writes, and begins a new log before two machines could write to the same log.
struct OwnLogKeeper {
  let store: LogStore
  let localDevice: LocalDevice
  let lossTracker: LossTracker
  let claimReader: ClaimReader
  let projector: Projector

  /// The log that this machine writes.
  ///
  /// This function begins the log if necessary.
  func ownLogForWriting() throws(DaybookError) -> UniqueID {
    try ownLogForWriting(knowing: projector.posted)
  }

  /// The log that this machine writes, for a caller that already has the posting.
  ///
  /// This function begins the log if necessary.
  ///
  /// An import calls this function for each batch, and must not update the read model each time.
  func ownLogForWriting(knowing posting: Posting?) throws(DaybookError) -> UniqueID {
    try takeUpBegunLog()
    let isShort =
      try localDevice.ownLog.map { log throws(DaybookError) in try isKnownToBeShort(log, posting) }
      ?? false
    if let log = try localDevice.ownLog, store.journal.isSound(log), !isShort,
      StrandedEvents(of: log, in: store.journal).count == 0
    {
      try retireLeftLog(in: log)
      return log
    }
    // A log must not be continued if its end is damaged, if it has forked or was rolled back, or if it contains events
    // after a loss that other devices cannot accept. In all these cases, this device begins a new incarnation.
    if let log = try store.folder.writtenLog() {
      try forgetWriter(retiring: isShort || store.journal.isForked(log))
    }
    return try beginLog()
  }

  /// Records this machine as the writer of a log that it began before a crash.
  ///
  /// A log with more than its first event is left alone, because only a recorded writer continues a log. The folder is
  /// then a copy, and this device begins a new incarnation with the same key.
  private func takeUpBegunLog() throws(DaybookError) {
    let begun = try localDevice.begunLogs()
    guard !begun.isEmpty, let keys = try localDevice.storedKeys() else { return }
    let log = begun.first { log in
      store.journal.end(of: log, on: .logs)?.sequence == 1 && store.journal.isSound(log)
        && !store.journal.isForked(log)
        && (try? store.journal.publicKey(of: log)) == keys.signing.publicKey
    }
    guard let log else { return }
    store.folder.file.writers[try store.folder.mark()] = log
    try store.folder.saveFile()
    localDevice.bearWitness(of: log)
  }

  /// Abandons this device's own log if its end is damaged, and continues in a new incarnation.
  ///
  /// Recovery cuts off the damaged part. Other devices may hold the events that it contained, so writing different
  /// events in their place would fork the log. Once this machine no longer writes the log, the lost events can be
  /// received again.
  func leaveDamagedLog() throws(DaybookError) {
    guard try damagedOwnLog != nil else { return }
    try forgetWriter(retiring: false)
    _ = try beginLog()
  }

  /// Abandons this device's own log if its end is damaged, before received events are stored.
  ///
  /// The next log begins with the next event.
  func leaveDamagedLogBeforeStoring() throws(DaybookError) {
    if let log = try damagedOwnLog { try leave(log, retiring: false) }
  }

  /// This device's own log, if its end is damaged.
  private var damagedOwnLog: UniqueID? {
    get throws(DaybookError) {
      guard let log = try localDevice.ownLog else { return nil }
      let isDamaged = try wrap(DaybookError.journal) { () throws(JournalError) in
        try store.journal.endsInDamage(log)
      }
      return isDamaged ? log : nil
    }
  }

  /// Abandons this device's own log if it lacks events that the witness has seen, because an old copy has replaced the
  /// book.
  func leaveRolledBackLog() throws(DaybookError) {
    guard let log = try localDevice.ownLog else { return }
    if try isRolledBack(log) { try forgetWriter() }
  }

  /// Whether a log lacks events that the witness has seen.
  private func isRolledBack(_ log: UniqueID) throws(DaybookError) -> Bool {
    guard let seen = localDevice.witnessed(of: log) else { return false }
    return try store.chainHash(of: log, at: seen.sequence) != seen.hash
  }

  /// Whether the next event of this device begins a new log, because the current log cannot be continued.
  func willBeginLog() throws(DaybookError) -> Bool {
    guard let log = try localDevice.ownLog, try damagedOwnLog == nil else { return true }
    if !store.journal.isSound(log) || StrandedEvents(of: log, in: store.journal).count > 0 {
      return true
    }
    if try isRolledBack(log) { return true }
    return try isKnownToBeShort(log, projector.posted)
  }

  /// Whether the log of this device is known to be longer than the part that is held here.
  ///
  /// A log that is longer elsewhere shows that an old copy has replaced the book, or that its last file is lost.
  private func isKnownToBeShort(
    _ log: UniqueID, _ posting: Posting?
  ) throws(DaybookError) -> Bool {
    if try claimReader.areEvidence(against: log, in: posting) { return true }
    // A copy of the book may contain the lost event, so its sequence must not be used for another event.
    guard let lost = store.file.losses.ends[store.journal.lineage(of: log).replica] else {
      return false
    }
    return try !lossTracker.isHere(lost, by: store.heldEnds(), in: store.logTree)
  }

  /// Begins a log with a new incarnation and the device's key, or with a new key if the device has none.
  ///
  /// The writer is stored only after the first event is durable. Until then, nothing refers to the log.
  private func beginLog() throws(DaybookError) -> UniqueID {
    let lostKey = try localDevice.lostKey()
    let replica = try beginLog(of: try localDevice.deviceKeys())
    localDevice.replacedKey = lostKey ?? localDevice.replacedKey
    store.folder.file.writers[try store.folder.mark()] = replica
    try store.folder.saveFile()
    localDevice.bearWitness(of: replica)
    try retireLeftLog(in: replica)
    return replica
  }

  /// Permanently stops writing the current log.
  ///
  /// A new log begins before the next write.
  ///
  /// With `retiring`, the new log first states that the old log was abandoned.
  func forgetWriter(retiring: Bool = true) throws(DaybookError) {
    let mark = try store.folder.mark()
    guard let log = store.file.writers[mark] else { return }
    try noteLossBeforeLeaving(log)
    let tip = localDevice.tip(of: log)
    if let former = store.file.left[mark]?.tip {
      store.folder.file.earlier[mark, default: []].append(former)
    }
    store.folder.file.left[mark] = LeftLog(
      log: log, sequence: tip?.sequence ?? 0, hash: tip?.hash.prefix16 ?? .none,
      mustRetire: retiring && tip != nil)
    store.folder.file.writers[mark] = nil
    try store.folder.saveFile()
  }

  /// Records the end of a log of this machine before it writes another log, because the witness of the old log is no
  /// longer read.
  private func noteLossBeforeLeaving(_ log: UniqueID) throws(DaybookError) {
    try lossTracker.note(localDevice.knownEnds(ofOwn: log), in: &store.folder.file.losses)
  }

  /// Records in this machine's log which log it has abandoned, unless this is already recorded.
  private func retireLeftLog(in log: UniqueID) throws(DaybookError) {
    let mark = try store.folder.mark()
    guard let left = store.file.left[mark], left.mustRetire, let tip = left.tip,
      let keys = try localDevice.keys(of: log)
    else { return }
    let holder = try store.logTree.holder(of: tip) ?? tip.log
    let landmark = Landmark(log: holder, sequence: tip.sequence, hash: tip.hash)
    let event = NewEvent(body: TrustVerb.retire(landmark).encode())
    _ = try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.append(
        [Command(time: store.folder.now, events: [event])], to: log, keys: keys)
    }
    localDevice.bearWitness(of: log)
    store.folder.file.left[mark]?.mustRetire = false
    try store.folder.saveFile()
  }

  /// Called with the lock held, before new events that a replica has signed are stored.
  ///
  /// If this machine writes the log of that replica, then another machine also writes it, or the log was rolled back.
  /// This machine must not continue the log.
  func willStore(eventsOf replica: UniqueID) throws(DaybookError) {
    try leave(replica, retiring: true)
  }

  /// Stops writing a log, if this machine writes it.
  ///
  /// The caller must hold the lock.
  private func leave(_ log: UniqueID, retiring: Bool) throws(DaybookError) {
    guard try store.folder.writtenLog() == log else { return }
    // Another process may have left the log in the meantime.
    try store.folder.reloadFile()
    guard try store.folder.writtenLog() == log else { return }
    try forgetWriter(retiring: retiring)
  }

  /// Abandons this device's own log if a received frame of the log contains new events.
  func leaveOwnLog(before frame: [UInt8], of log: UniqueID) throws(JournalError) {
    do throws(DaybookError) {
      guard try store.folder.writtenLog() == log, try isNews(frame, of: log)
      else {
        return
      }
      try willStore(eventsOf: log)
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // If `book.json` cannot be read, it cannot be written either.
      throw .damaged(log)
    }
  }

  /// Whether a frame of this device's own log proves an event that is not held.
  private func isNews(_ bytes: [UInt8], of log: UniqueID) throws(DaybookError) -> Bool {
    var chain = Chain()
    // The journal refuses bytes that are not a frame, and stores only events that a head proves.
    guard let frame = try? Frame.decode(bytes.span, at: 0, &chain), let head = frame.head,
      let last = frame.events.last, let keys = try localDevice.keys(of: log),
      head.proves(log, upTo: last, by: keys.signing.publicKey)
    else { return false }
    let place = Landmark(log: log, sequence: last.sequence, hash: last.hash.prefix16)
    return try store.logTree.holder(of: place) == nil
  }

  /// Begins a log with the given keys.
  ///
  /// This machine is not yet recorded as the writer of the log.
  func beginLog(of keys: DeviceKeys) throws(DaybookError) -> UniqueID {
    let incarnation = UniqueID(store.machine.dice.bytes(16))
    let replica = UniqueID.replica(publicKey: keys.signing.publicKey, incarnation: incarnation)
    try store.folder.keep(keys, of: replica)
    return try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.begin(
        keys, incarnation: incarnation, name: store.file.device, at: store.folder.now)
    }
  }

  /// Begins a log with a key that differs from the old log's, and states in the new log that the old log was abandoned.
  func beginLog(of keys: DeviceKeys, leaving old: UniqueID) throws(DaybookError) -> UniqueID {
    let replica = try beginLog(of: keys)
    guard let end = store.journal.end(of: old, on: .logs) else { return replica }
    let left = Landmark(log: old, sequence: end.sequence, hash: end.hash.prefix16)
    let event = NewEvent(body: TrustVerb.retire(left).encode())
    _ = try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.append(
        [Command(time: store.folder.now, events: [event])], to: replica, keys: keys)
    }
    localDevice.bearWitness(of: replica)
    return replica
  }
}
