package import Platform
import Synchronization

/// Unpacks and checks frames on another thread while they wait to be received.
///
/// The content of a frame depends only on its bytes. Where the frame belongs is decided when it is received.
package struct FramePrefetcher: ~Copyable {
  /// The bytes of the waiting frames, by number.
  private final class Arrived: Sendable {
    let frames = Mutex<[Int: [UInt8]]>([:])
  }

  private let arrived = Arrived()
  private let frames: ParallelPrefetcher<Frame?>
  /// The content sizes of all added frames.
  private var sizes: [Int] = []
  /// The number of the first frame that has not been taken yet.
  private var next = 0
  /// The number of the first frame that must not be unpacked yet.
  private(set) var end = 0
  /// The total content size of the frames from `next` up to `end`.
  private var size = 0

  /// The limit for the unpacked content of waiting frames, in bytes.
  ///
  /// In addition, the decoded frames take about three times as much memory.
  private static let sizeLimit = 6 << 20

  package init(beside: @escaping Machine.Beside) {
    frames = ParallelPrefetcher(0, lead: 1 << 20, beside: beside) { [arrived] number in
      guard let bytes = arrived.frames.withLock({ $0[number] }) else { return nil }
      var chain = Chain()
      return try? Frame.decode(bytes.span, at: 0, &chain)
    }
  }

  /// Adds a frame, to be unpacked now or after earlier frames have been taken.
  ///
  /// - Parameters:
  ///   - frame: The bytes of the frame.
  ///   - size: The size of the frame's content, as stated in the frame.
  /// - Returns: The number of the frame, in the order of arrival.
  package mutating func add(_ frame: [UInt8], holding size: Int) -> Int {
    arrived.frames.withLock { $0[sizes.count] = frame }
    sizes.append(size)
    readOn()
    return sizes.count - 1
  }

  /// Returns a decoded frame.
  ///
  /// Frames must be taken in ascending order, but some may be left out.
  ///
  /// - Returns: The frame, or nil if it cannot be decoded. The error is reported when the frame is received.
  package mutating func take(_ number: Int) -> Frame? {
    precondition(number >= next, "frames are taken in order")
    while next < number {
      forget(next)
      next += 1
    }
    readOn()
    let frame = frames.part(number)
    forget(number)
    next = number + 1
    readOn()
    return frame
  }

  private mutating func forget(_ number: Int) {
    if number < end { size -= sizes[number] }
    _ = arrived.frames.withLock { $0.removeValue(forKey: number) }
  }

  private mutating func readOn() {
    end = max(end, next)
    let before = end
    while end < sizes.count, end == next || size + sizes[end] <= Self.sizeLimit {
      size += sizes[end]
      end += 1
    }
    guard end > before else { return }
    frames.extend(to: end)
    // Often there is only one frame. It is unpacked immediately, so that the caller need not unpack it later while
    // holding a lock.
    if before == 0 { frames.makeNext() }
  }
}
