internal import COpenSSL

/// The two kinds of keys, whose private and public keys each have 32 bytes.
enum KeyKind {
  /// The key is used for signatures, as in RFC 8032.
  case ed25519
  /// The key is used for key agreement, as in RFC 7748.
  case x25519

  static let byteCount = 32

  fileprivate var name: String {
    switch self {
    case .ed25519: "ED25519"
    case .x25519: "X25519"
    }
  }
}

/// Owns one OpenSSL key.
@safe struct KeyHandle: ~Copyable {
  private let raw: OpaquePointer

  /// Creates the private key from a seed.
  init(_ kind: KeyKind, seed: [UInt8]) throws(CryptoError) {
    try unsafe self.init(kind, seed, EVP_PKEY_new_raw_private_key_ex)
  }

  init(_ kind: KeyKind, publicKey: [UInt8]) throws(CryptoError) {
    try unsafe self.init(kind, publicKey, EVP_PKEY_new_raw_public_key_ex)
  }

  private init(
    _ kind: KeyKind, _ bytes: [UInt8],
    _ make: (
      OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<UInt8>?, Int
    ) -> OpaquePointer?
  ) throws(CryptoError) {
    guard bytes.count == KeyKind.byteCount else { throw .keyLength(bytes.count) }
    let made = OpenSSL.isReady ? unsafe make(nil, kind.name, nil, bytes, bytes.count) : nil
    guard let made = unsafe made else { throw OpenSSL.drainErrors() }
    unsafe raw = made
  }

  deinit {
    unsafe EVP_PKEY_free(raw)
  }

  /// Calls the body with the key.
  ///
  /// The body must not keep the key without retaining it.
  func lend<Value>(_ body: (OpaquePointer) -> Value) -> Value { unsafe body(raw) }

  func publicKey() throws(CryptoError) -> [UInt8] {
    var count = KeyKind.byteCount
    var bytes = [UInt8](repeating: 0, count: count)
    try OpenSSL.check(unsafe EVP_PKEY_get_raw_public_key(raw, &bytes, &count) == 1)
    return bytes
  }

  func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    // Ed25519 hashes the message itself, so no digest is specified.
    try OpenSSL.check(unsafe EVP_DigestSignInit(context, nil, nil, nil, raw) == 1)
    var count = PublicKey.signatureByteCount
    var signature = [UInt8](repeating: 0, count: count)
    try OpenSSL.check(
      unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
    return signature
  }

  func verifies(_ signature: [UInt8], of message: [UInt8]) throws(CryptoError) -> Bool {
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    try OpenSSL.check(unsafe EVP_DigestVerifyInit(context, nil, nil, nil, raw) == 1)
    return unsafe EVP_DigestVerify(
      context, signature, signature.count, message, message.count) == 1
  }

  /// Returns the secret that both sides of an X25519 exchange compute (RFC 7748, section 6.1).
  func sharedSecret(with other: borrowing KeyHandle) throws(CryptoError) -> [UInt8] {
    let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, raw, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    try OpenSSL.check(unsafe EVP_PKEY_derive_init(context) == 1)
    let isSet = unsafe other.lend { unsafe EVP_PKEY_derive_set_peer(context, $0) == 1 }
    try OpenSSL.check(isSet)
    var count = KeyKind.byteCount
    var secret = [UInt8](repeating: 0, count: count)
    try OpenSSL.check(unsafe EVP_PKEY_derive(context, &secret, &count) == 1)
    return secret
  }
}
