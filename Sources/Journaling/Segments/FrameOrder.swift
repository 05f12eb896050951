import Bytes

/// Decides which frames of a file count, based on their replica, on the events in the name of the file, and on whether
/// each frame continues the one before it.
///
/// A frame is valid wherever it is stored, so a misdirected write can put a frame into the file of another log, or at
/// the wrong offset in its own file. In an intact file, each frame continues the frame before it.
struct FrameOrder: Sendable {
  /// The replica that wrote the log.
  private let replica: ReplicaPrefix
  /// The range of events in the file's name.
  private let events: ClosedRange<UInt64>
  private var last: End?
  /// The chain hash at the end of the last frame that was skipped as out of place.
  private var passed: Digest?

  /// The end of the log after a frame that counts.
  private struct End {
    let sequence: UInt64
    /// The chain hash; nil after a frame that was not unpacked.
    let hash: Digest?
    let isAnchored: Bool
    /// Whether an unbroken series of frames leads here from the frame that begins the file.
    let isRooted: Bool
  }

  init(of replica: UniqueID, named events: ClosedRange<UInt64>) {
    (self.replica, self.events) = (ReplicaPrefix(of: replica), events)
  }

  /// Whether the last frame continues the frame before it, or begins the file.
  var isAnchored: Bool { last?.isAnchored ?? false }

  /// Whether an unbroken series of frames leads from the frame that begins the file to the last frame.
  var isRooted: Bool { last?.isRooted ?? false }

  /// Determines the case of the next frame in the file.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - next: Finds the next frame of this log; called only if the case depends on it.
  /// - Returns: The case of the frame.
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

  /// Whether the given frame belongs to this log and is in the range of the file's name.
  func owns(_ frame: Frame) -> Bool {
    frame.replica == replica && isNamed(frame.firstSequence, frame.lastSequence)
  }

  /// Whether a frame that is not unpacked belongs to this log and is in the range of the file's name.
  func owns(_ envelope: FrameEnvelope) -> Bool {
    envelope.replica == replica && isNamed(envelope.firstSequence, envelope.lastSequence)
  }

  private func isNamed(_ first: UInt64, _ last: UInt64) -> Bool {
    events.contains(first) && events.contains(last)
  }

  /// Whether the next frame shows that the given frame is out of place.
  static func contradicts(_ next: Frame, _ frame: Frame) -> Bool {
    if next.firstSequence == frame.lastSequence + 1 {
      return next.information.hash != frame.events.last?.hash
    }
    return next.firstSequence <= frame.lastSequence
  }

  /// Records a frame that counts.
  mutating func follow(_ frame: Frame, _ verdict: FrameCase) {
    let isRooted = verdict == .first || verdict == .joined && last?.isRooted ?? false
    last = End(
      sequence: frame.lastSequence, hash: frame.events.last?.hash, isAnchored: verdict.isAnchored,
      isRooted: isRooted)
  }

  /// Records a frame that is out of place.
  mutating func pass(_ frame: Frame) { passed = frame.events.last?.hash }

  /// Whether a frame that is not unpacked seems to continue the last frame, or to begin the file.
  func continues(with envelope: FrameEnvelope) -> Bool {
    owns(envelope) && envelope.firstSequence == last.map { $0.sequence + 1 } ?? events.lowerBound
  }

  /// Records a frame that was skipped without unpacking.
  mutating func follow(_ envelope: FrameEnvelope) {
    last = End(sequence: envelope.lastSequence, hash: nil, isAnchored: true, isRooted: true)
  }
}
