import Bytes

/// Tells which frames of a file are of its log, by how they follow each other.
///
/// A frame is whole by itself wherever it lies, so a disk that writes to a wrong place can put one into the file of
/// another log. A log begins from its own hash, and in a file each frame goes on behind the one before it.
struct FrameOrder: Sendable {
  /// Who wrote the log, where that is known.
  private let replica: UniqueID?
  /// The events that the file is named after, where its name is known.
  private let events: ClosedRange<UInt64>?
  /// What frames end with that are known to be another log's.
  private let foreign: Set<Digest>
  private var last: (sequence: UInt64, hash: Digest?, isAnchored: Bool)?
  /// What the last frame of another log ended with: what goes on there is of that log, too.
  private var foreignEnd: Digest?

  init(
    of replica: UniqueID? = nil, named events: ClosedRange<UInt64>? = nil,
    besides foreign: Set<Digest> = []
  ) {
    (self.replica, self.events, self.foreign) = (replica, events, foreign)
  }

  /// Whether the last frame is the log's own, whatever follows it.
  var isAnchored: Bool { last?.isAnchored ?? false }

  enum Verdict: Hashable {
    case own, foreign
    /// Nothing before it says; the next frame may contradict it.
    case uncertain
  }

  func verdict(on frame: Frame) -> Verdict {
    let (hash, first) = (frame.information.hash, events?.lowerBound)
    if let events, !events.contains(frame.firstSequence) || !events.contains(frame.lastSequence) {
      return .foreign
    }
    if !foreign.isEmpty, let end = frame.events.last?.hash, foreign.contains(end) {
      return .foreign
    }
    if frame.firstSequence == 1, let replica, hash != Chain.zero(of: replica) { return .foreign }
    guard let last else {
      if hash == foreignEnd { return .foreign }
      return frame.firstSequence == first ? .own : .uncertain
    }
    if frame.firstSequence == last.sequence + 1, last.hash ?? hash == hash { return .own }
    if frame.firstSequence <= last.sequence + 1, last.isAnchored { return .foreign }
    return hash == foreignEnd ? .foreign : .uncertain
  }

  /// Whether the frame behind it says that one does not belong where it lies.
  static func contradicts(_ next: Frame, _ frame: Frame) -> Bool {
    if next.firstSequence == frame.lastSequence + 1 {
      return next.information.hash != frame.events.last?.hash
    }
    return next.firstSequence <= frame.lastSequence
  }

  /// Whether one goes on where the other ends.
  static func joins(_ next: Frame, _ frame: Frame) -> Bool {
    next.firstSequence == frame.lastSequence + 1 && !contradicts(next, frame)
  }

  /// Goes on behind a frame that is the log's own, as far as that can be told.
  mutating func follow(_ frame: Frame, _ verdict: Verdict) {
    last = (frame.lastSequence, frame.events.last?.hash, verdict == .own)
  }

  /// Goes on behind a frame that is not the log's.
  mutating func pass(_ frame: Frame) { foreignEnd = frame.events.last?.hash }

  /// Goes on behind a frame that nobody has looked into.
  mutating func follow(_ envelope: FrameEnvelope) { last = (envelope.lastSequence, nil, true) }

  /// Takes note of what it was that nobody had looked into; nil for what was no frame.
  mutating func lookAt(_ frame: Frame?) {
    last = frame.map { ($0.lastSequence, $0.events.last?.hash, true) }
  }
}
