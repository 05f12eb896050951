import Platform

/// The frames of a file, opened on another thread before verification comes to them.
///
/// Only what lies where the lengths of whole frames lead is opened ahead. Of all else it is told when it is come to.
struct StoredFramesAhead {
  private let starts: [Int]
  private let frames: ParallelPrefetcher<StoredFrame?>
  private var next = 0

  /// So many wait in memory.
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

  /// The first whole frame at or behind an offset.
  mutating func next(in bytes: [UInt8], from offset: Int) -> StoredFrame? {
    // What is no frame has made the lengths behind it lead elsewhere, or it is in the way itself.
    while next < starts.count, starts[next] < offset { next += 1 }
    guard next < starts.count, starts[next] == offset else {
      return StoredFrame.next(in: bytes.span, from: offset)
    }
    defer { next += 1 }
    return frames.part(next) ?? StoredFrame.next(in: bytes.span, from: offset)
  }
}
