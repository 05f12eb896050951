package import Bytes
package import Gzip

/// Why bytes are not a whole valid frame.
package enum FrameError: Error, Hashable, Sendable {
  case gzip(GzipError)
  /// The gzip header is a member's, but not a frame's.
  case envelope
  /// The frame is of another version; one above what is known is nothing that may be cut off.
  case version(UInt8)
  /// The member says that it has another length than it has.
  case length
  /// The content is not the CBOR it should be; the offset is one of the content.
  case content(CBORError)
  /// The information in front lacks something or says what goes without saying.
  case information
  case header(sequence: UInt64)
  case body(sequence: UInt64)
  /// The frame ends within a command, or a command is too large.
  case command(sequence: UInt64)
  /// Seeds or salts do not belong to the events.
  case secrets(block: UInt64)
  /// Something else than a head follows the events.
  case trailing
  /// The frame is whole, and of another replica's log.
  case foreign
  /// The frame is of the log, and other frames or the name of its file say that it does not belong where it lies.
  case misplaced
}
