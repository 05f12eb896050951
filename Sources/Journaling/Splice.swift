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
  let fillers: [Filler]
  let way: Way
  /// What they become; each ends in a head but the last ones of a tail.
  private(set) var drafts: [FrameDraft] = []
  /// Which of the missing events came back.
  private(set) var filled: [ClosedRange<UInt64>] = []
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
    (self.start, self.missing, self.held, self.fillers) = (start, missing, held, fillers)
    self.way = way
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
        guard let reached = add(piece.frame, isHeld: piece.isHeld, after: end, &chain) else {
          if piece.isHeld, !filled.isEmpty { contradiction = next }
          return false
        }
        if piece.isHeld { lastHeld = reached.sequence }
        if !piece.isHeld, next <= missing.upperBound {
          filled.append(next...min(reached.sequence, missing.upperBound))
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

  private func piece(behind end: LogEnd) -> (frame: Filler, isHeld: Bool)? {
    let sequence = end.sequence + 1
    func holds(_ filler: Filler) -> Bool {
      filler.frame.firstSequence <= sequence && sequence <= filler.frame.lastSequence
    }
    let isWanted = missing.contains(sequence) || takesMore && sequence > missing.upperBound
    if isWanted, let filler = fillers.last(where: holds), fork(of: filler.frame) != sequence {
      return (filler, false)
    }
    return held.first(where: holds).map { ($0, true) }
  }

  /// The event at which a frame goes on along another branch, behind one that is held.
  ///
  /// Where only bodies are missing, so is none of the events, and what is held goes on behind that as well.
  private func fork(of frame: Frame) -> UInt64? {
    guard let other = disagreement(with: frame, upTo: frame.events.count) else { return nil }
    let index = Int(other - frame.firstSequence)
    let before = index == 0 ? frame.information.hash : frame.events[index - 1].hash
    return held.contains { $0.frame.events.contains { $0.hash == before } } ? other : nil
  }

  /// The first of the missing events behind one that have come.
  ///
  /// Where only bodies are missing, what came may leave out some of the first ones, and those stay as they are.
  private func startOfFiller(behind sequence: UInt64) -> UInt64? {
    let starts = fillers.map(\.events).filter { $0.overlaps(missing) }
      .map { max($0.lowerBound, missing.lowerBound) }
    return starts.filter { $0 > sequence }.min()
  }

  private func firstBeyond(_ sequence: UInt64) -> Filler? {
    held.filter { $0.frame.firstSequence > sequence }
      .min { $0.frame.firstSequence < $1.frame.firstSequence }
  }

  /// Adds what a frame holds behind an end: as it is where all of it is taken.
  private mutating func add(
    _ piece: Filler, isHeld: Bool, after end: LogEnd, _ chain: inout Chain
  ) -> LogEnd? {
    let frame = piece.frame
    let index = Int(end.sequence + 1 - frame.firstSequence)
    var limit = frame.events.count
    if isHeld {
      if let start = startOfFiller(behind: end.sequence + 1), start <= frame.lastSequence {
        limit = Int(start - frame.firstSequence)
      }
    } else if frame.lastSequence > missing.upperBound, !takesMore {
      limit = Int(missing.upperBound - frame.firstSequence) + 1
    }
    if !isHeld, let fork = fork(of: frame) {
      limit = min(limit, Int(fork - frame.firstSequence))
    }
    if !isHeld, let other = disagreement(with: frame, upTo: limit) {
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
    if isAlone, isWhole, isProved { grown.original = .init(frame, piece.bytes) }
    draft = grown
    return grown.end
  }

  /// The first event that is held otherwise than a frame has it.
  private func disagreement(with frame: Frame, upTo limit: Int) -> UInt64? {
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
      filled = filled.without([open.start.sequence + 1...open.end.sequence])
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
