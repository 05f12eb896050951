import Bytes
import Crypto
import Domain
import Journaling
import Platform
import Syncing

/// Knows which log this machine writes, and leaves it for a new one before two could write the same.
struct OwnLogKeeper {
  let store: LogStore
  let localDevice: LocalDevice
  let lossTracker: LossTracker
  let peerNotes: PeerNotes
  let projector: Projector

  /// The log this machine writes, begun now if need be.
  func ownLogForWriting() throws(DaybookError) -> UniqueID {
    try ownLogForWriting(knowing: projector.postedCausality)
  }

  /// The log this machine writes, begun now if need be, by one who knows what was seen.
  ///
  /// An import asks at each of its batches, and the read model must not catch up for that.
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
    // After damage at its end, or where it has forked or was rolled back, nothing may follow; and what follows events
    // that are lost in its middle and does not tell its table of logs can be taken by no device that lacks them. The
    // device goes on in a new incarnation.
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

  /// Goes on in a new incarnation when the end of the own log is damaged.
  ///
  /// Recovery cuts the damage off, and others may hold the events that stood there: to write others in their
  /// place would fork the log. Once nobody writes it here, they can come back from there.
  func leaveDamagedLog() throws(DaybookError) {
    guard try damagedOwnLog != nil else { return }
    try forgetWriter(retiring: false)
    _ = try beginLog()
  }

  /// Leaves the own log when its end is damaged, before what has come is stored; the next one begins with what is
  /// written next.
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

  /// Leaves the own log where it lacks what the witness or a peer has seen: an old copy was put in the book's place.
  func leaveRolledBackLog() throws(DaybookError) {
    guard let log = try localDevice.ownLog else { return }
    if let seen = localDevice.witnessed(of: log),
      try store.chainHash(of: log, at: seen.sequence) != seen.hash
    {
      return try forgetWriter()
    }
    let end = store.journal.end(of: log, on: .logs)?.sequence ?? 0
    for peer in try peerNotes.peers().peers.values {
      guard peer.frontier.places(of: log).contains(where: { $0.sequence > end }) else { continue }
      return try forgetWriter()
    }
  }

  /// Whether this device's log is known to be longer than the part held here.
  private func isKnownToBeShort(
    _ log: UniqueID, _ causality: Causality?
  ) throws(DaybookError) -> Bool {
    if isShortOfWhatOthersSaw(log, causality) { return true }
    // A copy of the book may hold what was lost here, so its number must not be given to another event.
    guard let lost = store.file.losses.ends[store.journal.lineage(of: log).replica] else {
      return false
    }
    return try !lossTracker.isHere(lost, by: store.heldEnds())
  }

  /// Whether others say that they have folded more of the own log than is held.
  ///
  /// Then an old copy was put in the book's place, or the log's last file is lost.
  private func isShortOfWhatOthersSaw(_ log: UniqueID, _ causality: Causality?) -> Bool {
    // Where nothing can be folded it is not known what was seen, and the rest must do.
    causality.map {
      $0.lastSeenByOthers(of: log) > store.journal.end(of: log, on: .logs)?.sequence ?? 0
    }
      ?? false
  }

  /// Begins a log: a new incarnation of the device's key, or of a new key if it has none yet.
  ///
  /// The writer is noted only after its first event is durable; until then nothing refers to it.
  private func beginLog() throws(DaybookError) -> UniqueID {
    let replica = try beginLog(of: try localDevice.deviceKeys())
    store.folder.file.writers[try store.folder.mark()] = replica
    try store.folder.saveFile()
    localDevice.bearWitness(of: replica)
    try retireLeftLog(in: replica)
    return replica
  }

  /// Forgets, for good, which log this machine writes; it begins a new one before it next writes.
  ///
  /// Where the log was not only damaged, the new one says first that the other was left.
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

  /// Notes how far a log of this machine went, before another one is written and its witness is asked no more.
  private func noteLossBeforeLeaving(_ log: UniqueID) throws(DaybookError) {
    try lossTracker.note(localDevice.knownEnds(ofOwn: log), in: &store.folder.file.losses)
  }

  /// Says in the log of this machine which one it has left, if that is still to be said.
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

  /// Called with the lock held before events of a replica are stored that are not held and that it has signed.
  ///
  /// If this machine writes that log, somebody else does too, or it was rolled back: it must not go on there.
  func willStore(eventsOf replica: UniqueID) throws(DaybookError) {
    try leave(replica, retiring: true)
  }

  /// Forgets with the lock held that this machine writes a log, if it does.
  private func leave(_ log: UniqueID, retiring: Bool) throws(DaybookError) {
    guard try store.folder.writtenLog() == log else { return }
    // Another process may have left it by now.
    try store.folder.reloadFile()
    guard try store.folder.writtenLog() == log else { return }
    try forgetWriter(retiring: retiring)
  }

  /// Leaves the own log if a frame of it has come that is not held.
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
      // A book.json that cannot be read cannot be written either.
      throw .damaged(log)
    }
  }

  /// Whether a frame of the own log proves an event that is not held.
  private func isNews(_ bytes: [UInt8], of log: UniqueID) throws(DaybookError) -> Bool {
    var chain = Chain()
    // What is no frame is refused by the journal; and only what a head proves is ever stored.
    guard let frame = try? Frame.decode(bytes.span, at: 0, &chain), let head = frame.head,
      let last = frame.events.last, let keys = try localDevice.keys(of: log),
      head.proves(log, upTo: last, by: keys.signing.publicKey)
    else { return false }
    let place = Landmark(log: log, sequence: last.sequence, hash: last.hash.prefix16)
    return try store.logTree.holder(of: place) == nil
  }

  /// Begins a log of the holder of the keys, which nobody is noted to write yet.
  func beginLog(of keys: DeviceKeys) throws(DaybookError) -> UniqueID {
    let incarnation = UniqueID(store.machine.dice.bytes(16))
    let replica = UniqueID.replica(publicKey: keys.signing.publicKey, incarnation: incarnation)
    try store.folder.keep(keys, of: replica)
    return try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.begin(
        keys, incarnation: incarnation, name: store.file.device, at: store.folder.now)
    }
  }

  /// Begins a log under another key than that of the log it follows, and says so in it.
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
