import Bytes

/// What is to be sent: messages, and frames that the peer lacks.
///
/// Frames are made only when there is room for them.
struct SendQueue {
  private var export: Export
  private var outbox = Outbox()
  /// Whether there are frames to send.
  private var isStreaming = false

  init(_ holder: any Holder) { export = Export(holder) }

  /// The number of events of each replica that were sent.
  var sent: [UniqueID: UInt64] { export.sent }

  /// Whether there is nothing to send.
  var isEmpty: Bool { !isStreaming && outbox.isEmpty }

  /// The number of bytes that wait.
  var byteCount: Int { outbox.count }

  mutating func append(_ message: [UInt8]) { outbox.append(message) }

  /// Starts to send the frames that a peer lacks.
  mutating func stream(to other: Frontier) {
    export.begin(for: other)
    isStreaming = true
  }

  /// Starts to send the frames that a peer lacks, if there are any.
  ///
  /// - Returns: Whether there are.
  mutating func streamNews(to other: Frontier) throws(SyncError) -> Bool {
    export.begin(for: other)
    guard let parcel = try export.next() else { return false }
    append(parcel)
    isStreaming = true
    return true
  }

  /// Makes frames until a number of bytes wait.
  ///
  /// - Returns: What the peer will hold once it has stored everything, if all frames were made; nil if there are more,
  ///   or none were to be made.
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

  /// Takes bytes that wait.
  mutating func take(upTo count: Int) -> [UInt8] { outbox.take(upTo: count) }

  /// Makes no more frames.
  ///
  /// What waits is still sent.
  mutating func stopStreaming() { isStreaming = false }

  /// Makes no more frames, and drops what waits.
  mutating func discard() { (outbox, isStreaming) = (Outbox(), false) }

  private mutating func append(_ parcel: Export.Parcel) {
    outbox.append(Session.message(parcel.frame, of: parcel.log))
  }
}
