import Bytes
import Gzip

extension FrameDraft {
  /// The size limit of the frame, in bytes.
  var byteLimit: Int { secrets.blocks.frameLimit }

  /// Whether the frame has space for more events of the given size.
  func hasRoom(forEvents more: Int, bytes size: Int) -> Bool {
    count + more <= Limit.frameEvents && bytes.count + size <= Limit.contentTarget
  }

  /// The bytes of the frame, or nil if it would exceed the size limit.
  func encoded(level: PackingLevel, withTable: Bool) -> [UInt8]? {
    precondition(!isEmpty, "a frame has at least one event")
    var writer = CBORWriter()
    FrameInformation(after: start, blocks: secrets.blocks, withTable: withTable)
      .encode(to: &writer)
    writer.raw(bytes)
    if let head { writer.raw(head.encoded) }
    let envelope = FrameEnvelope(
      length: 0, firstSequence: start.sequence + 1, count: count, replica: start.replica)
    return envelope.packing(writer.bytes, level: level, limit: byteLimit)
  }

  /// The bytes of the frame in the given log, checked by decoding them.
  func packed(
    for log: UniqueID, level: PackingLevel, withTable: Bool
  ) throws(JournalError) -> [UInt8] {
    let frame = try packedUnread(level: level, withTable: withTable)
    try check(frame, in: log)
    return frame
  }

  /// The bytes of the frame, unchecked.
  func packedUnread(level: PackingLevel, withTable: Bool) throws(JournalError) -> [UInt8] {
    guard let frame = encoded(level: level, withTable: withTable) else {
      throw .commandTooLarge(eventCount: count, byteCount: bytes.count)
    }
    return frame
  }

  /// Makes sure that the bytes of the frame decode to the draft.
  func check(_ packed: [UInt8], in log: UniqueID) throws(JournalError) {
    var chain = Chain()
    do throws(FrameError) {
      let frame = try Frame.decode(packed.span, at: 0, &chain)
      precondition(
        frame.events.last?.hash == end.hash && frame.length == packed.count,
        "a written frame decodes to the same content")
    } catch {
      throw .unwritable(log, error)
    }
  }
}

extension FrameEnvelope {
  /// Packs content into a frame; nil if the frame would exceed the limit.
  func packing(_ content: [UInt8], level: PackingLevel, limit: Int) -> [UInt8]? {
    guard content.count <= Limit.contentBytes else { return nil }
    var envelope = self
    let level = content.count < Self.worthDeflating ? 0 : level.rawValue
    let count = Self.extraCount
    let frame = GzipMember.compress(content.span, level: level, extraCount: count) { length in
      envelope.length = length
      return envelope.extra()
    }
    return frame.count <= limit ? frame : nil
  }

  /// Content below this size, in bytes, is stored uncompressed, because it consists mostly of hashes and seeds.
  private static var worthDeflating: Int { 128 }
}

extension [BlockSecrets] {
  /// The size limit of a frame with these secrets, in bytes.
  var frameLimit: Int {
    let givesSalts = contains { if case .salts = $0 { true } else { false } }
    return givesSalts ? Limit.saltedFrameBytes : Limit.frameBytes
  }
}
