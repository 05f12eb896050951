import Bytes

/// Tells which frames of a file count, by whose they are and how they follow each other.
///
/// A frame is whole wherever it lies, so a disk that writes to a wrong place can put one into the file of another log,
/// or to another place of its own. In a file each frame goes on where the one before it ends.
struct FrameOrder: Sendable {
  /// Who wrote the log.
  private let replica: ReplicaPrefix
  /// The events that the file is named after.
  private let events: ClosedRange<UInt64>
  private var last: End?
  /// The chain hash at the end of the last frame that was passed over as out of place.
  private var passed: Digest?

  /// The log behind a frame that counts.
  private struct End {
    let sequence: UInt64
    /// Nil behind a frame that was not unpacked.
    let hash: Digest?
    let isAnchored: Bool
    /// Whether it goes on, frame by frame, from the one that begins the file.
    let isRooted: Bool
  }

  init(of replica: UniqueID, named events: ClosedRange<UInt64>) {
    (self.replica, self.events) = (ReplicaPrefix(of: replica), events)
  }

  /// Whether the last frame goes on where the one before it ends, or begins the file.
  var isAnchored: Bool { last?.isAnchored ?? false }

  /// Whether the last frame goes on, frame by frame, from the one that begins the file.
  var isRooted: Bool { last?.isRooted ?? false }

  /// Tells what a frame is that comes next in the file.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - next: Finds the next frame of the log behind it, where it takes that to tell.
  /// - Returns: The case.
  func verdict(on frame: Frame, next: () -> Frame?) -> FrameCase {
    FrameCase(
      isOwn: frame.replica == replica, isNamed: isNamed(frame.firstSequence, frame.lastSequence),
      beginning(of: frame), followsPassed: frame.information.hash == passed
    ) {
      next().map { Self.contradicts($0, frame) } ?? false
    }
  }

  private func beginning(of frame: Frame) -> FrameCase.Beginning {
    guard let last else { return frame.firstSequence == events.lowerBound ? .file : .behind }
    if frame.firstSequence > last.sequence + 1 { return .behind }
    let hash = frame.information.hash
    return frame.firstSequence == last.sequence + 1 && last.hash ?? hash == hash ? .end : .before
  }

  /// Whether a frame is of this log and of the events that the file is named after.
  func owns(_ frame: Frame) -> Bool {
    frame.replica == replica && isNamed(frame.firstSequence, frame.lastSequence)
  }

  /// The same of a frame that was not unpacked.
  func owns(_ envelope: FrameEnvelope) -> Bool {
    envelope.replica == replica && isNamed(envelope.firstSequence, envelope.lastSequence)
  }

  private func isNamed(_ first: UInt64, _ last: UInt64) -> Bool {
    events.contains(first) && events.contains(last)
  }

  /// Whether the frame behind another one says that this does not belong where it lies.
  static func contradicts(_ next: Frame, _ frame: Frame) -> Bool {
    if next.firstSequence == frame.lastSequence + 1 {
      return next.information.hash != frame.events.last?.hash
    }
    return next.firstSequence <= frame.lastSequence
  }

  /// Goes on behind a frame that counts.
  mutating func follow(_ frame: Frame, _ verdict: FrameCase) {
    let isRooted = verdict == .first || verdict == .joined && last?.isRooted ?? false
    last = End(
      sequence: frame.lastSequence, hash: frame.events.last?.hash, isAnchored: verdict.isAnchored,
      isRooted: isRooted)
  }

  /// Goes on behind a frame that is out of place.
  mutating func pass(_ frame: Frame) { passed = frame.events.last?.hash }

  /// Goes on behind a frame that was not unpacked.
  mutating func follow(_ envelope: FrameEnvelope) {
    last = End(sequence: envelope.lastSequence, hash: nil, isAnchored: true, isRooted: true)
  }

  /// Takes note of what it was that was not unpacked; nil for what was no frame.
  mutating func lookAt(_ frame: Frame?) {
    last = frame.map { frame in
      End(
        sequence: frame.lastSequence, hash: frame.events.last?.hash, isAnchored: true,
        isRooted: true)
    }
  }
}
