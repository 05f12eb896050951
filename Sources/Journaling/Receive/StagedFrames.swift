import Bytes

/// Received frames that have not been stored yet.
struct StagedFrames {
  /// Frames that continue a strand, by strand.
  var receptions: [UniqueID: Reception] = [:]
  /// Frames for the holes of a strand, by strand.
  var fillers: [UniqueID: [Filler]] = [:]
  /// The ends of all logs before the first frame was received.
  var endsBefore: [UniqueID: LogEnd]?
}
