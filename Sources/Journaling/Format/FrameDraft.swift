import Bytes
import Platform

/// Consecutive events of one log that will become a frame.
struct FrameDraft: Sendable {
  /// The end of the log before the events.
  private(set) var start: LogEnd
  /// The end of the log after the events.
  private(set) var end: LogEnd
  /// The headers and bodies of the events.
  private(set) var bytes: [UInt8] = []
  private(set) var secrets: SecretRun
  /// The head that proves the log up to the end of the draft.
  var head: Head?
  /// The received frame, if the draft consists of exactly this frame and the frame contains its table.
  var original: Original?

  struct Original: Sendable {
    let bytes: [UInt8]
    /// The first event of the received frame, which may already be stored.
    let firstSequence: UInt64

    init(_ frame: Frame, _ bytes: [UInt8]) {
      (self.bytes, firstSequence) = (bytes, frame.firstSequence)
    }
  }

  /// The salts or the seed of the log's last block before the events.
  private let open: BlockSecrets?
  /// A buffer that is reused for each header.
  private var room = CBORWriter()

  init(after start: LogEnd, open: BlockSecrets? = nil) {
    self.start = start
    self.open = open
    end = start
    secrets = SecretRun(from: start.sequence + 1)
  }

  var isEmpty: Bool { end.sequence == start.sequence }
  /// The first event of the frame as it will be stored.
  var firstStored: UInt64 { original?.firstSequence ?? start.sequence + 1 }
  var count: Int { Int(end.sequence - start.sequence) }

  /// Adds the events of a frame with indices from `index` up to, but not including, `limit`.
  ///
  /// - Returns: false if the events do not continue the draft.
  mutating func append(
    _ frame: Frame, from index: Int = 0, upTo limit: Int = .max, _ chain: inout Chain
  ) -> Bool {
    let limit = min(limit, frame.events.count)
    guard index < limit else { return true }
    if index > 0 {
      let before = frame.events[index - 1]
      guard before.sequence == end.sequence, before.hash == end.hash else { return false }
    } else {
      guard end.joins(frame) else { return false }
    }
    var logs = frame.introduced
    if index > 0 {
      // The table already contains the logs that the dropped events introduced.
      let added = end.table.count - Int(frame.information.tableCount)
      guard added >= 0, added <= logs.count else { return false }
      logs.removeFirst(added)
    }
    let (first, last) = (frame.events[index], frame.events[limit - 1])
    bytes += frame.content[first.header.lowerBound..<last.body.upperBound]
    let added = SecretRun(of: frame).dropping(before: first.sequence)
    secrets.append(added.dropping(after: last.sequence), &chain)
    if limit == frame.events.count {
      end = LogEnd(
        of: end.replica, sequence: last.sequence, time: last.time, when: frame.lastWhen,
        hash: last.hash, table: end.table + logs)
      head = frame.head
    } else {
      let table = end.table.prefix(Int(frame.information.tableCount))
      end = frame.end(before: limit, after: frame.start(withTable: Array(table)))
      head = nil
    }
    original = nil
    return true
  }

  /// Adds a new event, with a salt that fits its block.
  mutating func append(
    _ event: NewEvent, time: Int64, more: Int, _ dice: any Dice, _ chain: inout Chain
  ) {
    let delta = UInt64(time - end.time)
    let header = Header(
      delta: delta, whenDelta: event.when.map { $0 - end.when }, seen: event.seen,
      more: UInt64(more), link: event.link)
    room.removeAll(keepingCapacity: true)
    header.encode(to: &room)
    let sequence = end.sequence + 1
    let salt = secrets.append(sequence, open: open, dice, &chain)
    let salted = chain.salted(event.body.span, salt: salt)
    bytes += room.bytes
    bytes += event.body
    end.sequence = sequence
    end.time = time
    if let when = event.when { end.when = when }
    end.hash = chain.next(after: end.hash, header: room.bytes.span, salted: salted)
    end.table += header.introduced
    head = nil
  }
}
