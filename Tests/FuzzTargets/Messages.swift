import Bytes
import Syncing

/// Messages of streams, bundles and connections.
enum Messages {
  static func take(_ bytes: [UInt8]) throws(Violation) {
    guard let message = read(framed(bytes)) else { return }
    guard let again = read(message.encoded) else {
      throw Violation(rule: "an encoded message can be read")
    }
    try demand(again == message, "a message is read back unchanged")
  }

  /// A message preceded by its length.
  static func framed(_ bytes: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
  }

  private static func read(_ bytes: [UInt8]) -> Message? {
    var reader = MessageReader()
    // Short messages are read byte by byte.
    let piece = bytes.count < 64 ? 1 : bytes.count
    for start in stride(from: 0, to: bytes.count, by: piece) {
      reader.append(Array(bytes[start..<min(start + piece, bytes.count)]))
      if let message = (try? reader.next()) ?? nil { return message }
    }
    return nil
  }
}
