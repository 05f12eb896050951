import Platform

/// The frames of a file, unpacked and checked on another thread before they are needed.
///
/// Only the bytes of each frame are checked here. Whether the frame is in place is decided when it is used.
final class FramesAhead {
  /// The offsets of the frames, up to the first frame that no other frame follows directly.
  private let starts: [Int]
  private let frames: ParallelPrefetcher<Frame?>
  private var next = 0

  /// The maximum number of unpacked frames that wait in memory.
  private static let lead = 4

  /// Starts with the frame at an offset; nil if no other frame is known to follow it.
  init?(
    _ bytes: [UInt8], from offset: Int, knowing known: FrameCache, beside: @escaping Machine.Beside
  ) {
    var starts: [Int] = []
    var end = offset
    // The error is reported when these bytes are reached.
    while end < bytes.count, let envelope = try? FrameEnvelope(bytes.span, at: end) {
      starts.append(end)
      end += envelope.length
    }
    guard starts.count > 1 else { return nil }
    self.starts = starts
    frames = ParallelPrefetcher(starts.count, lead: Self.lead, beside: beside) { [starts] place in
      if let frame = known.frame(in: bytes, at: starts[place]) { return frame }
      var chain = Chain()
      return try? Frame.decode(bytes.span, at: starts[place], &chain)
    }
  }

  /// The frame at the given offset; nil if the frame cannot be decoded or is not the next frame.
  func frame(at offset: Int) -> Frame? {
    guard next < starts.count, starts[next] == offset else { return nil }
    defer { next += 1 }
    return frames.part(next)
  }
}
