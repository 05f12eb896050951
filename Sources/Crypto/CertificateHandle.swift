internal import COpenSSL

/// Owns one X.509 certificate, which contains a key.
@safe struct CertificateHandle: ~Copyable {
  private let raw: OpaquePointer

  private init(owning certificate: OpaquePointer) { unsafe raw = certificate }

  /// Creates the certificate that presents the given key.
  ///
  /// Peers check only the key. Everything else in the certificate is constant or computed from the key, so a key always
  /// has the same certificate, regardless of the clock.
  static func make(of key: borrowing KeyHandle) throws(CryptoError) -> CertificateHandle {
    guard let made = unsafe X509_new() else { throw OpenSSL.drainErrors() }
    let certificate = unsafe CertificateHandle(owning: made)
    try OpenSSL.check(certificate.fillIn(key))
    return certificate
  }

  /// Parses the DER encoding of a certificate.
  static func read(_ der: [UInt8]) throws(CryptoError) -> CertificateHandle {
    let made = unsafe der.withUnsafeBufferPointer { buffer in
      var place = buffer.baseAddress
      return unsafe d2i_X509(nil, &place, buffer.count)
    }
    guard let made = unsafe made else { throw OpenSSL.drainErrors() }
    return unsafe CertificateHandle(owning: made)
  }

  deinit {
    unsafe X509_free(raw)
  }

  /// The version of the certificate; X.509 numbers versions from 0.
  private static let version3 = 2
  /// The value of `MBSTRING_UTF8`, a macro that is composed of other macros.
  private static let utf8Type: Int32 = 0x1000

  private func fillIn(_ key: borrowing KeyHandle) -> Bool {
    let name = unsafe X509_get_subject_name(raw)
    let words = Array("daybook".utf8)
    guard unsafe X509_set_version(raw, Self.version3) == 1,
      unsafe ASN1_INTEGER_set(X509_get_serialNumber(raw), 1) == 1,
      unsafe Self.set(X509_getm_notBefore(raw), to: "19700101000000Z"),
      // RFC 5280 defines this time for a certificate that does not expire.
      unsafe Self.set(X509_getm_notAfter(raw), to: "99991231235959Z"),
      unsafe X509_NAME_add_entry_by_txt(
        name, "CN", Self.utf8Type, words, Int32(words.count), -1, 0) == 1,
      unsafe X509_set_issuer_name(raw, name) == 1
    else { return false }
    // Ed25519 hashes the data itself, so no digest is specified.
    return unsafe key.lend { unsafe X509_set_pubkey(raw, $0) == 1 && X509_sign(raw, $0, nil) > 0 }
  }

  private static func set(_ time: UnsafeMutablePointer<ASN1_TIME>?, to text: String) -> Bool {
    unsafe ASN1_TIME_set_string_X509(time, text) == 1
  }

  func der() throws(CryptoError) -> [UInt8] {
    let count = unsafe i2d_X509(raw, nil)
    try OpenSSL.check(count > 0)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      var place = buffer.baseAddress
      return unsafe i2d_X509(raw, &place)
    }
    try OpenSSL.check(written == count)
    return bytes
  }

  func publicKey() throws(TLSError) -> PublicKey { try unsafe Self.publicKey(of: raw) }

  /// Calls the body with the certificate.
  ///
  /// The body must not keep the certificate without retaining it.
  func lend<Value>(_ body: (OpaquePointer) -> Value) -> Value { unsafe body(raw) }

  /// Returns the key in a certificate.
  ///
  /// - Parameter certificate: The certificate.
  /// - Returns: The key.
  /// - Throws: ``TLSError/otherKeyKind`` if the certificate has no valid Ed25519 key of 32 bytes.
  static func publicKey(of certificate: OpaquePointer?) throws(TLSError) -> PublicKey {
    defer { OpenSSL.drainErrors() }
    let key = unsafe X509_get0_pubkey(certificate)
    guard unsafe key != nil, unsafe EVP_PKEY_is_a(key, "ED25519") == 1 else {
      throw .otherKeyKind
    }
    var count = KeyKind.byteCount
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1,
      count == KeyKind.byteCount
    else { throw .otherKeyKind }
    do throws(CryptoError) { return try PublicKey(bytes) } catch { throw .otherKeyKind }
  }
}
