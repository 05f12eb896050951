import Bytes

/// Joins stored frames of a strand with the frames received for a hole.
struct FrameMerger {
  /// Determines how many of the received events are used.
  ///
  /// The strategies are tried in order.
  enum Strategy: CaseIterable {
    /// Only the missing events are taken from received frames.
    case missing
    /// More received events are also taken, because of the heads at their ends.
    case more
    /// Stored events before another gap that do not end in a head remain in a tail, together with all events after
    /// them.
    case rest
  }

  /// The log end before the first frame.
  let start: LogEnd
  let missing: ClosedRange<UInt64>
  let held: [Filler]
  let strategy: Strategy
  /// The received frames, each with the last event before it diverges from the stored events into another branch.
  private let arrived: [(filler: Filler, last: UInt64)]
  /// The joined frames.
  ///
  /// Each draft ends in a head, except the last drafts, which go to a tail.
  private(set) var drafts: [FrameDraft] = []
  /// The missing events that were filled, and the events whose missing bodies were filled.
  private(set) var filled: [ClosedRange<UInt64>] = []
  /// The filled events that still lack their bodies.
  private(set) var bare: [ClosedRange<UInt64>] = []
  /// Stored frames after the filled events, which stay unchanged.
  private(set) var leftover: [Filler] = []
  /// The first stored event that contradicts the received events: it differs from them, or does not follow them.
  private(set) var contradiction: UInt64?

  /// The last stored event added so far.
  private var lastHeld: UInt64 = 0
  private var draft: FrameDraft?

  init(
    after start: LogEnd, missing: ClosedRange<UInt64>, held: [Filler], fillers: [Filler],
    strategy: Strategy
  ) {
    (self.start, self.missing, self.held, self.strategy) = (start, missing, held, strategy)
    arrived = fillers.map { filler in
      let fork = Self.fork(of: filler.frame, from: held)
      return (filler, fork.map { $0 - 1 } ?? filler.frame.lastSequence)
    }
  }

  private var takesMore: Bool { strategy == .more }

  /// Whether heads prove all events up to the given event, except the events that remain lost.
  func isProved(upTo sequence: UInt64) -> Bool {
    let last = drafts.last { $0.start.sequence < sequence }?.end.sequence ?? 0
    return min(last, sequence) <= drafts[..<sealedCount].last?.end.sequence ?? 0
  }

  /// The number of drafts that a head proves.
  ///
  /// The other drafts go to a tail. A head after a gap does not prove the events before the gap.
  var sealedCount: Int {
    let open = zip(drafts, drafts.dropFirst()).enumerated().first { _, pair in
      pair.0.head == nil && pair.0.end.sequence < pair.1.start.sequence
    }
    let proved = drafts[..<(open?.offset ?? drafts.count)].lastIndex { $0.head != nil }
    return (proved ?? -1) + 1
  }

  /// Joins the frames in order.
  ///
  /// - Returns: false if the frames do not join.
  mutating func run(_ chain: inout Chain) -> Bool {
    var end = start
    while true {
      let next = end.sequence + 1
      if let piece = piece(behind: end) {
        guard let reached = add(piece, after: end, &chain) else {
          if piece.isHeld, !filled.isEmpty { contradiction = next }
          return false
        }
        if piece.isHeld {
          lastHeld = reached.sequence
        } else if next <= missing.upperBound {
          note(next...min(reached.sequence, missing.upperBound), from: piece.filler)
        }
        end = reached
      } else if let beyond = firstBeyond(next) {
        // Part of the hole remains, so the received events must end in a head of their own that proves them.
        let isClosed = close()
        guard isClosed || leaveOpen() else { return false }
        // The lost events may have added logs to the table.
        guard isClosed || hasArrived(after: next), let start = start(of: beyond.frame) else {
          leftover = held.filter { $0.frame.firstSequence >= next }
          return true
        }
        end = start
      } else {
        if let rest = draft { drafts.append(rest) }
        return true
      }
    }
  }

  /// Consecutive events of one frame.
  private struct Piece {
    let filler: Filler
    let isHeld: Bool
    let last: UInt64
  }

  private func piece(behind end: LogEnd) -> Piece? {
    let sequence = end.sequence + 1
    let isWanted = missing.contains(sequence) || takesMore && sequence > missing.upperBound
    if isWanted, let piece = arrivedPiece(from: sequence) { return piece }
    guard let held = held(at: sequence) else { return nil }
    let last = held.frame.lastSequence
    let next = nextArrived(after: sequence, upTo: last)
    return Piece(filler: held, isHeld: true, last: next.map { $0 - 1 } ?? last)
  }

  /// The received events starting at the given sequence, up to an event whose body is in another frame.
  private func arrivedPiece(from sequence: UInt64) -> Piece? {
    guard let (filler, end) = arrived(at: sequence) else { return nil }
    var last = takesMore ? end : min(end, missing.upperBound)
    let better = filler.bare.sorted().first { bare in
      sequence < bare && bare <= last
        && (arrived(at: bare).map { !$0.filler.bare.contains(bare) } ?? true)
    }
    if let better { last = better - 1 }
    return Piece(filler: filler, isHeld: false, last: last)
  }

  /// A received frame that contains an event with its body, or without it if the event itself is lost.
  private func arrived(at sequence: UInt64) -> (filler: Filler, last: UInt64)? {
    let fitting = arrived.lazy.filter { $0.filler.events.contains(sequence) && sequence <= $0.last }
    if let whole = fitting.last(where: { !$0.filler.bare.contains(sequence) }) { return whole }
    return held(at: sequence) == nil ? fitting.last : nil
  }

  /// Whether a missing event after the given event has been received.
  private func hasArrived(after sequence: UInt64) -> Bool {
    sequence < missing.upperBound
      && arrived.contains { $0.filler.events.overlaps(sequence + 1...missing.upperBound) }
  }

  private func held(at sequence: UInt64) -> Filler? {
    held.first { $0.events.contains(sequence) }
  }

  /// Records events that a frame has filled.
  private mutating func note(_ events: ClosedRange<UInt64>, from filler: Filler) {
    filled = [ClosedRange<UInt64>](joining: filled + [events])
    let bare = filler.bare.filter(events.contains).map { $0...$0 }
    self.bare = [ClosedRange<UInt64>](joining: self.bare + bare)
  }

  /// The event at which a received frame diverges from the stored events into another branch; nil if it does not.
  ///
  /// A frame can diverge if only bodies are missing, because the stored events continue there.
  private static func fork(of frame: Frame, from held: [Filler]) -> UInt64? {
    guard let other = disagreement(of: held, with: frame, upTo: frame.events.count) else {
      return nil
    }
    let index = Int(other - frame.firstSequence)
    let before = index == 0 ? frame.information.hash : frame.events[index - 1].hash
    return held.contains { $0.frame.events.contains { $0.hash == before } } ? other : nil
  }

  /// The next missing event up to `last` that has been received.
  ///
  /// If only bodies are missing, some of them may not have been received. The events without a received body are not
  /// changed.
  private func nextArrived(after sequence: UInt64, upTo last: UInt64) -> UInt64? {
    let (first, last) = (max(sequence + 1, missing.lowerBound), min(last, missing.upperBound))
    return first <= last ? (first...last).first { arrived(at: $0) != nil } : nil
  }

  /// The first frame after a gap: a stored frame, or a received frame that contains the table of logs.
  private func firstBeyond(_ sequence: UInt64) -> Filler? {
    let own = arrived.map(\.filler).filter {
      missing.contains($0.frame.firstSequence) && $0.frame.start != nil
    }
    return (held + own).filter { $0.frame.firstSequence > sequence }
      .min { $0.frame.firstSequence < $1.frame.firstSequence }
  }

  /// Adds a piece after the given end.
  ///
  /// A whole frame that is proved keeps its bytes if no other frame joins its draft.
  private mutating func add(
    _ piece: Piece, after end: LogEnd, _ chain: inout Chain
  ) -> LogEnd? {
    let frame = piece.filler.frame
    let index = Int(end.sequence + 1 - frame.firstSequence)
    let limit = Int(piece.last + 1 - frame.firstSequence)
    if !piece.isHeld, let other = Self.disagreement(of: held, with: frame, upTo: limit) {
      // Holes that are filled together may have stored events between them.
      if missing.contains(other) { contradiction = other }
      return nil
    }
    let isWhole = index == 0 && limit == frame.events.count
    let isProved = frame.head != nil && frame.information.knownTable != nil
    let mustEnd = isWhole && isProved
    // A head must be kept unless a later head proves the same events.
    let endsInHead = limit == frame.events.count && frame.head != nil
    let isFull = (draft?.bytes.count ?? 0) >= Limit.contentTarget
    if let open = draft, open.head != nil, mustEnd || isFull || !endsInHead {
      drafts.append(open)
      draft = nil
    }
    var grown = draft ?? FrameDraft(after: end)
    let isAlone = grown.isEmpty
    guard grown.append(frame, from: index, upTo: limit, &chain) else { return nil }
    if isAlone, isWhole, isProved { grown.original = .init(frame, piece.filler.bytes) }
    draft = grown
    return grown.end
  }

  /// The first event of a frame that differs from the stored event.
  static func disagreement(
    of held: [Filler], with frame: Frame, upTo limit: Int
  ) -> UInt64? {
    for event in held.flatMap(\.frame.events) where event.sequence >= frame.firstSequence {
      let index = Int(event.sequence - frame.firstSequence)
      if index < limit, frame.events[index].hash != event.hash { return event.sequence }
    }
    return nil
  }

  /// Ends the current draft before a gap.
  ///
  /// The draft must end in a head.
  ///
  /// Received events without a head are dropped and must be sent again.
  private mutating func close() -> Bool {
    guard let open = draft else { return true }
    if open.head != nil {
      drafts.append(open)
    } else {
      guard lastHeld <= open.start.sequence else { return false }
      let events = open.start.sequence + 1...open.end.sequence
      (filled, bare) = (filled.without([events]), bare.without([events]))
    }
    draft = nil
    return true
  }

  /// Leaves the current draft for a tail, if it ends in stored events.
  private mutating func leaveOpen() -> Bool {
    guard strategy == .rest, let open = draft, lastHeld == open.end.sequence else { return false }
    drafts.append(open)
    draft = nil
    return true
  }

  /// The log end before a frame that follows a gap; nil if lost events may have added logs to the table.
  private func start(of frame: Frame) -> LogEnd? {
    if let start = frame.start { return start }
    let known = (drafts.last?.end ?? start).table
    let isKnown = UInt64(known.count) == frame.information.tableCount
    return isKnown ? frame.start(withTable: known) : nil
  }
}
