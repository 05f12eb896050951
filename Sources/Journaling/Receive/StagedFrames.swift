import Bytes

/// Frames that were received and are not stored yet.
struct StagedFrames {
  /// Those that go on where a strand ends, by the strands.
  var receptions: [UniqueID: Reception] = [:]
  /// Those that belong into holes, by their strands.
  var fillers: [UniqueID: [Filler]] = [:]
  /// Where the logs ended before anything was received.
  var endsBefore: [UniqueID: LogEnd]?
}
