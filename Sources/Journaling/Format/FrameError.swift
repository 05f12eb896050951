package import Bytes
package import Gzip

/// The reason why bytes are not a valid frame, or why a frame does not belong in its file.
package enum FrameError: Error, Hashable, Sendable {
  case gzip(GzipError)
  /// The gzip header is valid, but is not the header of a frame.
  case envelope
  /// The frame has a different format version. A frame of a newer version must not be cut off.
  case version(UInt8)
  /// The stated length of the frame differs from its real length.
  case length
  /// The content is not the expected CBOR; the offset refers to the content.
  case content(CBORError)
  /// The map before the events lacks a required value, or contains an invalid value or an explicit default.
  case information
  case header(sequence: UInt64)
  case body(sequence: UInt64)
  /// The frame ends within a command, or a command is invalid or too large.
  case command(sequence: UInt64)
  /// The seeds or salts do not match the events.
  case secrets(block: UInt64)
  /// The events are followed by something other than a head.
  case trailing
  /// The frame is valid, but belongs to the log of another replica.
  case foreign
  /// The frame belongs to the log, but other frames or the name of its file show that it is out of place.
  case misplaced
}
