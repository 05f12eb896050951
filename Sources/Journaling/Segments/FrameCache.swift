import Bytes

/// The decoded forms of recently received frames, keyed by the bytes of the frames.
///
/// A frame is decoded when it is checked. When its events are folded, only its bytes are compared with those in the
/// cache.
package struct FrameCache: Sendable {
  private struct Name: Hashable {
    let envelope: FrameEnvelope
    /// The checksum and the length of the content, which are at the end of the frame.
    let trailer: UInt64
  }

  private var frames: [Name: (bytes: [UInt8], frame: Frame)] = [:]
  private var contentBytes = 0

  /// The limit for the total size of the contents, in bytes.
  ///
  /// In addition, the decoded frames take about three times as much memory.
  private static let contentLimit = 6 << 20

  package init() {}

  /// Whether the cache is below its limit.
  var hasRoom: Bool { contentBytes < Self.contentLimit }

  mutating func keep(_ frame: Frame, of bytes: [UInt8]) {
    guard hasRoom, let name = Self.name(of: bytes, at: 0) else { return }
    guard frames.updateValue((bytes, frame), forKey: name) == nil else { return }
    contentBytes += frame.content.count
  }

  /// The frame at the given offset, if it is in the cache.
  func frame(in bytes: [UInt8], at offset: Int) -> Frame? {
    guard !frames.isEmpty, let name = Self.name(of: bytes, at: offset), let known = frames[name]
    else { return nil }
    let own = bytes.span.extracting(offset..<offset + name.envelope.length)
    return own.isEqual(to: known.bytes.span) ? known.frame : nil
  }

  private static func name(of bytes: [UInt8], at offset: Int) -> Name? {
    // Bytes without an envelope are not a frame, and are rejected elsewhere.
    guard let envelope = try? FrameEnvelope(bytes.span, at: offset),
      envelope.length <= bytes.count - offset
    else { return nil }
    let trailer = bytes[..<(offset + envelope.length)].suffix(8)
    return Name(envelope: envelope, trailer: trailer.reduce(0) { $0 << 8 | UInt64($1) })
  }
}
