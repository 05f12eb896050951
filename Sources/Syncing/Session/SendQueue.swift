import Bytes

/// The data to send: messages, and frames that the peer lacks.
///
/// A frame is created only when it can be sent.
struct SendQueue {
  private var export: Export
  private var outbox = Outbox()
  /// Whether there are frames to send.
  private var isStreaming = false

  init(_ holder: any Holder) { export = Export(holder) }

  /// The number of sent events, by replica.
  var sent: [UniqueID: UInt64] { export.sent }

  /// Whether there is nothing to send.
  var isEmpty: Bool { !isStreaming && outbox.isEmpty }

  /// The number of bytes waiting to be sent.
  var byteCount: Int { outbox.count }

  mutating func append(_ message: [UInt8]) { outbox.append(message) }

  /// Begins to send the frames that a peer lacks.
  mutating func stream(to other: Frontier) {
    export.begin(for: other)
    isStreaming = true
  }

  /// Begins to send the frames that a peer lacks, if there are any.
  ///
  /// - Returns: Whether there are such frames.
  mutating func streamNews(to other: Frontier) throws(SyncError) -> Bool {
    export.begin(for: other)
    guard let parcel = try export.next() else { return false }
    append(parcel)
    isStreaming = true
    return true
  }

  /// Creates frames until the given number of bytes are waiting.
  ///
  /// - Returns: The places that the peer will have once it has stored everything, if all frames have been created. The
  ///   result is nil if there are more frames, or if no frames had to be sent.
  mutating func fill(upTo count: Int) throws(SyncError) -> Frontier? {
    while isStreaming, outbox.count < count {
      guard let parcel = try export.next() else {
        isStreaming = false
        return export.delivered
      }
      append(parcel)
    }
    return nil
  }

  /// Removes and returns waiting bytes.
  mutating func take(upTo count: Int) -> [UInt8] { outbox.take(upTo: count) }

  /// Stops creating frames.
  ///
  /// Waiting bytes are still sent.
  mutating func stopStreaming() { isStreaming = false }

  /// Stops creating frames, and discards waiting bytes.
  mutating func discard() { (outbox, isStreaming) = (Outbox(), false) }

  private mutating func append(_ parcel: Export.Parcel) {
    outbox.append(Session.message(parcel.frame, of: parcel.log))
  }
}
