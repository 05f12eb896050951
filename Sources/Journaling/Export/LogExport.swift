import Bytes
import Crypto
import Platform

/// Returns frames of a log for a peer; each of these frames ends in a head.
package struct LogExport: ~Copyable {
  /// The last event returned so far.
  package private(set) var sequence: UInt64
  /// The number of events omitted because no head proves them and this device cannot sign their log, or because they do
  /// not fit into one frame with the head that proves them.
  package private(set) var withheld: UInt64 = 0
  /// The first event of the last returned frame.
  private(set) var firstSequence: UInt64 = 0

  private var reader: LogReader
  private var chain = Chain()
  /// The id of the log and the source of its key, if this device writes the log.
  private let signer: (log: UniqueID, keys: any SigningSource)?
  /// The events that are waiting for a head.
  private var draft: FrameDraft?
  private var damageCount = 0
  /// A frame that follows damage.
  ///
  /// The frame is returned after the events that precede the damage.
  private var behindGap: ReadFrame?

  init(
    _ reader: consuming LogReader, after sequence: UInt64, signer: (UniqueID, any SigningSource)?
  ) {
    self.reader = reader
    self.sequence = sequence
    self.signer = signer
  }

  /// Returns the next frame, or nil at the end.
  ///
  /// The first frame may begin with events that were not requested. Such events belong to the command of the first
  /// requested event, cannot be cut off, or are too few to be worth cutting off.
  package mutating func next() throws(JournalError) -> [UInt8]? {
    if let waiting = behindGap.take() {
      if let frame = try take(waiting) { return frame }
    }
    while true {
      let read: ReadFrame?
      do throws(DiskError) { read = try reader.read() } catch { throw .disk(error) }
      guard let read else { return try finish() }
      let isBehindDamage = reader.damage.count > damageCount
      damageCount = reader.damage.count
      if isBehindDamage, draft != nil {
        // The events before the damage are sent if they have a head or can be signed. A new draft begins after the
        // damage.
        behindGap = read
        if let frame = try finish() { return frame }
        behindGap = nil
      }
      if let frame = try take(read) { return frame }
    }
  }

  /// Events that the peer holds are cut off the front of a frame only if they make up more than 1/8 of its events.
  private static let leastShare = 8

  /// Adds one frame to the draft, and returns a frame if one is ready.
  private mutating func take(_ read: ReadFrame) throws(JournalError) -> [UInt8]? {
    let frame = read.frame
    let firstNew = min(read.firstNew, frame.events.count - 1)
    let index = frame.events[...firstNew].lastIndex { $0.isCommandStart } ?? 0
    // If the peer holds only a few events of the frame, the frame is sent unchanged, because otherwise both sides would
    // pack it again.
    if draft == nil, frame.head != nil, index * Self.leastShare <= frame.events.count {
      return whole(read)
    }
    if let waiting = draft {
      let hasRoom = waiting.hasRoom(
        forEvents: frame.events.count - index, bytes: frame.eventRange.count)
      if signer == nil || hasRoom, grow(waiting, by: frame, from: index) {
        return draft?.head == nil ? nil : try finish(orWhole: read)
      }
      // The draft is full, or undetected damage keeps the frame from continuing it. A new draft begins.
      let ready = try finish()
      begin(with: frame, from: index)
      return ready
    }
    begin(with: frame, from: index)
    return draft?.head == nil ? nil : try finish(orWhole: read)
  }

  /// Returns a frame that ends in a head, with its original bytes.
  private mutating func whole(_ read: ReadFrame) -> [UInt8] {
    sequence = read.frame.lastSequence
    firstSequence = read.frame.firstSequence
    return reader.bytes(of: read)
  }

  /// Adds the events of a frame, starting at `index`, to the waiting events.
  ///
  /// - Returns: false if the frame does not continue the waiting events.
  private mutating func grow(_ waiting: FrameDraft, by frame: Frame, from index: Int) -> Bool {
    var grown = waiting
    guard grown.append(frame, from: index, &chain) else { return false }
    draft = grown
    return true
  }

  private mutating func begin(with frame: Frame, from index: Int) {
    // If a frame does not contain its table, no events can be cut from its front.
    let end = frame.end(before: index)
    var begun = FrameDraft(after: end ?? Self.start(of: frame))
    let joins = begun.append(frame, from: end == nil ? 0 : index, &chain)
    precondition(joins, "a frame continues the log end that it states")
    draft = begun
  }

  /// The end of the log before a frame that does not contain its table.
  ///
  /// The ids in the table are unknown here, so only their number is sent.
  private static func start(of frame: Frame) -> LogEnd {
    let information = frame.information
    let unknown = UniqueID.none
    return LogEnd(
      of: frame.replica, sequence: frame.firstSequence - 1, time: information.time,
      when: information.when,
      hash: information.hash,
      table: Array(repeating: unknown, count: Int(information.tableCount)))
  }

  /// Returns the waiting events as a frame that ends in a head.
  ///
  /// - Parameter last: The last frame of the waiting events, if it ends in a head.
  /// - Returns: `last` alone if the events have no head and cannot be signed, or do not fit into one frame. A journal
  ///   writes a head before the events that need it outgrow a frame, but another program may have written the file. All
  ///   other events are still exported.
  /// - Throws: ``JournalError/signing(_:)`` if the events cannot be signed although the key is available.
  private mutating func finish(orWhole last: ReadFrame? = nil) throws(JournalError) -> [UInt8]? {
    guard var draft = draft.take(), !draft.isEmpty else { return last.map { whole($0) } }
    if draft.head == nil, let signer {
      do throws(CryptoError) {
        draft.head = try Head(of: signer.log, at: draft.end, by: signer.keys.signingKey())
      } catch {
        throw .signing(error)
      }
    }
    guard draft.head != nil, let frame = draft.encoded(level: .quick, withTable: false) else {
      let end = last.map { $0.frame.firstSequence - 1 } ?? draft.end.sequence
      withheld += end - min(end, draft.start.sequence)
      return last.map { whole($0) }
    }
    sequence = draft.end.sequence
    firstSequence = draft.start.sequence + 1
    return frame
  }
}
