internal import CZlib

/// Why bytes were refused as a gzip member.
///
/// `at` is the offset where the member begins.
package enum GzipError: Error, Hashable, Sendable {
  /// The bytes end inside the member.
  case truncated(at: Int)
  /// The constant bytes of the header are others.
  case notAMember(at: Int)
  /// The header, the extra field included, is not what its checksum was made of.
  case headerChecksum(at: Int)
  /// The content is not what its checksum was made of.
  case contentChecksum(at: Int)
  /// The content has another length than the member says.
  case contentLength(at: Int)
  /// The content is longer than the caller allows.
  case tooLarge(limit: Int)
  /// The content is more than ``GzipMember/ratioLimit`` times as long as what it is made of.
  case bomb(at: Int)
  /// What zlib says of compressed data that cannot be.
  case deflate(code: Int32, at: Int)
}

/// How far one call of zlib has come.
enum Progress {
  case going
  case ended
  /// Nothing can happen without more input or more room.
  case starved
}

/// Turns what zlib returns into progress or an error; nobody else looks at its codes.
func progress(_ code: Int32, at offset: Int) throws(GzipError) -> Progress {
  switch code {
  case Z_OK: .going
  case Z_STREAM_END: .ended
  case Z_BUF_ERROR: .starved
  default: throw .deflate(code: code, at: offset)
  }
}
