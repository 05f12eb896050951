internal import COpenSSL

/// The reason why a key or signature could not be created or read.
package enum CryptoError: Error, Hashable, Sendable {
  /// The length of a key is not 32 bytes.
  case keyLength(Int)
  /// The public key is not in canonical form: a smaller number encodes the same key.
  case keyEncoding
  /// The public key is a point of order 8 or less. With such a key, anyone can sign any message, and every shared
  /// secret is known.
  case keyOfSmallOrder
  /// The text does not consist of two `PRIVATE KEY` blocks, first Ed25519, then X25519.
  case unreadablePEM
  /// OpenSSL failed; `openssl errstr` describes its error code.
  case library(code: UInt)
}

/// OpenSSL's initialization and errors in this process.
enum OpenSSL {
  /// Whether OpenSSL has been initialized.
  ///
  /// The machine's `openssl.cnf` is not read. As a result, the machine's settings cannot affect digests and signatures,
  /// and the first digest of a process is about 0.3 ms faster.
  static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1

  /// Throws an error if a call has failed.
  static func check(_ succeeded: Bool) throws(CryptoError) {
    guard succeeded else { throw drainErrors() }
  }

  /// Empties the thread's error queue, so that later calls do not report these errors.
  ///
  /// - Returns: The oldest error, which is closest to the cause.
  @discardableResult
  static func drainErrors() -> CryptoError {
    let code = ERR_get_error()
    ERR_clear_error()
    return .library(code: code)
  }
}
