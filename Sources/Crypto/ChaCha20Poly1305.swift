/// Encrypts and authenticates messages with ChaCha20-Poly1305 (RFC 8439, section 2.8).
///
/// Two different messages must not be encrypted with the same key and nonce. Otherwise, anyone who has both results can
/// compute the XOR of the two messages, and can forge messages with that key and nonce.
package enum ChaCha20Poly1305 {
  package static let keyBytes = Cipher.keyBytes
  package static let nonceBytes = 12
  package static let tagBytes = Cipher.tagBytes

  /// Encrypts a message.
  ///
  /// - Parameters:
  ///   - message: The message, which must be shorter than 2 GiB.
  ///   - key: The key, which consists of 32 bytes.
  ///   - nonce: The nonce, which consists of 12 bytes.
  ///   - data: Data that is authenticated together with the message, but is not part of the result.
  /// - Returns: The encrypted message, followed by the tag.
  package static func seal(
    _ message: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) -> [UInt8] {
    let context = CipherContext(.chaCha20Poly1305, .encrypt, key: key, vector: nonce)
    context.authenticate(data)
    let encrypted = context.process(message[...])
    let isDone = context.finish()
    precondition(isDone, "a message can be ended")
    return encrypted + context.tag()
  }

  /// Decrypts a message and checks its tag.
  ///
  /// - Parameters:
  ///   - sealed: The encrypted message, followed by the tag.
  ///   - key: The key, which consists of 32 bytes.
  ///   - nonce: The nonce, which consists of 12 bytes.
  ///   - data: The data that was authenticated together with the message.
  /// - Returns: The message, or nil if the tag is missing or does not match the message, key, nonce and data.
  package static func open(
    _ sealed: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) -> [UInt8]? {
    guard sealed.count >= tagBytes else { return nil }
    let context = CipherContext(.chaCha20Poly1305, .decrypt, key: key, vector: nonce)
    context.expect(sealed.suffix(tagBytes))
    context.authenticate(data)
    let message = context.process(sealed.dropLast(tagBytes))
    return context.finish() ? message : nil
  }
}

/// The ChaCha20 key stream (RFC 8439, section 2.4), which hides a message but does not authenticate it.
package enum ChaCha20 {
  /// Encrypts or decrypts a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - key: The key, which consists of 32 bytes.
  ///   - vector: The block counter (32 bits, little-endian) and the nonce, 16 bytes in all.
  /// - Returns: The message, combined with the key stream.
  package static func process(_ message: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
    CipherContext(.chaCha20, .encrypt, key: key, vector: vector).process(message[...])
  }
}
