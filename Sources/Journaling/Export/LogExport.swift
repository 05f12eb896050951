import Bytes
import Crypto
import Platform

/// Gives a log's frames as they are sent: each ends in a head and joins the one before.
package struct LogExport: ~Copyable {
  /// The last event given so far.
  package private(set) var sequence: UInt64
  /// How many events were left out, since no head proves them and this device cannot sign for their log.
  package private(set) var withheld: UInt64 = 0
  /// The first event of the frame given last.
  private(set) var firstSequence: UInt64 = 0

  private var reader: LogReader
  private var chain = Chain()
  /// The log's id and where its key comes from, where this device writes it.
  private let signer: (log: UniqueID, keys: any SigningSource)?
  /// Events that wait for a head.
  private var draft: FrameDraft?
  private var damageCount = 0
  /// A frame that was read and waits for those before a hole to go out.
  private var behindGap: ReadFrame?

  init(
    _ reader: consuming LogReader, after sequence: UInt64, signer: (UniqueID, any SigningSource)?
  ) {
    self.reader = reader
    self.sequence = sequence
    self.signer = signer
  }

  /// The next frame, or nil at the end.
  ///
  /// The first may begin with events that were not asked for, of the same command or where they
  /// cannot be cut away.
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
        // What is before a hole goes out if it can be signed; what is behind begins anew.
        behindGap = read
        if let frame = try finish() { return frame }
        behindGap = nil
      }
      if let frame = try take(read) { return frame }
    }
  }

  /// What of a frame the other holds is cut away where it is more than one part of so many.
  private static let leastShare = 8

  /// Takes one frame in, and gives one when it can go out.
  private mutating func take(_ read: ReadFrame) throws(JournalError) -> [UInt8]? {
    let frame = read.frame
    let firstNew = min(read.firstNew, frame.events.count - 1)
    let index = frame.events[...firstNew].lastIndex { $0.isCommandStart } ?? 0
    // Where the other holds but little of it, it goes out as it lies: to cut it would have both pack it anew.
    if draft == nil, frame.head != nil, index * Self.leastShare <= frame.events.count {
      return whole(read)
    }
    if let waiting = draft {
      let hasRoom = waiting.hasRoom(
        forEvents: frame.events.count - index, bytes: frame.eventRange.count)
      if signer == nil || hasRoom, grow(waiting, by: frame, from: index) {
        return draft?.head == nil ? nil : try finish() ?? whole(read)
      }
      // Too much, or it does not join, which is damage that the reader has not seen: it begins anew.
      let ready = try finish()
      begin(with: frame, from: index)
      return ready
    }
    begin(with: frame, from: index)
    return draft?.head == nil ? nil : try finish() ?? whole(read)
  }

  /// A frame that ends in a head, as it lies.
  private mutating func whole(_ read: ReadFrame) -> [UInt8] {
    sequence = read.frame.lastSequence
    firstSequence = read.frame.firstSequence
    return reader.bytes(of: read)
  }

  /// Adds a frame to the waiting events, where it joins them.
  private mutating func grow(_ waiting: FrameDraft, by frame: Frame, from index: Int) -> Bool {
    var grown = waiting
    guard grown.append(frame, from: index, &chain) else { return false }
    draft = grown
    return true
  }

  private mutating func begin(with frame: Frame, from index: Int) {
    // Where a frame does not tell the table, nothing can be cut from its front.
    let end = frame.end(before: index)
    var begun = FrameDraft(after: end ?? Self.start(of: frame))
    let joins = begun.append(frame, from: end == nil ? 0 : index, &chain)
    precondition(joins, "a frame follows what it says itself of the log before it")
    draft = begun
  }

  /// The log before a frame that does not tell the table: its length is all that is sent of it.
  private static func start(of frame: Frame) -> LogEnd {
    let information = frame.information
    let unknown = UniqueID.none
    return LogEnd(
      of: frame.replica, sequence: frame.firstSequence - 1, time: information.time,
      when: information.when,
      hash: information.hash,
      table: Array(repeating: unknown, count: Int(information.tableCount)))
  }

  /// Ends the waiting events in a head and gives them as a frame.
  ///
  /// - Returns: nil where nothing proves them, or they make no frame: no journal writes so much without a head, and
  ///   none packs so much so tightly, but a file may come from elsewhere. That keeps back nothing else.
  private mutating func finish() throws(JournalError) -> [UInt8]? {
    guard var draft = draft.take(), !draft.isEmpty else { return nil }
    if draft.head == nil, let signer {
      do throws(CryptoError) {
        draft.head = try Head(of: signer.log, at: draft.end, by: signer.keys.signingKey())
      } catch {
        throw .signing(error)
      }
    }
    if draft.head == nil { withheld += draft.end.sequence - draft.start.sequence }
    guard draft.head != nil,
      let frame = draft.encoded(level: .quick, withTable: false)
    else { return nil }
    sequence = draft.end.sequence
    firstSequence = draft.start.sequence + 1
    return frame
  }
}
