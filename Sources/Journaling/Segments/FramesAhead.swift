import Platform

/// The frames of a file, unpacked and checked on another thread before they are come to.
///
/// What a frame holds follows from its bytes alone; what it is among the others is seen when its turn comes.
final class FramesAhead {
  /// Where frames begin, as far as their lengths lead from one to the next.
  private let starts: [Int]
  private let frames: ParallelPrefetcher<Frame?>
  private var next = 0

  /// So many wait in memory.
  private static let lead = 4

  /// Begins with the frame at an offset; nil where none is behind it.
  init?(
    _ bytes: [UInt8], from offset: Int, knowing known: FrameCache, beside: @escaping Machine.Beside
  ) {
    var starts: [Int] = []
    var end = offset
    // Whatever is no frame is told when it is come to.
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

  /// The frame at an offset; nil where it cannot be read, or is not the next one.
  func frame(at offset: Int) -> Frame? {
    guard next < starts.count, starts[next] == offset else { return nil }
    defer { next += 1 }
    return frames.part(next)
  }
}
