internal import CZlib

/// The reason why bytes are not a valid gzip member.
///
/// `at` is the offset at which the member begins.
package enum GzipError: Error, Hashable, Sendable {
  /// The bytes end in the middle of the member.
  case truncated(at: Int)
  /// The constant bytes of the header are wrong.
  case notAMember(at: Int)
  /// The header, including its extra field, does not match its checksum.
  case headerChecksum(at: Int)
  /// The content does not match its checksum.
  case contentChecksum(at: Int)
  /// The length of the content differs from the stated length.
  case contentLength(at: Int)
  /// The content is longer than the caller allows.
  case tooLarge(limit: Int)
  /// The content is more than ``GzipMember/ratioLimit`` times as long as its compressed form.
  case bomb(at: Int)
  /// The compressed data is invalid; the code is zlib's error code.
  case deflate(code: Int32, at: Int)
}

/// The result of one call to zlib.
enum Progress {
  case going
  case ended
  /// zlib needs more input, or more space for its output.
  case starved
}

/// Converts a result code of zlib to progress or an error.
func progress(_ code: Int32, at offset: Int) throws(GzipError) -> Progress {
  switch code {
  case Z_OK: .going
  case Z_STREAM_END: .ended
  case Z_BUF_ERROR: .starved
  default: throw .deflate(code: code, at: offset)
  }
}
