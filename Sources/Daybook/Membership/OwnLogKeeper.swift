import Bytes
import Crypto
import Domain
import Journaling
import Platform
import Syncing

/// Decides which log this machine writes, and leaves it for a new one before two machines could write the same log.
struct OwnLogKeeper {
  let store: LogStore
  let localDevice: LocalDevice
  let lossTracker: LossTracker
  let peerNotes: PeerNotes
  let projector: Projector

  /// The log that this machine writes.
  ///
  /// It is begun now if necessary.
  func ownLogForWriting() throws(DaybookError) -> UniqueID {
    try ownLogForWriting(knowing: projector.postedCausality)
  }

  /// The log that this machine writes, for a caller that knows what was seen.
  ///
  /// It is begun now if necessary.
  ///
  /// An import asks for it in each batch, and the read model must not be updated for that.
  func ownLogForWriting(knowing causality: Causality?) throws(DaybookError) -> UniqueID {
    let isShort =
      try localDevice.ownLog.map { log throws(DaybookError) in try isKnownToBeShort(log, causality)
      } ?? false
    if let log = try localDevice.ownLog, store.journal.isSound(log), !isShort,
      StrandedEvents(of: log, in: store.journal).count == 0
    {
      try retireLeftLog(in: log)
      return log
    }
    // Nothing may follow a damaged end, or follow in a log that has forked or was rolled back. Events behind a loss
    // that do not have the table of logs cannot be accepted by a device that lacks the lost ones. In these cases the
    // device continues in a new incarnation.
    if let log = try store.folder.writtenLog() {
      if isShort, let causality {
        let seen = Landmark(
          log: log, sequence: causality.lastSeenByOthers(of: log), hash: .none)
        try lossTracker.note([seen], in: &store.folder.file.losses)
      }
      try forgetWriter(retiring: isShort || store.journal.isForked(log))
    }
    return try beginLog()
  }

  /// Leaves the own log if its end is damaged, and continues in a new incarnation.
  ///
  /// Recovery cuts the damage off. Others may hold the events that were there, so writing other events in their place
  /// would fork the log. Once this machine does not write the log any more, the lost events can come back.
  func leaveDamagedLog() throws(DaybookError) {
    guard try damagedOwnLog != nil else { return }
    try forgetWriter(retiring: false)
    _ = try beginLog()
  }

  /// Leaves the own log if its end is damaged, before received events are stored.
  ///
  /// The next log begins with the next event.
  func leaveDamagedLogBeforeStoring() throws(DaybookError) {
    if let log = try damagedOwnLog { try leave(log, retiring: false) }
  }

  /// The own log, if its end is damaged.
  private var damagedOwnLog: UniqueID? {
    get throws(DaybookError) {
      guard let log = try localDevice.ownLog else { return nil }
      let isDamaged = try wrap(DaybookError.journal) { () throws(JournalError) in
        try store.journal.endsInDamage(log)
      }
      return isDamaged ? log : nil
    }
  }

  /// Leaves the own log if it lacks events that the witness or a peer has seen: an old copy has replaced the book.
  func leaveRolledBackLog() throws(DaybookError) {
    guard let log = try localDevice.ownLog else { return }
    if try isRolledBack(log) { try forgetWriter() }
  }

  /// Whether a log lacks events that the witness or a peer has seen.
  private func isRolledBack(_ log: UniqueID) throws(DaybookError) -> Bool {
    if let seen = localDevice.witnessed(of: log),
      try store.chainHash(of: log, at: seen.sequence) != seen.hash
    {
      return true
    }
    let end = store.journal.end(of: log, on: .logs)?.sequence ?? 0
    return try peerNotes.peers().peers.values.contains { peer in
      peer.frontier.places(of: log).contains { $0.sequence > end }
    }
  }

  /// Whether the next event of this device begins a new log, because the present one cannot be continued.
  func willBeginLog() throws(DaybookError) -> Bool {
    guard let log = try localDevice.ownLog, try damagedOwnLog == nil else { return true }
    if !store.journal.isSound(log) || StrandedEvents(of: log, in: store.journal).count > 0 {
      return true
    }
    if try isRolledBack(log) { return true }
    return try isKnownToBeShort(log, projector.postedCausality)
  }

  /// Whether the log of this device is known to be longer than the part that is held here.
  private func isKnownToBeShort(
    _ log: UniqueID, _ causality: Causality?
  ) throws(DaybookError) -> Bool {
    if isShortOfWhatOthersSaw(log, causality) { return true }
    // A copy of the book may hold the lost event, so its number must not be given to another event.
    guard let lost = store.file.losses.ends[store.journal.lineage(of: log).replica] else {
      return false
    }
    return try !lossTracker.isHere(lost, by: store.heldEnds())
  }

  /// Whether other devices have folded more of the own log than is held.
  ///
  /// Then an old copy has replaced the book, or the last file of the log is lost.
  private func isShortOfWhatOthersSaw(_ log: UniqueID, _ causality: Causality?) -> Bool {
    // If nothing can be folded, it is not known what was seen, and the other checks must do.
    causality.map {
      $0.lastSeenByOthers(of: log) > store.journal.end(of: log, on: .logs)?.sequence ?? 0
    }
      ?? false
  }

  /// Begins a log: a new incarnation of the device's key, or of a new key if it has none.
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

  /// Permanently stops writing the present log.
  ///
  /// A new one is begun before the next write.
  ///
  /// Unless the log was only damaged, the new one first states that the old one was left.
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

  /// Records the end of a log of this machine, before another one is written and its witness is not read any more.
  private func noteLossBeforeLeaving(_ log: UniqueID) throws(DaybookError) {
    try lossTracker.note(localDevice.knownEnds(ofOwn: log), in: &store.folder.file.losses)
  }

  /// States in the log of this machine which log it has left, if that is not done yet.
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

  /// Called with the lock held, before events of a replica are stored that are not held and that it has signed.
  ///
  /// If this machine writes that log, another machine does as well, or the log was rolled back. It must not continue
  /// there.
  func willStore(eventsOf replica: UniqueID) throws(DaybookError) {
    try leave(replica, retiring: true)
  }

  /// With the lock held, stops writing a log, if this machine writes it.
  private func leave(_ log: UniqueID, retiring: Bool) throws(DaybookError) {
    guard try store.folder.writtenLog() == log else { return }
    // Another process may have left it meanwhile.
    try store.folder.reloadFile()
    guard try store.folder.writtenLog() == log else { return }
    try forgetWriter(retiring: retiring)
  }

  /// Leaves the own log if a received frame of it is not held.
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

  /// Whether a frame of the own log proves an event that is not held.
  private func isNews(_ bytes: [UInt8], of log: UniqueID) throws(DaybookError) -> Bool {
    var chain = Chain()
    // The journal refuses bytes that are no frame, and stores only events that a head proves.
    guard let frame = try? Frame.decode(bytes.span, at: 0, &chain), let head = frame.head,
      let last = frame.events.last, let keys = try localDevice.keys(of: log),
      head.proves(log, upTo: last, by: keys.signing.publicKey)
    else { return false }
    let place = Landmark(log: log, sequence: last.sequence, hash: last.hash.prefix16)
    return try store.logTree.holder(of: place) == nil
  }

  /// Begins a log with the given keys.
  ///
  /// This machine is not recorded as its writer yet.
  func beginLog(of keys: DeviceKeys) throws(DaybookError) -> UniqueID {
    let incarnation = UniqueID(store.machine.dice.bytes(16))
    let replica = UniqueID.replica(publicKey: keys.signing.publicKey, incarnation: incarnation)
    try store.folder.keep(keys, of: replica)
    return try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.begin(
        keys, incarnation: incarnation, name: store.file.device, at: store.folder.now)
    }
  }

  /// Begins a log with a key that differs from that of the log before it, and states that in the log.
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
