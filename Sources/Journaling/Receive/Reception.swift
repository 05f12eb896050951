import Bytes
package import Crypto

/// Frames of one strand that were received and are not stored yet.
struct Reception: Sendable {
  let replica: UniqueID
  let shelf: LogShelf
  /// The log before what was ever staged here.
  let start: LogEnd
  /// The log behind what is staged.
  private(set) var end: LogEnd
  private(set) var drafts: [FrameDraft] = []
  var publicKey: PublicKey?
  /// The first event of a tail that may go where a frame that was received holds all of it; nil where there is none.
  var tailFirst: UInt64?
  /// Events before the first staged one that whoever sent it has lost.
  var missing: ClosedRange<UInt64>?
  /// Events and their bytes that are staged.
  private(set) var byteCount = 0

  init(
    of replica: UniqueID, on shelf: LogShelf, after start: LogEnd, publicKey: PublicKey?
  ) {
    (self.replica, self.shelf, self.publicKey) = (replica, shelf, publicKey)
    (self.start, end) = (start, start)
  }

  /// Whether the staged frames end in a head that was verified.
  var isProved: Bool { drafts.last?.head != nil }

  /// Stages what is new of a frame, when it joins what is held and its head is right.
  mutating func stage(
    _ frame: Frame, bytes: [UInt8], _ chain: inout Chain
  ) throws(JournalError) {
    let index = try firstNew(of: frame)
    if frame.firstSequence == 1 { publicKey = try frame.openingKey(of: replica) }
    try frame.checkHead(of: replica, by: publicKey)
    let isWhole = mayStay(frame, from: index)
    if let last = drafts.last, last.head == nil || mayGrow(last, by: frame) {
      let size = last.bytes.count + frame.eventRange.count
      guard size <= Limit.contentTarget + Limit.commandBytes else {
        throw .unproved(replica, sequence: last.end.sequence)
      }
      guard drafts[drafts.count - 1].append(frame, from: index, &chain) else {
        throw .unjoined(replica, sequence: frame.firstSequence)
      }
    } else {
      var draft = FrameDraft(after: end)
      guard draft.append(frame, from: index, &chain) else {
        throw .unjoined(replica, sequence: frame.firstSequence)
      }
      if isWhole { draft.original = .init(frame, bytes) }
      drafts.append(draft)
    }
    byteCount += frame.eventRange.count
    if let last = drafts.last { end = last.end }
  }

  /// Takes the frames that are proved, and leaves the others staged.
  mutating func takeProved() -> [FrameDraft] {
    let count = (drafts.lastIndex { $0.head != nil } ?? -1) + 1
    let proved = Array(drafts[..<count])
    drafts.removeFirst(count)
    byteCount = drafts.reduce(0) { $0 + $1.bytes.count }
    return proved
  }

  /// Where the events that are not held begin in a frame that reaches further than what is held.
  private func firstNew(of frame: Frame) throws(JournalError) -> Int {
    let next = end.sequence + 1
    // What is proved would be stored: this comes once more, or in its place, and nothing says which is true.
    guard frame.firstSequence <= next, frame.lastSequence >= next else {
      throw .unproved(replica, sequence: end.sequence)
    }
    let index = Int(next - frame.firstSequence)
    if index == 0 {
      guard end.joins(frame) else { throw .unjoined(replica, sequence: frame.firstSequence) }
      return 0
    }
    let before = frame.events[index - 1]
    guard before.hash == end.hash, before.time == end.time, frame.events[index].isCommandStart
    else {
      throw .unjoined(replica, sequence: frame.firstSequence)
    }
    let table = frame.information.table ?? []
    guard end.table.starts(with: table) else {
      throw .unjoined(replica, sequence: frame.firstSequence)
    }
    return index
  }

  /// Whether a frame of which the events from a place on are new can be stored as it is.
  private func mayStay(_ frame: Frame, from index: Int) -> Bool {
    guard frame.head != nil, frame.information.knownTable != nil else { return false }
    if index == 0 { return true }
    return drafts.isEmpty && frame.firstSequence == tailFirst
      && !frame.events[..<index].contains(where: \.isStripped)
  }

  /// Small frames are joined, so that they are packed well; to pack a large one once more would not pay.
  private func mayGrow(_ draft: FrameDraft, by frame: Frame) -> Bool {
    // What was joined here already may still grow.
    let large = max(frame.eventRange.count, draft.original == nil ? 0 : draft.bytes.count)
    return frame.head != nil && large < Limit.tailBytes
      && draft.hasRoom(forEvents: frame.events.count, bytes: frame.eventRange.count)
  }
}

extension Frame {
  /// What the log's first event says, if it lies here.
  package var opening: Opening? {
    guard firstSequence == 1, let first = events.first else { return nil }
    guard case .trust(.open(let opening)) = JournalBody(content.span.extracting(first.body)) else {
      return nil
    }
    return opening
  }

  /// The key of the device whose log begins with a frame, or nil if the frame begins no log.
  ///
  /// Nothing else in the frame is checked. The key only decides the shelf of the log.
  package static func openingKey(in bytes: [UInt8]) -> PublicKey? {
    var chain = Chain()
    do throws(FrameError) {
      return try Frame.decode(bytes.span, at: 0, &chain).opening?.publicKey
    } catch {
      // Receiving it reports the error.
      return nil
    }
  }

  /// The key in a log's first event, which makes the log's id.
  func openingKey(of replica: UniqueID) throws(JournalError) -> PublicKey {
    guard let opening,
      UniqueID.replica(publicKey: opening.publicKey, incarnation: opening.incarnation) == replica
    else { throw .wrongOpening(replica) }
    return opening.publicKey
  }

  func checkHead(of replica: UniqueID, by key: PublicKey?) throws(JournalError) {
    guard let head, let last = events.last else { return }
    guard let key, head.proves(replica, upTo: last, by: key) else {
      throw .wrongHead(replica, sequence: lastSequence)
    }
  }
}
