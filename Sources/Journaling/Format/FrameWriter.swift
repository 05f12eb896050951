import Bytes
import Gzip

/// How tightly frames are packed, as zlib counts it.
enum PackingLevel: Int {
  case quick = 6
  /// For many events at once, which somebody waits for.
  case bulk = 7
  case sealed = 9
}

extension FrameDraft {
  /// How large the frame may be.
  var byteLimit: Int { secrets.blocks.frameLimit }

  /// Whether so many more events and bytes of them may be joined to it.
  func hasRoom(forEvents more: Int, bytes size: Int) -> Bool {
    count + more <= Limit.frameEvents && bytes.count + size <= Limit.contentTarget
  }

  /// The frame.
  ///
  /// - Returns: nil when it would be larger than frames may be.
  func encoded(level: Int, withTable: Bool) -> [UInt8]? {
    precondition(!isEmpty, "a frame holds an event at least")
    var writer = CBORWriter()
    FrameInformation(after: start, blocks: secrets.blocks, withTable: withTable)
      .encode(to: &writer)
    writer.raw(bytes)
    if let head { writer.raw(head.encoded) }
    let envelope = FrameEnvelope(
      length: 0, firstSequence: start.sequence + 1, count: count, replica: start.replica)
    return envelope.packing(writer.bytes, level: level, limit: byteLimit)
  }

  /// The bytes of its frame in a log, read once more as any reader will.
  func packed(
    for log: UniqueID, level: PackingLevel, withTable: Bool
  ) throws(JournalError) -> [UInt8] {
    let frame = try packedUnread(level: level, withTable: withTable)
    try check(frame, in: log)
    return frame
  }

  /// The bytes of its frame, which nobody has read yet.
  func packedUnread(level: PackingLevel, withTable: Bool) throws(JournalError) -> [UInt8] {
    guard let frame = encoded(level: level.rawValue, withTable: withTable) else {
      throw .commandTooLarge(eventCount: count, byteCount: bytes.count)
    }
    return frame
  }

  /// Makes sure that its frame in a log reads as it was drafted.
  func check(_ packed: [UInt8], in log: UniqueID) throws(JournalError) {
    var chain = Chain()
    do throws(FrameError) {
      let frame = try Frame.decode(packed.span, at: 0, &chain)
      precondition(
        frame.events.last?.hash == end.hash && frame.length == packed.count,
        "a frame reads as it was written")
    } catch {
      throw .unwritable(log, error)
    }
  }
}

extension FrameEnvelope {
  /// The frame with a content; how long it is follows from that.
  ///
  /// - Returns: nil when the frame would be larger than frames may be.
  func packing(_ content: [UInt8], level: Int, limit: Int) -> [UInt8]? {
    guard content.count <= Limit.contentBytes else { return nil }
    var envelope = self
    let level = content.count < Self.worthDeflating ? 0 : level
    let count = Self.extraCount
    let frame = GzipMember.compress(content.span, level: level, extraCount: count) { length in
      envelope.length = length
      return envelope.extra()
    }
    return frame.count <= limit ? frame : nil
  }

  /// A content that is shorter is mostly hash and seed, and would not become smaller.
  private static var worthDeflating: Int { 128 }
}

extension [BlockSecrets] {
  /// How large a frame that tells these may be.
  var frameLimit: Int {
    let givesSalts = contains { if case .salts = $0 { true } else { false } }
    return givesSalts ? Limit.saltedFrameBytes : Limit.frameBytes
  }
}
