package import Bytes
internal import COpenSSL

/// Computes HMAC-SHA-256 (RFC 2104), which proves that the author of a message knows a secret.
package enum HMAC {
  package static func code(of message: [UInt8], with secret: [UInt8]) -> Digest {
    // OpenSSL is initialized first, so that the machine's configuration is not read.
    precondition(OpenSSL.isReady, "OpenSSL can be initialised")
    var code: [32 of UInt8] = .init(repeating: 0)
    var span = code.mutableSpan
    let succeeded = unsafe span.withUnsafeMutableBufferPointer { buffer in
      var count = 0
      let made = unsafe EVP_Q_mac(
        nil, "HMAC", nil, "SHA256", nil, secret, secret.count, message, message.count,
        buffer.baseAddress, buffer.count, &count)
      return unsafe made != nil && count == 32
    }
    // Every build of OpenSSL 3 contains this algorithm. If it fails, for example for lack of memory, the program cannot
    // continue.
    precondition(succeeded, "OpenSSL offers HMAC with SHA-256")
    return Digest(code.span)
  }

  /// Returns whether a code is correct, in constant time.
  package static func isCode(
    _ shown: Digest, of message: [UInt8], with secret: [UInt8]
  ) -> Bool {
    isTruncatedCode(shown.bytes, of: message, with: secret)
  }

  /// Returns whether bytes are the beginning of the correct code, in constant time.
  ///
  /// - Parameters:
  ///   - shown: The bytes, which are at least half of a code, as RFC 2104, section 5, recommends.
  ///   - message: The message.
  ///   - secret: The secret.
  /// - Returns: Whether the code of the message begins with the bytes.
  package static func isTruncatedCode(
    _ shown: [UInt8], of message: [UInt8], with secret: [UInt8]
  ) -> Bool {
    precondition((16...32).contains(shown.count), "a shorter code could be guessed")
    let right = code(of: message, with: secret).bytes
    return unsafe CRYPTO_memcmp(shown, right, shown.count) == 0
  }
}
