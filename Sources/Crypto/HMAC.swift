package import Bytes
internal import COpenSSL

/// Proves by HMAC-SHA-256, RFC 2104, that its maker knows a secret.
package enum HMAC {
  package static func code(of message: [UInt8], with secret: [UInt8]) -> Digest {
    var code: [32 of UInt8] = .init(repeating: 0)
    var span = code.mutableSpan
    let succeeded = unsafe span.withUnsafeMutableBufferPointer { buffer in
      var count = 0
      let made = unsafe EVP_Q_mac(
        nil, "HMAC", nil, "SHA256", nil, secret, secret.count, message, message.count,
        buffer.baseAddress, buffer.count, &count)
      return unsafe made != nil && count == 32
    }
    // Every build of OpenSSL 3 has it; without it or without memory there is no going on.
    precondition(OpenSSL.isReady && succeeded, "OpenSSL offers HMAC with SHA-256")
    return Digest(code.span)
  }

  /// Whether a code that a stranger shows is the right one; how long it takes does not tell how wrong it is.
  package static func isCode(
    _ shown: Digest, of message: [UInt8], with secret: [UInt8]
  ) -> Bool {
    let right = code(of: message, with: secret).bytes
    return unsafe CRYPTO_memcmp(shown.bytes, right, right.count) == 0
  }
}
