package import Bytes
package import Crypto
import Platform

extension Journal {
  /// Checks a frame of a log that another device sent, and stages what is new in it.
  ///
  /// Nothing is kept for good before ``commit()``, unless more is staged than should be held in
  /// memory: then what heads prove is stored at once. A log that is held stays on its shelf. When it
  /// throws, what was staged of the log is forgotten, save before a gap or a fork.
  package mutating func receive(
    _ bytes: [UInt8], of log: UniqueID, on shelf: Shelf
  ) throws(JournalError) {
    guard !isPoisoned else { throw .poisoned }
    guard states[log]?.isSound ?? true else { throw .damaged(log) }
    let frame: Frame
    do throws(FrameError) {
      frame = try Frame.decode(bytes.span, at: 0, &chain)
      guard frame.length == bytes.count else { throw .trailing }
    } catch {
      throw .refused(log, error)
    }
    var reception: Reception
    if let staged = receptions.removeValue(forKey: log) {
      reception = staged
    } else {
      reception = try begin(log, on: shelf)
    }
    do throws(JournalError) {
      if frame.lastSequence <= reception.end.sequence {
        try compare(frame, of: log, with: reception)
      } else {
        try reception.stage(frame, bytes: bytes, &chain)
      }
    } catch {
      // These are found before anything is staged: what heads prove until here is as good as ever.
      switch error {
      case .gap, .forked: if !reception.drafts.isEmpty { receptions[log] = reception }
      default: break
      }
      throw error
    }
    receptions[log] = reception
    if reception.byteCount >= Limit.segmentBytes, reception.isProved { try store(log) }
  }

  /// Stores all that is staged; when it returns, it is durable.
  ///
  /// - Returns: The logs that have grown, in order.
  /// - Throws: ``JournalError/unproved(_:sequence:)`` when some of it did not end in a head: that is
  ///   forgotten, and the rest stored all the same.
  package mutating func commit() throws(JournalError) -> [UniqueID] {
    var grown: [UniqueID] = []
    var failure: JournalError?
    for log in receptions.keys.sorted() {
      let before = states[log]?.end.sequence ?? 0
      try store(log)
      let after = states[log]?.end.sequence ?? 0
      if after > before { grown.append(log) }
      if receptions[log]?.drafts.isEmpty == false { failure = .unproved(log, sequence: after) }
      receptions[log] = nil
    }
    if let failure { throw failure }
    return grown
  }

  /// Forgets all that is staged.
  package mutating func forgetReceived() { receptions = [:] }

  /// Moves a log that somebody has admitted to those of the book.
  package mutating func admit(_ log: UniqueID) throws(JournalError) {
    guard let state = states[log] else { throw .unknownLog(log) }
    guard state.shelf == .aside else { return }
    let (disk, logs, aside) = (
      disk, folder / Shelf.logs.rawValue, folder / Shelf.aside.rawValue
    )
    try writing { () throws(DiskError) in
      try disk.makeDirectories(logs)
      try disk.rename(aside / log.hex, to: logs / log.hex)
      try disk.flushDirectory(logs)
      try disk.flushDirectory(aside)
    }
    states[log]?.shelf = .logs
    receptions[log] = nil
  }

  /// The key that signs a log's heads.
  package mutating func publicKey(of log: UniqueID) throws(JournalError) -> PublicKey {
    if let key = states[log]?.publicKey { return key }
    var reader = try reader(of: log)
    let frame: Frame?
    do throws(DiskError) { frame = try reader.read()?.frame } catch { throw .disk(error) }
    guard let opening = frame?.opening,
      UniqueID.replica(publicKey: opening.publicKey, incarnation: opening.incarnation) == log
    else { throw .wrongOpening(log) }
    states[log]?.publicKey = opening.publicKey
    return opening.publicKey
  }

  private mutating func begin(
    _ log: UniqueID, on shelf: Shelf
  ) throws(JournalError) -> Reception {
    guard let state = states[log] else {
      let others = Set(aside.keys).union(receptions.filter { $0.value.shelf == .aside }.keys)
      guard shelf == .logs || others.count < Limit.asideLogs else { throw .asideFull }
      return Reception(log, on: shelf, after: .zero(of: log), publicKey: nil)
    }
    return Reception(
      log, on: state.shelf, after: state.end, publicKey: try publicKey(of: log))
  }

  /// Makes sure that a frame of events that are held holds the same ones.
  private func compare(
    _ frame: Frame, of log: UniqueID, with reception: Reception
  ) throws(JournalError) {
    let last = frame.lastSequence
    var held = reception.hash(at: last)
    if held == nil { held = try hash(of: log, at: last) }
    // An event in a hole, or staged in the middle of a frame, is taken for the same: nothing of
    // this frame is kept, and the next that reaches further is compared.
    guard let held, held != frame.events.last?.hash else { return }
    throw .forked(log, sequence: last)
  }

  private mutating func store(_ log: UniqueID) throws(JournalError) {
    guard let drafts = receptions[log]?.takeProved(), let last = drafts.last,
      let reception = receptions[log]
    else { return }
    let byteCount = drafts.reduce(0) { $0 + $1.bytes.count }
    if reception.shelf == .aside { try checkRoom(for: log, byteCount: byteCount) }
    let isNew = states[log] == nil
    if isNew {
      states[log] = LogState(
        shelf: reception.shelf, end: .zero(of: log), publicKey: reception.publicKey)
    }
    do throws(JournalError) {
      try write(drafts, byteCount: byteCount, of: log)
    } catch {
      if isNew, states[log]?.end.sequence == 0 { states[log] = nil }
      receptions[log] = nil
      throw error
    }
    states[log]?.end = last.end
    states[log]?.lastBlock = last.secrets.blocks.last
    if let tail = states[log]?.tail, tail.length >= Limit.tailBytes {
      // The events are durable as they are; tidying up is tried again when more arrive.
      try? seal(log, keys: nil)
    }
  }

  private mutating func write(
    _ drafts: [FrameDraft], byteCount: Int, of log: UniqueID
  ) throws(JournalError) {
    guard byteCount >= Limit.tailBytes else { return try writeToTail(drafts, of: log) }
    try seal(log, keys: nil)
    try writeSealed(drafts, of: log)
    states[log]?.tail = nil
  }

  private func checkRoom(for log: UniqueID, byteCount: Int) throws(JournalError) {
    let folder = logFolder(log, .aside)
    var used = byteCount
    do throws(DiskError) {
      if try disk.status(folder.path) != nil {
        for segment in try folder.segments() {
          used += try disk.status(folder.path(of: segment))?.size ?? 0
        }
      }
    } catch {
      throw .disk(error)
    }
    guard used <= Limit.asideLogBytes else { throw .asideFull }
  }
}
