import Bytes
import Crypto

/// Frames of one log that were received and are not stored yet.
struct Reception: Sendable {
  let log: UniqueID
  let shelf: Journal.Shelf
  /// The log behind what is staged.
  private(set) var end: LogEnd
  private(set) var drafts: [FrameDraft] = []
  var publicKey: PublicKey?
  /// Events and their bytes that are staged.
  private(set) var byteCount = 0

  init(_ log: UniqueID, on shelf: Journal.Shelf, after end: LogEnd, publicKey: PublicKey?) {
    (self.log, self.shelf, self.end, self.publicKey) = (log, shelf, end, publicKey)
  }

  /// Whether the staged frames end in a head that was verified.
  var isProved: Bool { drafts.last?.head != nil }

  /// The staged hash of an event, where it is one that ends a staged frame.
  func hash(at sequence: UInt64) -> Digest? {
    drafts.last { $0.end.sequence == sequence }?.end.hash
  }

  /// Stages what is new of a frame, when it joins what is held and its head is right.
  mutating func stage(
    _ frame: Frame, bytes: [UInt8], _ chain: inout Chain
  ) throws(JournalError) {
    let index = try firstNew(of: frame)
    if frame.firstSequence == 1 { publicKey = try openingKey(of: frame) }
    try checkHead(of: frame)
    let isWhole = index == 0 && frame.head != nil && frame.information.knownTable != nil
    if let last = drafts.last, last.head == nil || mayGrow(last, by: frame) {
      let size = last.bytes.count + frame.eventRange.count
      guard size <= Limit.contentTarget + Limit.commandBytes else {
        throw .unproved(log, sequence: last.end.sequence)
      }
      guard drafts[drafts.count - 1].append(frame, from: index, &chain) else {
        throw .unjoined(log, sequence: frame.firstSequence)
      }
    } else {
      var draft = FrameDraft(after: end)
      guard draft.append(frame, from: index, &chain) else {
        throw .unjoined(log, sequence: frame.firstSequence)
      }
      if isWhole { draft.original = bytes }
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
    guard frame.firstSequence <= next else {
      throw .gap(log, held: end.sequence, received: frame.firstSequence)
    }
    let index = Int(next - frame.firstSequence)
    if index == 0 {
      guard frame.information.hash == end.hash else {
        throw .forked(log, sequence: end.sequence)
      }
      guard end.joins(frame) else { throw .unjoined(log, sequence: frame.firstSequence) }
      return 0
    }
    let before = frame.events[index - 1]
    guard before.hash == end.hash else { throw .forked(log, sequence: end.sequence) }
    guard before.time == end.time, frame.events[index].isCommandStart else {
      throw .unjoined(log, sequence: frame.firstSequence)
    }
    let table = frame.information.table ?? []
    guard end.table.starts(with: table) else {
      throw .unjoined(log, sequence: frame.firstSequence)
    }
    return index
  }

  /// Small frames are joined, so that they are packed well.
  private func mayGrow(_ draft: FrameDraft, by frame: Frame) -> Bool {
    frame.head != nil
      && draft.bytes.count + frame.eventRange.count <= Limit.contentTarget
  }

  /// The key in a log's first event, which makes the log's id.
  private func openingKey(of frame: Frame) throws(JournalError) -> PublicKey {
    guard let opening = frame.opening,
      UniqueID.replica(publicKey: opening.publicKey, incarnation: opening.incarnation) == log
    else { throw .wrongOpening(log) }
    return opening.publicKey
  }

  private func checkHead(of frame: Frame) throws(JournalError) {
    guard let head = frame.head, let last = frame.events.last else { return }
    guard let publicKey, head.proves(log, upTo: last, by: publicKey) else {
      throw .wrongHead(log, sequence: frame.lastSequence)
    }
  }
}

extension Frame {
  /// What the log's first event says, if it lies here.
  var opening: Opening? {
    guard firstSequence == 1, let first = events.first else { return nil }
    do throws(CBORError) {
      guard case .open(let opening)? = try TrustVerb.decode(content.span.extracting(first.body))
      else { return nil }
      return opening
    } catch {
      // Whatever is wrong with it, it opens no log.
      return nil
    }
  }
}
