internal import COpenSSL

/// Why a key or signature could not be created or read.
package enum CryptoError: Error, Hashable, Sendable {
  /// A key must have 32 bytes; this one has another length.
  case keyLength(Int)
  /// The public key encodes a number that also has a smaller encoding.
  case keyEncoding
  /// The public key is a point of order 8 or less, with which any message has a valid signature and nothing is
  /// secret.
  case keyOfSmallOrder
  /// The text is not two `PRIVATE KEY` blocks, Ed25519 before X25519.
  case unreadablePEM
  /// OpenSSL failed; `openssl errstr` describes its error code.
  case library(code: UInt)
}

/// The use of OpenSSL in this process.
enum OpenSSL {
  /// Whether the library is initialised.
  ///
  /// The machine's `openssl.cnf` is not read: digests and signatures depend only on our formats, and the first digest
  /// of a process is some 0.3 ms faster.
  static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1

  /// Throws an error for a failed call; this is the only place that converts one.
  static func check(_ succeeded: Bool) throws(CryptoError) {
    guard succeeded else { throw drainErrors() }
  }

  /// Empties the error queue of the thread, so that later calls do not report these errors.
  ///
  /// - Returns: The oldest error, which is closest to the cause.
  @discardableResult
  static func drainErrors() -> CryptoError {
    let code = ERR_get_error()
    ERR_clear_error()
    return .library(code: code)
  }
}
