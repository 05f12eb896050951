package import Platform
import Synchronization

/// Frames that have come and wait to be received, unpacked and checked on another thread meanwhile.
///
/// What a frame holds follows from its bytes alone; where it belongs is seen when it is received.
package struct FramePrefetcher: ~Copyable {
  /// The bytes, by the order in which they came.
  private final class Arrived: Sendable {
    let frames = Mutex<[Int: [UInt8]]>([:])
  }

  private let arrived = Arrived()
  private let frames: ParallelPrefetcher<Frame?>
  /// The sizes of their contents.
  private var sizes: [Int] = []
  /// The first that was not taken yet.
  private var next = 0
  /// The first that is not to be read yet.
  private(set) var end = 0
  /// The sizes of those between, together.
  private var size = 0

  /// As much as those that wait may hold, unpacked: what is found in them takes three times as much again.
  private static let sizeLimit = 6 << 20

  package init(beside: @escaping Machine.Beside) {
    frames = ParallelPrefetcher(0, lead: 1 << 20, beside: beside) { [arrived] number in
      guard let bytes = arrived.frames.withLock({ $0[number] }) else { return nil }
      var chain = Chain()
      return try? Frame.decode(bytes.span, at: 0, &chain)
    }
  }

  /// Begins to read a frame, or will as soon as others were taken.
  ///
  /// - Parameters:
  ///   - frame: Its bytes.
  ///   - size: The size of its content, as it says itself.
  /// - Returns: Its number, in the order in which frames have come.
  package mutating func add(_ frame: [UInt8], holding size: Int) -> Int {
    arrived.frames.withLock { $0[sizes.count] = frame }
    sizes.append(size)
    readOn()
    return sizes.count - 1
  }

  /// Takes what a frame holds; they are to be taken in order, but may be left out.
  ///
  /// - Returns: nil where it cannot be read, which is told when it is received.
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
    // Often it is but one, which need not keep a lock waiting either while it is read.
    if before == 0 { frames.makeNext() }
  }
}
