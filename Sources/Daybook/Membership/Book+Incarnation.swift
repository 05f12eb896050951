import Bytes
import Crypto
import Domain
import Journaling
import Platform
import Syncing

// Which log this machine writes, and when it leaves it for a new one: always before two could write the same.

extension Book {
  /// The log this machine writes, if it has begun one and nobody else has written there.
  var ownLog: UniqueID? {
    get throws(DaybookError) {
      guard let replica = file.writers[try mark()] else { return nil }
      return journal.end(of: replica, on: .logs) == nil || journal.isForked(replica) ? nil : replica
    }
  }

  /// The log by which this machine is known: the one it writes, or else the one it has left.
  var lastOwnLog: UniqueID? {
    get throws(DaybookError) {
      if let log = try ownLog { return log }
      let mark = try mark()
      let known = [file.writers[mark], file.left[mark]?.log].compactMap(\.self)
      return known.first { journal.end(of: $0, on: .logs) != nil }
    }
  }

  /// The log this machine writes, begun now if need be.
  func ownLogForWriting() throws(DaybookError) -> UniqueID {
    try ownLogForWriting(knowing: postedCausality)
  }

  /// The log this machine writes, begun now if need be, by one who knows what was seen.
  ///
  /// An import asks at each of its batches, and the read model must not catch up for that.
  func ownLogForWriting(knowing causality: Causality?) throws(DaybookError) -> UniqueID {
    let isShort =
      try ownLog.map { log throws(DaybookError) in try isKnownToBeShort(log, causality) } ?? false
    if let log = try ownLog, journal.isSound(log), !isShort,
      StrandedEvents(of: log, in: journal).count == 0
    {
      try retireLeftLog(in: log)
      return log
    }
    // After damage at its end, or where it has forked or was rolled back, nothing may follow; and what follows events
    // that are lost in its middle and does not tell its table of logs can be taken by no device that lacks them. The
    // device goes on in a new incarnation.
    if let log = file.writers[try mark()] {
      if isShort, let causality {
        let seen = Landmark(
          log: log, sequence: causality.lastSeenByOthers(of: log), hash: .none)
        try note([seen], in: &file.losses)
      }
      try forgetWriter(retiring: isShort || journal.isForked(log))
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
      guard let log = try ownLog else { return nil }
      let isDamaged = try wrap(DaybookError.journal) { () throws(JournalError) in
        try journal.endsInDamage(log)
      }
      return isDamaged ? log : nil
    }
  }

  /// Leaves the own log where it lacks what the witness or a peer has seen: an old copy was put in the book's place.
  func leaveRolledBackLog() throws(DaybookError) {
    guard let log = try ownLog else { return }
    if let seen = witnessed(of: log), try chainHash(of: log, at: seen.sequence) != seen.hash {
      return try forgetWriter()
    }
    let end = journal.end(of: log, on: .logs)?.sequence ?? 0
    for peer in try peers().peers.values {
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
    guard let lost = file.losses.ends[journal.lineage(of: log).replica] else { return false }
    return try !isHere(lost, by: heldEnds())
  }

  /// Whether others say that they have folded more of the own log than is held.
  ///
  /// Then an old copy was put in the book's place, or the log's last file is lost.
  private func isShortOfWhatOthersSaw(_ log: UniqueID, _ causality: Causality?) -> Bool {
    // Where nothing can be folded it is not known what was seen, and the rest must do.
    causality.map { $0.lastSeenByOthers(of: log) > journal.end(of: log, on: .logs)?.sequence ?? 0 }
      ?? false
  }

  /// Begins a log: a new incarnation of the device's key, or of a new key if it has none yet.
  ///
  /// The writer is noted only after its first event is durable; until then nothing refers to it.
  private func beginLog() throws(DaybookError) -> UniqueID {
    let replica = try beginLog(of: try deviceKeys())
    file.writers[try mark()] = replica
    try saveFile()
    bearWitness(of: replica)
    try retireLeftLog(in: replica)
    return replica
  }

  /// Forgets, for good, which log this machine writes; it begins a new one before it next writes.
  ///
  /// Where the log was not only damaged, the new one says first that the other was left.
  func forgetWriter(retiring: Bool = true) throws(DaybookError) {
    let mark = try mark()
    guard let log = file.writers[mark] else { return }
    try noteLossBeforeLeaving(log)
    let tip = tip(of: log)
    if let former = file.left[mark]?.tip { file.earlier[mark, default: []].append(former) }
    file.left[mark] = LeftLog(
      log: log, sequence: tip?.sequence ?? 0, hash: tip?.hash.prefix16 ?? .none,
      mustRetire: retiring && tip != nil)
    file.writers[mark] = nil
    try saveFile()
  }

  /// Notes how far a log of this machine went, before another one is written and its witness is asked no more.
  private func noteLossBeforeLeaving(_ log: UniqueID) throws(DaybookError) {
    try note(knownEnds(ofOwn: log), in: &file.losses)
  }

  /// Notes what this machine has written in its log, which it leaves for one of another key.
  func noteLeftLog() throws(DaybookError) {
    let mark = try mark()
    guard let log = file.writers[mark], let tip = tip(of: log) else { return }
    let place = Landmark(log: log, sequence: tip.sequence, hash: tip.hash.prefix16)
    file.earlier[mark, default: []].append(place)
  }

  /// The last event of a log that this machine wrote itself.
  private func tip(of log: UniqueID) -> (sequence: UInt64, hash: Digest)? {
    // Once it has forked, only the witness can tell which branch is the own one.
    if journal.isForked(log) { return witnessed(of: log) }
    return journal.end(of: log, on: .logs).flatMap {
      $0.sequence > 0 ? ($0.sequence, $0.hash) : nil
    }
  }

  /// Says in the log of this machine which one it has left, if that is still to be said.
  private func retireLeftLog(in log: UniqueID) throws(DaybookError) {
    let mark = try mark()
    guard let left = file.left[mark], left.mustRetire, let tip = left.tip,
      let keys = try keys(of: log)
    else { return }
    let holder = try logTree.holder(of: tip) ?? tip.log
    let landmark = Landmark(log: holder, sequence: tip.sequence, hash: tip.hash)
    let event = NewEvent(body: TrustVerb.retire(landmark).encode())
    _ = try wrap(DaybookError.journal) { () throws(JournalError) in
      try journal.append([Command(time: now, events: [event])], to: log, keys: keys)
    }
    bearWitness(of: log)
    file.left[mark]?.mustRetire = false
    try saveFile()
  }
}

extension Book {
  /// Called with the lock held before events of a replica are stored that are not held and that it has signed.
  ///
  /// If this machine writes that log, somebody else does too, or it was rolled back: it must not go on there.
  func willStore(eventsOf replica: UniqueID) throws(DaybookError) {
    try leave(replica, retiring: true)
  }

  /// Forgets with the lock held that this machine writes a log, if it does.
  private func leave(_ log: UniqueID, retiring: Bool) throws(DaybookError) {
    guard file.writers[try mark()] == log else { return }
    // Another process may have left it by now.
    try reloadFile()
    guard file.writers[try mark()] == log else { return }
    try forgetWriter(retiring: retiring)
  }

  /// Leaves the own log if a frame of it has come that is not held.
  func leaveOwnLog(before frame: [UInt8], of log: UniqueID) throws(JournalError) {
    do throws(DaybookError) {
      guard file.writers[try mark()] == log, try isNews(frame, of: log) else {
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
      let last = frame.events.last, let keys = try keys(of: log),
      head.proves(log, upTo: last, by: keys.signing.publicKey)
    else { return false }
    let place = Landmark(log: log, sequence: last.sequence, hash: last.hash.prefix16)
    return try logTree.holder(of: place) == nil
  }
}
