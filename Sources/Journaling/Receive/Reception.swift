import Bytes
package import Crypto

/// Received frames of one strand that have not been stored yet.
struct Reception: Sendable {
  let replica: UniqueID
  let shelf: LogShelf
  /// The end of the log before the first staged event.
  let start: LogEnd
  /// The end of the log after the staged events.
  private(set) var end: LogEnd
  private(set) var drafts: [FrameDraft] = []
  var publicKey: PublicKey?
  /// The first event of the tail, if a received frame that holds all of its events may replace it; otherwise nil.
  var tailFirst: UInt64?
  /// The events that the peer has lost before the first staged event.
  var missing: ClosedRange<UInt64>?
  /// The size of the staged events, in bytes.
  private(set) var byteCount = 0

  init(
    of replica: UniqueID, on shelf: LogShelf, after start: LogEnd, publicKey: PublicKey?
  ) {
    (self.replica, self.shelf, self.publicKey) = (replica, shelf, publicKey)
    (self.start, end) = (start, start)
  }

  /// Whether the staged frames end in a verified head.
  var isProved: Bool { drafts.last?.head != nil }

  /// Stages the new events of a frame, if it joins the stored events and its head is valid.
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

  /// Removes and returns the frames that a head proves, and leaves the others staged.
  mutating func takeProved() -> [FrameDraft] {
    let count = (drafts.lastIndex { $0.head != nil } ?? -1) + 1
    let proved = Array(drafts[..<count])
    drafts.removeFirst(count)
    byteCount = drafts.reduce(0) { $0 + $1.bytes.count }
    return proved
  }

  /// The index of the first new event in a frame that extends beyond the stored events.
  private func firstNew(of frame: Frame) throws(JournalError) -> Int {
    let next = end.sequence + 1
    // The staged events are not proved; otherwise they would already have been stored. The frame repeats or contradicts
    // them, and nothing shows which events are genuine.
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

  /// Whether the given frame, whose events are new from the given index onward, can be stored unchanged.
  private func mayStay(_ frame: Frame, from index: Int) -> Bool {
    guard frame.head != nil, frame.information.knownTable != nil else { return false }
    if index == 0 { return true }
    return drafts.isEmpty && frame.firstSequence == tailFirst
      && !frame.events[..<index].contains(where: \.isStripped)
  }

  /// Whether the given frame is joined with a draft.
  ///
  /// Small frames are joined for better compression; packing a large frame again would not pay off.
  private func mayGrow(_ draft: FrameDraft, by frame: Frame) -> Bool {
    // A draft whose frames were joined here may still grow.
    let large = max(frame.eventRange.count, draft.original == nil ? 0 : draft.bytes.count)
    return frame.head != nil && large < Limit.tailBytes
      && draft.hasRoom(forEvents: frame.events.count, bytes: frame.eventRange.count)
  }
}

extension Frame {
  /// The content of the log's first event, if the frame contains it.
  package var opening: Opening? {
    guard firstSequence == 1, let first = events.first else { return nil }
    guard case .trust(.open(let opening)) = JournalBody(content.span.extracting(first.body)) else {
      return nil
    }
    return opening
  }

  /// The key of the device whose log begins with a frame, or nil if the frame begins no log.
  ///
  /// The head and the id of the log are not checked, because the key only determines the shelf of the log.
  package static func openingKey(in bytes: [UInt8]) -> PublicKey? {
    var chain = Chain()
    do throws(FrameError) {
      return try Frame.decode(bytes.span, at: 0, &chain).opening?.publicKey
    } catch {
      // The error is reported when the frame is received.
      return nil
    }
  }

  /// The key in a log's first event, from which the log's id is derived.
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
