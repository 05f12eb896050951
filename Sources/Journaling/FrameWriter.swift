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
    if let head {
      writer.mapHeader(1)
      writer.unsigned(0)
      writer.byteString(head.signature)
    }
    guard writer.bytes.count <= Limit.contentBytes else { return nil }
    var envelope = FrameEnvelope(length: 0, firstSequence: start.sequence + 1, count: count)
    let frame = GzipMember.compress(
      writer.bytes.span, level: level, extraCount: FrameEnvelope.extraCount
    ) { length in
      envelope.length = length
      return envelope.extra()
    }
    return frame.count <= Limit.frameBytes ? frame : nil
  }
}
