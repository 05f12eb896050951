import Bytes
import Gzip

extension FrameDraft {
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
    return FrameEnvelope.pack(
      writer.bytes, firstSequence: start.sequence + 1, count: count, level: level)
  }
}

extension FrameEnvelope {
  /// Packs a frame's content.
  ///
  /// - Returns: nil when the frame would be larger than frames may be.
  static func pack(
    _ content: [UInt8], firstSequence: UInt64, count: Int, level: Int
  ) -> [UInt8]? {
    guard content.count <= Limit.contentBytes else { return nil }
    var envelope = FrameEnvelope(length: 0, firstSequence: firstSequence, count: count)
    let frame = GzipMember.compress(content.span, level: level, extraCount: extraCount) { length in
      envelope.length = length
      return envelope.extra()
    }
    return frame.count <= Limit.frameBytes ? frame : nil
  }
}
