internal import COpenSSL

/// Says why a key or a signature could not be had.
package enum CryptoError: Error, Hashable, Sendable {
  /// A key has 32 bytes; these were so many.
  case keyLength(Int)
  /// The public key spells a number that has a shorter spelling.
  case keyEncoding
  /// The public key is one of the points of order 8 or less, under which anything is signed and nothing is secret.
  case keyOfSmallOrder
  /// The text is not two `PRIVATE KEY` blocks, Ed25519 before X25519.
  case unreadablePEM
  /// OpenSSL failed, with its own number; `openssl errstr` tells its words.
  case library(code: UInt)
}

/// OpenSSL as this process uses it.
enum OpenSSL {
  /// Whether the library is set up.
  ///
  /// The machine's `openssl.cnf` is left unread: what a digest or a signature is depends on our
  /// formats alone, and the first digest of a process comes some 0.3 ms sooner.
  static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1

  /// Turns a failed call into an error: the only place where one becomes the other.
  static func check(_ succeeded: Bool) throws(CryptoError) {
    guard succeeded else { throw drainErrors() }
  }

  /// Empties the thread's error queue, so that no later call is blamed for this one.
  ///
  /// - Returns: The oldest error, which is the one nearest to the cause.
  @discardableResult
  static func drainErrors() -> CryptoError {
    let code = ERR_get_error()
    ERR_clear_error()
    return .library(code: code)
  }
}
