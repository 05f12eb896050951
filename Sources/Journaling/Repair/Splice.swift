import Bytes

/// Puts frames of a strand together: those that are held, and between them what came for a hole.
struct Splice {
  /// How far one goes for the sake of what proves the frames; the ways are tried in order.
  enum Way: CaseIterable {
    /// Of what came only what is missing is taken.
    case missing
    /// What came is taken beyond that, too, for the heads it ends in.
    case more
    /// What is held before a further gap, and ends in no head, stays in a tail, and so does all behind it.
    case rest
  }

  /// The strand before the first frame.
  let start: LogEnd
  let missing: ClosedRange<UInt64>
  let held: [Filler]
  let way: Way
  /// What came, each up to where it goes on along another branch.
  private let arrived: [(filler: Filler, last: UInt64)]
  /// What they become; each ends in a head but the last ones of a tail.
  private(set) var drafts: [FrameDraft] = []
  /// Which of the missing events, or bodies, came back.
  private(set) var filled: [ClosedRange<UInt64>] = []
  /// Which of these events came back without their bodies.
  private(set) var bare: [ClosedRange<UInt64>] = []
  /// Held frames behind what came back that stay as they are.
  private(set) var leftover: [Filler] = []
  /// The first event that is held and does not go on where what came ends, or is another than what came.
  private(set) var contradiction: UInt64?

  /// The last event before what is missing that is held.
  private var lastHeld: UInt64 = 0
  private var draft: FrameDraft?

  init(
    after start: LogEnd, missing: ClosedRange<UInt64>, held: [Filler], fillers: [Filler],
    way: Way
  ) {
    (self.start, self.missing, self.held, self.way) = (start, missing, held, way)
    arrived = fillers.map { filler in
      let fork = Self.fork(of: filler.frame, from: held)
      return (filler, fork.map { $0 - 1 } ?? filler.frame.lastSequence)
    }
  }

  private var takesMore: Bool { way == .more }

  /// Whether heads prove all events up to one, but for those that stay lost.
  func isProved(upTo sequence: UInt64) -> Bool {
    let last = drafts.last { $0.start.sequence < sequence }?.end.sequence ?? 0
    return min(last, sequence) <= drafts.last { $0.head != nil }?.end.sequence ?? 0
  }

  /// How many of the drafts a head proves; the others are for a tail.
  var sealedCount: Int { (drafts.lastIndex { $0.head != nil } ?? -1) + 1 }

  /// Goes through the frames in order.
  ///
  /// - Returns: false where they do not join.
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
        // A part of the hole stays: what came must be proved by itself.
        let isClosed = close()
        guard isClosed || leaveOpen() else { return false }
        // Lost events may have added to the table.
        guard isClosed, let start = start(of: beyond.frame) else {
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

  /// What is taken of a frame in one piece.
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

  /// What came for an event and those behind it, up to one of which something else has the body.
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

  /// What came for an event: with its body if any has that, and without only where the event itself is lost.
  private func arrived(at sequence: UInt64) -> (filler: Filler, last: UInt64)? {
    let fitting = arrived.lazy.filter { $0.filler.events.contains(sequence) && sequence <= $0.last }
    if let whole = fitting.last(where: { !$0.filler.bare.contains(sequence) }) { return whole }
    return held(at: sequence) == nil ? fitting.last : nil
  }

  private func held(at sequence: UInt64) -> Filler? {
    held.first { $0.events.contains(sequence) }
  }

  /// Notes what came back with a frame.
  private mutating func note(_ events: ClosedRange<UInt64>, from filler: Filler) {
    filled = [ClosedRange<UInt64>](joining: filled + [events])
    let bare = filler.bare.filter(events.contains).map { $0...$0 }
    self.bare = [ClosedRange<UInt64>](joining: self.bare + bare)
  }

  /// The event at which a frame goes on along another branch, behind one that is held.
  ///
  /// Where only bodies are missing, so is none of the events, and what is held goes on behind that as well.
  private static func fork(of frame: Frame, from held: [Filler]) -> UInt64? {
    guard let other = disagreement(of: held, with: frame, upTo: frame.events.count) else {
      return nil
    }
    let index = Int(other - frame.firstSequence)
    let before = index == 0 ? frame.information.hash : frame.events[index - 1].hash
    return held.contains { $0.frame.events.contains { $0.hash == before } } ? other : nil
  }

  /// The next of the missing events, up to one, for which something came.
  ///
  /// Where only bodies are missing, what came may leave out some of them, and those stay as they are.
  private func nextArrived(after sequence: UInt64, upTo last: UInt64) -> UInt64? {
    let (first, last) = (max(sequence + 1, missing.lowerBound), min(last, missing.upperBound))
    return first <= last ? (first...last).first { arrived(at: $0) != nil } : nil
  }

  private func firstBeyond(_ sequence: UInt64) -> Filler? {
    held.filter { $0.frame.firstSequence > sequence }
      .min { $0.frame.firstSequence < $1.frame.firstSequence }
  }

  /// Adds a piece behind an end: a frame as it is where all of it is taken.
  private mutating func add(
    _ piece: Piece, after end: LogEnd, _ chain: inout Chain
  ) -> LogEnd? {
    let frame = piece.filler.frame
    let index = Int(end.sequence + 1 - frame.firstSequence)
    let limit = Int(piece.last + 1 - frame.firstSequence)
    if !piece.isHeld, let other = Self.disagreement(of: held, with: frame, upTo: limit) {
      // Between holes that are filled as one some events are held.
      if missing.contains(other) { contradiction = other }
      return nil
    }
    let isWhole = index == 0 && limit == frame.events.count
    let isProved = frame.head != nil && frame.information.knownTable != nil
    let mustEnd = isWhole && isProved
    // A head is needed where it stands, unless another follows that proves as much.
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

  /// The first event that is held otherwise than a frame has it.
  static func disagreement(
    of held: [Filler], with frame: Frame, upTo limit: Int
  ) -> UInt64? {
    for event in held.flatMap(\.frame.events) where event.sequence >= frame.firstSequence {
      let index = Int(event.sequence - frame.firstSequence)
      if index < limit, frame.events[index].hash != event.hash { return event.sequence }
    }
    return nil
  }

  /// Ends what is before a gap; only a head may stand there.
  ///
  /// What came and no head ends has to come once more.
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

  /// Leaves what is before a gap to a tail, where it is held up to there: what came before that joins it.
  private mutating func leaveOpen() -> Bool {
    guard way == .rest, let open = draft, lastHeld == open.end.sequence else { return false }
    drafts.append(open)
    draft = nil
    return true
  }

  /// The strand before a frame that lies behind a gap, unless lost events may have added to its table.
  private func start(of frame: Frame) -> LogEnd? {
    if let start = frame.start { return start }
    let known = (drafts.last?.end ?? start).table
    let isKnown = UInt64(known.count) == frame.information.tableCount
    return isKnown ? frame.start(withTable: known) : nil
  }
}
