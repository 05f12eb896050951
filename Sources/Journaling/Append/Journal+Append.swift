package import Bytes
package import Crypto
import Platform

/// An event that is in the journal.
package struct Appended: Hashable, Sendable {
  package var sequence: UInt64
  package var time: Int64
  package var hash: Digest
}

extension Journal {
  /// Begins a log of the device that holds the keys, and returns its id.
  package mutating func begin(
    _ keys: DeviceKeys, incarnation: UniqueID, name: String, at time: Int64
  ) throws(JournalError) -> UniqueID {
    let key = keys.signing.publicKey
    let log = UniqueID.replica(publicKey: key, incarnation: incarnation)
    guard states[log] == nil else { throw .logExists(log) }
    let opening = Opening(
      publicKey: key, agreement: keys.agreement.publicKey, incarnation: incarnation, name: name)
    states[log] = LogState(
      shelf: .logs, replica: log, end: .zero(of: log), publicKey: key)
    do throws(JournalError) {
      let event = NewEvent(body: TrustVerb.open(opening).encode())
      _ = try append([Command(time: time, events: [event])], to: log, keys: keys)
    } catch {
      states[log] = nil
      throw error
    }
    return log
  }

  /// Writes commands at the end of a log; when it returns they are durable.
  ///
  /// When it throws, none is acknowledged, but some of the first may be found later, each whole.
  package mutating func append(
    _ commands: [Command], to log: UniqueID, keys: any SigningSource
  ) throws(JournalError) -> [Appended] {
    guard let state = states[log] else { throw .unknownLog(log) }
    precondition(!state.isRecalled, "who writes has read the log")
    if let version = state.newerVersion { throw .newer(log, version: version) }
    guard state.ending.isSound else { throw .damaged(log) }
    guard !isPoisoned else { throw .poisoned }
    try settleSeen(by: commands, in: log)
    var appended: [Appended] = []
    var drafts = try draft(commands, after: state, &appended)
    // A crash may have kept an earlier process from it.
    if let tail = state.tail, tail.length >= Limit.tailBytes {
      tidy(log, keys: keys)
      guard !isPoisoned else { throw .poisoned }
    }
    guard let last = drafts.last else { return [] }
    let byteCount = drafts.reduce(0) { $0 + $1.bytes.count }
    if byteCount >= Limit.tailBytes {
      try seal(log, keys: keys)
      try sign(&drafts, of: log, with: keys)
      try writeSealed(drafts, of: log, level: Self.bulkLevel)
      // A tail that damage kept from being sealed stays behind, and grows no more.
      states[log]?.tail = nil
    } else {
      do throws(JournalError) {
        try writeToTail(drafts, of: log)
      } catch {
        try rescue(drafts, of: log, after: error)
      }
    }
    states[log]?.advance(to: last)
    tidy(log, keys: keys, hasSealed: byteCount >= Limit.tailBytes)
    return appended
  }

  /// Seals a tail that is large enough, and merges what was sealed.
  ///
  /// The events are durable as they are, so failing to tidy up is no failure to append. A failed
  /// flush is remembered all the same.
  mutating func tidy(_ log: UniqueID, keys: (any SigningSource)?, hasSealed: Bool = false) {
    guard !isPoisoned else { return }
    var hasSealed = hasSealed
    do throws(JournalError) {
      if let tail = states[log]?.tail, tail.length >= Limit.tailBytes {
        try seal(log, keys: keys)
        // One that damage keeps from being sealed stays behind, and grows no more.
        if keys != nil || tail.hasHead { states[log]?.tail = nil }
        hasSealed = true
      }
      if hasSealed { try mergeNewest(of: log) }
    } catch {
      // It is tried again when more arrives.
    }
  }

  /// Puts commands into frames, none of which is written yet.
  private mutating func draft(
    _ commands: [Command], after state: LogState, _ appended: inout [Appended]
  ) throws(JournalError) -> [FrameDraft] {
    var drafts: [FrameDraft] = []
    var draft = FrameDraft(after: state.end, open: state.lastBlock)
    for command in commands where !command.events.isEmpty {
      let size = command.events.reduce(0) { $0 + $1.body.count + 8 }
      if !draft.isEmpty, !draft.hasRoom(forEvents: command.events.count, bytes: size) {
        drafts.append(draft)
        draft = FrameDraft(after: draft.end, open: draft.secrets.blocks.last)
      }
      try add(command, to: &draft, &appended)
    }
    if !draft.isEmpty { drafts.append(draft) }
    return drafts
  }

  private mutating func add(
    _ command: Command, to draft: inout FrameDraft, _ appended: inout [Appended]
  ) throws(JournalError) {
    let count = command.events.count
    let before = draft.bytes.count
    let size = command.events.reduce(0) { $0 + $1.body.count }
    guard count <= Limit.commandEvents, size <= Limit.commandBytes else {
      throw .commandTooLarge(eventCount: count, byteCount: size)
    }
    for (index, event) in command.events.enumerated() {
      let more = index == 0 ? count - 1 : 0
      let time = max(command.time, draft.end.time)
      draft.append(event, time: time, more: more, dice, &chain)
      appended.append(
        Appended(sequence: draft.end.sequence, time: time, hash: draft.end.hash))
    }
    guard draft.bytes.count - before <= Limit.commandBytes else {
      throw .commandTooLarge(eventCount: count, byteCount: draft.bytes.count - before)
    }
  }

  /// Signs each draft where it ends.
  func sign(
    _ drafts: inout [FrameDraft], of log: UniqueID, with keys: any SigningSource
  ) throws(JournalError) {
    do throws(CryptoError) {
      let key = try keys.signingKey()
      for index in drafts.indices {
        drafts[index].head = try Head(of: log, at: drafts[index].end, by: key)
      }
    } catch {
      throw .signing(error)
    }
  }

  /// Appends frames to the tail, or makes one of them.
  mutating func writeToTail(_ drafts: [FrameDraft], of log: UniqueID) throws(JournalError) {
    guard let state = states[log] else { return }
    guard let tail = state.tail else {
      guard let first = drafts.first else { return }
      // A file begins with one frame, so the name of one with more has been flushed.
      try beginTail(with: first, state, of: log)
      return try writeToTail(Array(drafts.dropFirst()), of: log)
    }
    if !drafts.isEmpty { try extend(tail, by: drafts, state, of: log) }
  }

  private mutating func beginTail(
    with draft: FrameDraft, _ state: LogState, of log: UniqueID
  ) throws(JournalError) {
    let bytes = try encode(draft, of: log, level: Self.quickLevel, withTable: true)
    let folder = strandFolder(log, state)
    let name = SegmentName.tail(draft.start.sequence + 1)
    try checkUnchanged(folder, of: log, from: name.first)
    let disk = disk
    try writing { () throws(DiskError) in
      try disk.makeDirectories(folder.path)
      try disk.replace(folder.path(of: name), with: bytes)
    }
    try settleNames(of: [log])
    states[log]?.tail = Tail(
      first: name.first, length: bytes.count, isSettled: true, hasHead: draft.head != nil,
      hashes: [draft.end.sequence: draft.end.hash])
  }

  private mutating func extend(
    _ tail: Tail, by drafts: [FrameDraft], _ state: LogState, of log: UniqueID
  ) throws(JournalError) {
    var frames: [[UInt8]] = []
    for draft in drafts {
      frames.append(try Self.pack(draft, level: Self.quickLevel, withTable: false))
    }
    // What an earlier process left behind its last frame is set aside first.
    if tail.excess > 0 { try trim(tail, in: strandFolder(log, state), of: log) }
    let open = try opened(tail, state, of: log)
    let isUnchanged = try onDisk { () throws(DiskError) in
      try open.file.size() == tail.length
    }
    guard isUnchanged else { throw .changed(log) }
    try write(frames, of: drafts, to: open.file, behind: tail, of: log)
    openTail = consume open
    // Its bytes are flushed, also those that an earlier process wrote.
    if !tail.isSettled { states[log]?.tail?.isSettled = true }
    if !state.isNamed { try settleNames(of: [log]) }
    var longer = tail
    longer.length += frames.reduce(0) { $0 + $1.count }
    longer.excess = 0
    longer.hasHead = drafts.last?.head != nil
    longer.frameCount += drafts.count
    for draft in drafts { longer.hashes[draft.end.sequence] = draft.end.hash }
    longer.isSettled = true
    states[log]?.tail = longer
  }

  /// Writes frames behind the end of a tail, and reads them once more while the system writes.
  private mutating func write(
    _ frames: [[UInt8]], of drafts: [FrameDraft], to file: borrowing OpenFile, behind tail: Tail,
    of log: UniqueID
  ) throws(JournalError) {
    do throws(DiskError) {
      // After a failed flush the system may take bytes for flushed that are not. So the bytes of an
      // earlier process are written once more, and this flush is for them, too. What was durable
      // cannot be torn by it: every byte that stood there keeps its value, whatever part of the
      // write arrives.
      let before = tail.isSettled ? [] : try file.read(at: 0, count: tail.length)
      let (bytes, offset) = (frames.reduce(into: before, +=), tail.length - before.count)
      do throws(DiskError) {
        try file.write(bytes, at: offset)
      } catch {
        cutOff(file, behind: tail)
        throw error
      }
      try file.beginWriting(at: offset, count: bytes.count)
    } catch {
      throw noted(error)
    }
    do throws(JournalError) {
      for (frame, draft) in zip(frames, drafts) { try Self.check(frame, of: draft, log, &chain) }
    } catch {
      cutOff(file, behind: tail)
      throw error
    }
    do throws(DiskError) { try file.flush() } catch { throw noted(error) }
  }

  /// Takes back what was written and is not to stay.
  private mutating func cutOff(_ file: borrowing OpenFile, behind tail: Tail) {
    // What cannot be cut off now is set aside by the next process.
    do throws(DiskError) { try file.truncate(to: tail.length) } catch { poison() }
  }

  /// The tail's file, held open since the last append or opened now.
  private mutating func opened(
    _ tail: Tail, _ state: LogState, of log: UniqueID
  ) throws(JournalError) -> OpenTail {
    if let open = openTail.take(), open.log == log, open.first == tail.first { return open }
    let folder = strandFolder(log, state)
    guard !isPoisoned else { throw .poisoned }
    do throws(DiskError) {
      let file = try OpenFile(folder.path(of: .tail(tail.first)), .write, on: disk)
      // An earlier process may have died before it flushed the name.
      if !tail.isSettled, tail.frameCount == 1, try file.size() == tail.length {
        try disk.flushDirectory(folder.path)
      }
      return OpenTail(log: log, first: tail.first, file: file)
    } catch {
      throw noted(error)
    }
  }

  static var quickLevel: Int { 6 }
  /// For many events at once, which somebody waits for.
  static var bulkLevel: Int { 7 }
  static var sealedLevel: Int { 9 }
}
