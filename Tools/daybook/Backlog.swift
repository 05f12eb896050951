import Glibc
import PosixPlatform
import Synchronization

/// The output of a server that has not yet been read.
///
/// The reader can stop reading, as a paused terminal does, and sessions must not wait for it. Until the reader
/// continues, text is buffered up to a limit; beyond the limit, messages are dropped and counted.
final class Backlog: Sendable {
  static let shared = Backlog()

  private struct Waiting {
    var pieces: [(text: String, stream: Int32)] = []
    var bytes = 0
    var left = 0
    var isWriting = false
  }

  private static let limit = 1 << 20
  /// The time for which a server waits for its output to be read after it has been told to stop.
  private static let lastMilliseconds = 1_000
  private static let lookMilliseconds = 2

  private let waiting = Mutex(Waiting())
  /// A pipe that receives a byte when the first text is queued.
  private let bell: (reading: Int32, writing: Int32)

  private init() {
    var ends: [Int32] = [-1, -1]
    let isMade = unsafe pipe(&ends) == 0
    precondition(isMade, "a process may have a pipe")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    bell = (ends[0], ends[1])
    SystemThread.start { [self] in
      var byte: UInt8 = 0
      while unsafe read(bell.reading, &byte, 1) > 0 { writeAll() }
    }
  }

  /// Queues text to be written to a stream after all earlier text.
  func write(_ text: String, to stream: Int32) {
    let wasEmpty = waiting.withLock { waiting in
      if waiting.bytes > Self.limit {
        waiting.left += 1
        return false
      }
      defer {
        waiting.pieces.append((text, stream))
        waiting.bytes += text.utf8.count
      }
      return waiting.pieces.isEmpty
    }
    guard wasEmpty else { return }
    var byte: UInt8 = 1
    // The result is ignored, because a pipe has space for one byte, and its other end stays open until the process
    // ends.
    _ = unsafe Glibc.write(bell.writing, &byte, 1)
  }

  private func writeAll() {
    while true {
      let (pieces, left) = waiting.withLock { waiting in
        defer {
          (waiting.pieces, waiting.bytes, waiting.left) = ([], 0, 0)
        }
        waiting.isWriting = !waiting.pieces.isEmpty
        return (waiting.pieces, waiting.left)
      }
      guard let last = pieces.last else { return }
      for piece in pieces { Stream.write(piece.text, to: piece.stream) }
      if left > 0 {
        Stream.write(
          "daybook: \(left) more \(left == 1 ? "message was" : "messages were") dropped because the output was not read.\n",
          to: last.stream)
      }
    }
  }

  /// Waits until everything has been written, but at most one second if the server has been told to stop.
  func finish(until isStopping: () -> Bool) {
    var waited = 0
    while waiting.withLock({ !$0.pieces.isEmpty || $0.isWriting }) {
      guard waited < Self.lastMilliseconds || !isStopping() else { return }
      usleep(UInt32(Self.lookMilliseconds) * 1_000)
      waited += Self.lookMilliseconds
    }
  }
}
