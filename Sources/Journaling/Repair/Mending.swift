import Bytes

/// A frame that somebody sent for events that are lost here, or that lies around them.
struct Filler: Sendable {
  var frame: Frame
  var bytes: [UInt8]
  /// The events whose bodies are gone from it though no `erase` that counts took them.
  var bare: Set<UInt64>

  var events: ClosedRange<UInt64> { frame.firstSequence...frame.lastSequence }

  /// Whether it is the same frame as another one, with all the bodies of that.
  func brings(allOf other: Filler) -> Bool {
    frame.firstSequence == other.frame.firstSequence
      && frame.events.last?.hash == other.frame.events.last?.hash
      && bare.isSubset(of: other.bare)
  }
}

/// Events of a strand, or their bodies, that are mended together.
struct Loss: Hashable, Sendable {
  var events: ClosedRange<UInt64>
  /// Whether nothing is held behind them.
  var isEnd: Bool
}

/// What has to be done to the files of a strand so that lost events lie in them again.
struct Mending: Hashable, Sendable {
  struct File: Hashable, Sendable {
    var name: SegmentName
    var bytes: [UInt8]
  }

  /// The files that go into quarantine before others take their place.
  var damaged: [SegmentName]
  /// The new files: a sealed one, and a tail for what no head proves.
  var written: [File]
  /// The files that the new ones make needless.
  var replaced: [SegmentName]
  /// The events, or their bodies, that come back.
  var filled: [ClosedRange<UInt64>]
  /// Those of the events that come back without their bodies.
  var bare: [ClosedRange<UInt64>]
  /// Whether some of those that are lost stay so.
  var leavesHole: Bool
  /// What is held behind them and follows other events than those that come back.
  var remains: Remains?

  /// What is left of a branch whose beginning is lost: a strand by itself, which waits for that.
  struct Remains: Hashable, Sendable {
    var strand: UniqueID
    var files: [File]
  }
}
