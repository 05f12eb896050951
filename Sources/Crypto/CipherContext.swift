internal import COpenSSL

/// The ciphers of RFC 8439.
enum Cipher {
  /// ChaCha20 without authentication, with a block counter and a nonce in 16 bytes.
  case chaCha20
  case chaCha20Poly1305

  static let keyBytes = 32
  static let tagBytes = 16

  fileprivate var raw: OpaquePointer? {
    switch self {
    case .chaCha20: unsafe EVP_chacha20()
    case .chaCha20Poly1305: unsafe EVP_chacha20_poly1305()
    }
  }

  /// The length in bytes of the value that must differ between messages with the same key.
  fileprivate var vectorBytes: Int {
    switch self {
    case .chaCha20: 16
    case .chaCha20Poly1305: 12
    }
  }
}

/// Owns OpenSSL's state for one encryption or decryption.
///
/// Every build of OpenSSL 3 contains these ciphers. If a call fails, for example for lack of memory, the program cannot
/// continue. Only ``finish()`` reports a failure, which is a wrong tag.
@safe struct CipherContext: ~Copyable {
  enum Direction: Int32 { case decrypt = 0, encrypt = 1 }

  private let raw: OpaquePointer

  init(_ cipher: Cipher, _ direction: Direction, key: [UInt8], vector: [UInt8]) {
    precondition(key.count == Cipher.keyBytes, "a key has 32 bytes")
    precondition(vector.count == cipher.vectorBytes, "the vector fits the cipher")
    let made = OpenSSL.isReady ? unsafe EVP_CIPHER_CTX_new() : nil
    guard let made = unsafe made else { preconditionFailure("OpenSSL has memory") }
    unsafe raw = made
    let begun = unsafe EVP_CipherInit_ex(made, cipher.raw, nil, key, vector, direction.rawValue)
    precondition(begun == 1, "OpenSSL offers ChaCha20")
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(raw)
  }

  /// Adds bytes that are authenticated but not encrypted.
  func authenticate(_ bytes: [UInt8]) {
    var count: Int32 = 0
    let succeeded = unsafe EVP_CipherUpdate(raw, nil, &count, bytes, Int32(bytes.count))
    precondition(succeeded == 1, "a cipher takes any bytes")
  }

  /// Encrypts or decrypts bytes; the result has the same length.
  func process(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { output, written in
      var count: Int32 = 0
      let succeeded = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe EVP_CipherUpdate(
          raw, output.baseAddress, &count, input.baseAddress, Int32(input.count))
      }
      precondition(succeeded == 1 && Int(count) == bytes.count, "a stream cipher keeps the length")
      written = bytes.count
    }
  }

  /// Ends the message.
  ///
  /// - Returns: Whether the tag is right; always true for encryption.
  func finish() -> Bool {
    var count: Int32 = 0
    // A stream cipher writes nothing here, but OpenSSL requires an address.
    var rest = [UInt8](repeating: 0, count: 16)
    defer { OpenSSL.drainErrors() }
    return unsafe EVP_CipherFinal_ex(raw, &rest, &count) == 1
  }

  /// Returns the tag of the encrypted message, which is available after ``finish()``.
  func tag() -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: Cipher.tagBytes)
    let succeeded = unsafe EVP_CIPHER_CTX_ctrl(
      raw, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag)
    precondition(succeeded == 1, "an encrypted message has a tag")
    return tag
  }

  /// Sets the tag that the message to decrypt must have.
  func expect(_ tag: ArraySlice<UInt8>) {
    var tag = Array(tag)
    let succeeded = unsafe EVP_CIPHER_CTX_ctrl(
      raw, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag)
    precondition(succeeded == 1, "a tag has 16 bytes")
  }
}
