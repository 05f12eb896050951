import Bytes
import Platform

/// Neighbouring events of one log that are to become a frame.
struct FrameDraft: Sendable {
  /// The log before them.
  private(set) var start: LogEnd
  /// The log behind them.
  private(set) var end: LogEnd
  /// Headers and bodies.
  private(set) var bytes: [UInt8] = []
  private(set) var secrets: SecretRun
  /// Proves the log up to the end.
  var head: Head?
  /// The frame as it was received, where the draft is just that and it tells the table.
  var original: Original?

  /// A frame as it was received.
  struct Original: Sendable {
    let bytes: [UInt8]
    /// Its first event, which may be one that is held already.
    let firstSequence: UInt64

    init(_ frame: Frame, _ bytes: [UInt8]) {
      (self.bytes, firstSequence) = (bytes, frame.firstSequence)
    }
  }

  /// What the log's last block before them is salted with.
  private let open: BlockSecrets?
  /// Room for one header after the other.
  private var room = CBORWriter()

  init(after start: LogEnd, open: BlockSecrets? = nil) {
    self.start = start
    self.open = open
    end = start
    secrets = SecretRun(from: start.sequence + 1)
  }

  var isEmpty: Bool { end.sequence == start.sequence }
  /// The first event of the frame that is stored.
  var firstStored: UInt64 { original?.firstSequence ?? start.sequence + 1 }
  var count: Int { Int(end.sequence - start.sequence) }

  /// Adds events of a frame, from the given place among them on, up to another one.
  ///
  /// - Returns: Whether they follow.
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
      // What the dropped events introduced is in the table already.
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

  /// Adds a new event, salted as its block is.
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
