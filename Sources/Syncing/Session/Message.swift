package import Bytes

/// One message of the sync protocol.
package enum Message: Hashable, Sendable {
  case hello(Hello)
  /// One frame of a log.
  case frame(log: UniqueID, [UInt8])
  /// All events that the peer lacked have been sent. The frontier contains the places of the replicas that have changed
  /// since the sender last stated them.
  case end(Frontier)
  /// The sender has stored everything that the peer sent before its `end` message with this number, counted from 1. The
  /// frontier contains the places of the replicas that have changed.
  case have(Frontier, ends: UInt64)
  case refusal(Refusal)
  /// The sender was invited.
  case prove(Proof)
  /// The sender is still connected, but has nothing more to send.
  case alive
  /// The sender's user is being asked whether to admit the peer.
  case asking

  /// The encoded message, preceded by its length.
  package var encoded: [UInt8] {
    var writer = CBORWriter()
    // Space for the length, which is filled in at the end.
    writer.raw([0, 0, 0, 0])
    encode(to: &writer)
    var bytes = writer.bytes
    let count = bytes.count - 4
    precondition(count <= Limit.messageBytes, "a message is within its limit")
    bytes.replaceSubrange(0..<4, with: UInt32(count).bigEndianBytes)
    return bytes
  }

  private func encode(to writer: inout CBORWriter) {
    switch self {
    case .hello(let hello): hello.encode(to: &writer)
    case .frame(let log, let frame):
      writer.arrayHeader(3)
      writer.unsigned(MessageKind.frame.rawValue)
      writer.uniqueID(log)
      writer.byteString(frame)
    case .end(let frontier):
      writer.arrayHeader(2)
      writer.unsigned(MessageKind.end.rawValue)
      frontier.encode(to: &writer)
    case .have(let frontier, let ends):
      writer.arrayHeader(3)
      writer.unsigned(MessageKind.have.rawValue)
      frontier.encode(to: &writer)
      writer.unsigned(ends)
    case .refusal(let refusal):
      writer.arrayHeader(3)
      writer.unsigned(MessageKind.refusal.rawValue)
      writer.unsigned(refusal.code)
      writer.text(refusal.text)
    case .prove(let proof): proof.encode(to: &writer)
    case .alive:
      writer.arrayHeader(1)
      writer.unsigned(MessageKind.alive.rawValue)
    case .asking:
      writer.arrayHeader(1)
      writer.unsigned(MessageKind.asking.rawValue)
    }
  }

  /// Decodes a message without its length.
  ///
  /// No bytes may follow the message.
  static func decode(_ bytes: Span<UInt8>) throws(MessageFault) -> Message {
    var reader = CBORReader(bytes)
    let (count, kind) = try reading { () throws(CBORError) in
      (try reader.arrayHeader(), try reader.unsigned())
    }
    let message = try decode(kind, &reader, bytes, count: count)
    try reading { () throws(CBORError) in try reader.finish() }
    return message
  }

  private static func decode(
    _ kind: UInt64, _ reader: inout CBORReader, _ bytes: Span<UInt8>, count: Int
  ) throws(MessageFault) -> Message {
    switch MessageKind(rawValue: kind) {
    case .hello?: return .hello(try Hello.decode(&reader, count: count))
    case .frame?:
      guard count == 3 else { throw .shape }
      let log = try reading { () throws(CBORError) in try reader.uniqueID() }
      let range = try reading { () throws(CBORError) in try reader.byteStringRange() }
      guard range.count <= Limit.frameBytes else { throw .limit }
      return .frame(log: log, bytes.copy(range))
    case .end?:
      guard count == 2 else { throw .shape }
      return .end(try Frontier.decode(&reader))
    case .have?:
      guard count == 3 else { throw .shape }
      let frontier = try Frontier.decode(&reader)
      let ends = try reading { () throws(CBORError) in try reader.unsigned() }
      return .have(frontier, ends: ends)
    case .refusal?:
      guard count == 3 else { throw .shape }
      let (code, text) = try reading { () throws(CBORError) in
        (try reader.unsigned(), try reader.text())
      }
      guard text.utf8.count <= Limit.refusalTextBytes else { throw .limit }
      return .refusal(Refusal(code: code, text: text))
    case .prove?: return .prove(try Proof.decode(&reader, count: count))
    case .alive?:
      guard count == 1 else { throw .shape }
      return .alive
    case .asking?:
      guard count == 1 else { throw .shape }
      return .asking
    case nil: throw .kind(kind)
    }
  }
}
