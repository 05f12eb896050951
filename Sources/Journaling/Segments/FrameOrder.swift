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
  private var last: End?
  /// What the last frame that was passed over ended with: what goes on there is passed over like it.
  private var passed: (end: Digest?, verdict: Verdict)?

  /// The log behind a frame.
  private struct End {
    let sequence: UInt64
    /// Nil behind a frame that nobody has looked into.
    let hash: Digest?
    /// Whether the frame is taken for the log's own, whatever follows it.
    let isAnchored: Bool
    /// Whether it goes on, frame by frame, behind one that begins the file as its name says.
    let isRooted: Bool
  }

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
    /// Others contradict it of which nothing says either whose they are.
    case doubted
    /// Nothing before it says; the next frame may contradict it.
    case uncertain
  }

  func verdict(on frame: Frame) -> Verdict {
    let (hash, first) = (frame.information.hash, events?.lowerBound)
    if let events, !events.contains(frame.firstSequence) || !events.contains(frame.lastSequence) {
      return .foreign
    }
    if isForeign(frame) { return .foreign }
    if frame.firstSequence == 1, let replica, hash != Chain.zero(of: replica) { return .foreign }
    guard let last else {
      if let passed, hash == passed.end { return passed.verdict }
      return frame.firstSequence == first ? .own : .uncertain
    }
    if joins(frame, last) { return .own }
    if frame.firstSequence <= last.sequence + 1, last.isAnchored {
      return last.isRooted ? .foreign : .doubted
    }
    if let passed, hash == passed.end { return passed.verdict }
    return .uncertain
  }

  /// Whether a frame is known to be another log's.
  func isForeign(_ frame: Frame) -> Bool {
    guard !foreign.isEmpty, let end = frame.events.last?.hash else { return false }
    return foreign.contains(end)
  }

  private func joins(_ frame: Frame, _ last: End) -> Bool {
    let hash = frame.information.hash
    return frame.firstSequence == last.sequence + 1 && last.hash ?? hash == hash
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
    let isRooted =
      if let last, joins(frame, last) {
        last.isRooted
      } else {
        frame.firstSequence == events?.lowerBound
      }
    last = End(
      sequence: frame.lastSequence, hash: frame.events.last?.hash, isAnchored: verdict == .own,
      isRooted: isRooted)
  }

  /// Goes on behind a frame that is not taken for the log's.
  mutating func pass(_ frame: Frame, _ verdict: Verdict) {
    passed = (frame.events.last?.hash, verdict)
  }

  /// Goes on behind a frame that nobody has looked into.
  mutating func follow(_ envelope: FrameEnvelope) {
    last = End(sequence: envelope.lastSequence, hash: nil, isAnchored: true, isRooted: true)
  }

  /// Takes note of what it was that nobody had looked into; nil for what was no frame.
  mutating func lookAt(_ frame: Frame?) {
    last = frame.map { frame in
      End(
        sequence: frame.lastSequence, hash: frame.events.last?.hash, isAnchored: true,
        isRooted: true)
    }
  }
}
