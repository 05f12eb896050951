/// Puts messages together from bytes, however these are split.
///
/// It never holds more than one message that is not whole yet, and reserves nothing for a length
/// that is only claimed.
package struct MessageReader: Sendable {
  private var waiting: [UInt8] = []
  private var read = 0

  /// Where in the stream the next message begins.
  package private(set) var offset: Int

  /// Begins at an offset, where something else came first.
  package init(at offset: Int = 0) { self.offset = offset }

  /// Whether a message has begun and is not whole yet.
  package var isInside: Bool { read < waiting.count }

  /// How many bytes wait for the rest of their message.
  package var waitingCount: Int { waiting.count - read }

  /// Bytes that are not part of a message read so far.
  package var rest: [UInt8] { Array(waiting[read...]) }

  package mutating func append(_ bytes: [UInt8]) {
    if read > 0 {
      waiting.removeFirst(read)
      read = 0
    }
    waiting += bytes
  }

  /// Reads the next message, or returns nil until there is a whole one.
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
