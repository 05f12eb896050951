import Platform

/// Opens a file's frames on another thread before verification reaches them.
///
/// A frame is opened ahead only if the frames from the start of the file up to it have no gaps between them. Other
/// frames are opened when verification reaches them.
struct StoredFramesAhead {
  private let starts: [Int]
  private let frames: ParallelPrefetcher<StoredFrame?>
  private var next = 0

  /// The maximum number of frames to keep in memory.
  private static let lead = 4

  init(_ bytes: [UInt8], beside: Machine.Beside?) {
    var starts: [Int] = []
    var end = 0
    while let length = StoredFrame.length(in: bytes.span, at: end) {
      starts.append(end)
      end += length
    }
    self.starts = starts
    frames = ParallelPrefetcher(starts.count, lead: Self.lead, beside: beside) { [starts] place in
      StoredFrame(in: bytes.span, at: starts[place])
    }
  }

  /// Returns the first whole frame at or after the given offset.
  mutating func next(in bytes: [UInt8], from offset: Int) -> StoredFrame? {
    // A damaged length field may produce an offset within a frame, so offsets before the requested one are skipped.
    while next < starts.count, starts[next] < offset { next += 1 }
    guard next < starts.count, starts[next] == offset else {
      return StoredFrame.next(in: bytes.span, from: offset)
    }
    defer { next += 1 }
    return frames.part(next) ?? StoredFrame.next(in: bytes.span, from: offset)
  }
}
