import Bytes
import Crypto

/// Appends the events of this device to its log.
struct Appender {
  let store: SegmentStore
  let index: LogIndex
  let flusher: Flusher
  let sealer: SegmentSealer
  let merger: SegmentMerger
  let tailWriter: TailWriter

  /// Begins a log that is signed with the keys, and returns its id.
  func begin(
    _ keys: DeviceKeys, incarnation: UniqueID, name: String, at time: Int64
  ) throws(JournalError) -> UniqueID {
    let key = keys.signing.publicKey
    let log = UniqueID.replica(publicKey: key, incarnation: incarnation)
    guard index.states[log] == nil else { throw .logExists(log) }
    let opening = Opening(
      publicKey: key, agreement: keys.agreement.publicKey, incarnation: incarnation, name: name)
    index.states[log] = LogState(
      shelf: .logs, replica: log, end: .zero(of: log), publicKey: key)
    do throws(JournalError) {
      let event = NewEvent(body: TrustVerb.open(opening).encode())
      _ = try append([Command(time: time, events: [event])], to: log, keys: keys)
    } catch {
      index.states[log] = nil
      throw error
    }
    return log
  }

  /// Appends commands to a log.
  ///
  /// The commands are durable when the method returns.
  func append(
    _ commands: [Command], to log: UniqueID, keys: any SigningSource
  ) throws(JournalError) -> [Appended] {
    guard let state = index.states[log] else { throw .unknownLog(log) }
    precondition(!state.isRecalled, "the log was read")
    if let version = state.newerVersion { throw .newer(log, version: version) }
    guard state.ending.isSound else { throw .damaged(log) }
    guard !store.isPoisoned else { throw .poisoned }
    try flusher.settleSeen(by: commands, in: log)
    var appended: [Appended] = []
    var drafts = try draft(commands, after: state, &appended)
    // An earlier process may have ended before it sealed a large tail.
    if let tail = state.tail, tail.length >= Limit.tailBytes {
      merger.tidy(log, keys: keys)
      guard !store.isPoisoned else { throw .poisoned }
    }
    guard let last = drafts.last else { return [] }
    let byteCount = drafts.reduce(0) { $0 + $1.bytes.count }
    if byteCount >= Limit.tailBytes {
      try sealer.seal(log, keys: keys)
      try sealer.sign(&drafts, of: log, with: keys)
      try sealer.writeSealed(drafts, of: log, level: .bulk)
      // A damaged tail is not sealed. The file stays in place, and new events go to a new tail.
      index.states[log]?.tail = nil
    } else {
      do throws(JournalError) {
        try tailWriter.writeToTail(drafts, of: log)
      } catch {
        try tailWriter.rescue(drafts, of: log, after: error)
      }
    }
    index.states[log]?.advance(to: last)
    merger.tidy(log, keys: keys, hasSealed: byteCount >= Limit.tailBytes)
    return appended
  }

  /// Encodes commands into drafts of frames.
  private func draft(
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

  private func add(
    _ command: Command, to draft: inout FrameDraft, _ appended: inout [Appended]
  ) throws(JournalError) {
    var chain = Chain()
    let count = command.events.count
    let before = draft.bytes.count
    let size = command.events.reduce(0) { $0 + $1.body.count }
    guard count <= Limit.commandEvents, size <= Limit.commandBytes else {
      throw .commandTooLarge(eventCount: count, byteCount: size)
    }
    for (index, event) in command.events.enumerated() {
      let more = index == 0 ? count - 1 : 0
      let time = max(command.time, draft.end.time)
      draft.append(event, time: time, more: more, store.dice, &chain)
      appended.append(
        Appended(sequence: draft.end.sequence, time: time, hash: draft.end.hash))
    }
    guard draft.bytes.count - before <= Limit.commandBytes else {
      throw .commandTooLarge(eventCount: count, byteCount: draft.bytes.count - before)
    }
  }
}
