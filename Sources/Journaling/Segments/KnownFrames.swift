import Bytes

/// Frames that came a moment ago, by their bytes.
///
/// What a frame holds follows from its bytes alone. So what was found in it when it was checked need not be worked out
/// again when its events are folded; only that these are the same bytes has to be seen.
package struct KnownFrames: Sendable {
  private struct Name: Hashable {
    let envelope: FrameEnvelope
    /// The checksum and the length of the content, with which a frame ends.
    let trailer: UInt64
  }

  private var frames: [Name: (bytes: [UInt8], frame: Frame)] = [:]
  private var contentBytes = 0

  /// As much as they may hold, unpacked: what was found in them takes three times as much again.
  private static let contentLimit = 6 << 20

  package init() {}

  /// Whether what a frame may hold still has room.
  var hasRoom: Bool { contentBytes < Self.contentLimit }

  mutating func keep(_ frame: Frame, of bytes: [UInt8]) {
    guard hasRoom, let name = Self.name(of: bytes, at: 0) else { return }
    guard frames.updateValue((bytes, frame), forKey: name) == nil else { return }
    contentBytes += frame.content.count
  }

  /// The frame that begins at an offset, where it is known.
  func frame(in bytes: [UInt8], at offset: Int) -> Frame? {
    guard !frames.isEmpty, let name = Self.name(of: bytes, at: offset), let known = frames[name]
    else { return nil }
    let own = bytes.span.extracting(offset..<offset + name.envelope.length)
    return own.isEqual(to: known.bytes.span) ? known.frame : nil
  }

  private static func name(of bytes: [UInt8], at offset: Int) -> Name? {
    // What has no envelope is nobody's frame, and refused elsewhere.
    guard let envelope = try? FrameEnvelope(bytes.span, at: offset),
      envelope.length <= bytes.count - offset
    else { return nil }
    let trailer = bytes[..<(offset + envelope.length)].suffix(8)
    return Name(envelope: envelope, trailer: trailer.reduce(0) { $0 << 8 | UInt64($1) })
  }
}
