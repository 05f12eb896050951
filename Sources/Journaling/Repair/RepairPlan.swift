import Bytes

/// A frame that may be used to fill a hole: a frame that a peer sent, or a stored frame next to the hole.
struct Filler: Sendable {
  var frame: Frame
  var bytes: [UInt8]
  /// The events that have lost their bodies, although no `erase` in effect removed them.
  var bare: Set<UInt64>

  var events: ClosedRange<UInt64> { frame.firstSequence...frame.lastSequence }

  /// Whether the frame contains the same events as another frame, and all bodies that the other frame contains.
  func brings(allOf other: Filler) -> Bool {
    frame.firstSequence == other.frame.firstSequence
      && frame.events.last?.hash == other.frame.events.last?.hash
      && bare.isSubset(of: other.bare)
  }
}

/// Lost events of a strand, or events that have lost their bodies, which are repaired together.
struct Loss: Hashable, Sendable {
  var events: ClosedRange<UInt64>
  /// Whether this device has no events after the lost events.
  var isEnd: Bool
}

/// The changes to the files of a strand that restore lost events.
struct RepairPlan: Hashable, Sendable {
  struct File: Hashable, Sendable {
    var name: SegmentName
    var bytes: [UInt8]
  }

  /// The damaged files, which are copied into quarantine.
  var damaged: [SegmentName]
  /// The new files: a sealed file, and a tail for the events that no head proves.
  var written: [File]
  /// The old files that the new files replace.
  var replaced: [SegmentName]
  /// The events that are restored, and the events whose bodies are restored.
  var filled: [ClosedRange<UInt64>]
  /// The restored events that still lack their bodies.
  var bare: [ClosedRange<UInt64>]
  /// Whether some events remain lost.
  var leavesHole: Bool
  /// The stored events after the loss, if they do not follow the restored events.
  var orphan: OrphanedBranch?

  /// The rest of a branch that has lost its beginning.
  ///
  /// The rest becomes a strand of its own until the beginning is found.
  struct OrphanedBranch: Hashable, Sendable {
    var strand: UniqueID
    var files: [File]
  }
}
