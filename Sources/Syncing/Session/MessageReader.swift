/// Assembles messages from bytes that arrive in portions of any size.
///
/// The reader keeps at most one incomplete message, and never reserves memory for a claimed length.
package struct MessageReader: Sendable {
  private var waiting: [UInt8] = []
  private var read = 0

  /// The offset in the stream at which the next message begins.
  package private(set) var offset: Int

  /// Starts at the given offset, for example after a file's signature bytes.
  package init(at offset: Int = 0) { self.offset = offset }

  /// Whether a message has begun and is incomplete.
  package var isInside: Bool { read < waiting.count }

  /// The number of received bytes that have not been decoded yet.
  package var waitingCount: Int { waiting.count - read }

  /// The received bytes that have not been decoded yet.
  package var rest: [UInt8] { Array(waiting[read...]) }

  package mutating func append(_ bytes: [UInt8]) {
    if read > 0 {
      waiting.removeFirst(read)
      read = 0
    }
    waiting += bytes
  }

  /// Decodes the next message, or returns nil if it is incomplete.
  package mutating func next() throws(SyncError) -> Message? {
    guard waiting.count - read >= 4 else { return nil }
    let count = waiting[read..<read + 4].reduce(0) { $0 << 8 | Int($1) }
    guard count <= Limit.messageBytes else { throw .message(.limit, at: offset) }
    guard waiting.count - read - 4 >= count else { return nil }
    do throws(MessageFault) {
      let message = try Message.decode(waiting.span.extracting(read + 4..<read + 4 + count))
      read += 4 + count
      offset += 4 + count
      return message
    } catch {
      throw .message(error, at: offset)
    }
  }
}
