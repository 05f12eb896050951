internal import COpenSSL

/// Owns the settings that all sessions of one identity share.
@safe struct TLSContext: ~Copyable {
  private let raw: OpaquePointer

  private init(owning context: OpaquePointer) { unsafe raw = context }

  static func make(
    _ key: borrowing KeyHandle, _ certificate: borrowing CertificateHandle, _ settings: TLSSettings
  ) throws(CryptoError) -> TLSContext {
    let made = OpenSSL.isReady ? unsafe SSL_CTX_new(TLS_method()) : nil
    guard let made = unsafe made else { throw OpenSSL.drainErrors() }
    let context = unsafe TLSContext(owning: made)
    try context.speak(settings)
    try context.show(key, certificate, settings)
    context.forgetSessions(settings)
    context.limitCertificates(to: Self.deviceBytes)
    context.judge(settings)
    return context
  }

  /// Creates the settings for sessions with servers that present certificates from authorities.
  static func make(trusting roots: [[UInt8]]) throws(CryptoError) -> TLSContext {
    let made = OpenSSL.isReady ? unsafe SSL_CTX_new(TLS_client_method()) : nil
    guard let made = unsafe made else { throw OpenSSL.drainErrors() }
    let context = unsafe TLSContext(owning: made)
    try context.speakHTTP()
    try context.trust(roots)
    context.forgetSessions(.daybook)
    context.limitCertificates(to: Self.chainBytes)
    return context
  }

  deinit {
    unsafe SSL_CTX_free(raw)
  }

  /// Returns the address of a new session, or 0.
  func begin() -> UInt { UInt(bitPattern: unsafe SSL_new(raw)) }

  /// The maximum size of a device's certificates in bytes; a certificate has about 300 bytes.
  private static let deviceBytes = 8 << 10
  /// The maximum size of a web server's certificates in bytes.
  ///
  /// A chain of four certificates with RSA keys and many host names can exceed 10 KiB.
  private static let chainBytes = 100 << 10

  private func speak(_ settings: TLSSettings) throws(CryptoError) {
    let ciphers =
      "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256"
    let names = settings.protocolList
    try OpenSSL.check(
      unsafe daybook_tls_set_versions(raw, settings.lowestVersion, settings.highestVersion) == 1)
    try OpenSSL.check(unsafe SSL_CTX_set_ciphersuites(raw, ciphers) == 1)
    try OpenSSL.check(unsafe daybook_tls_set_groups(raw, "X25519:P-256") == 1)
    try OpenSSL.check(unsafe daybook_tls_set_signatures(raw, settings.signatures) == 1)
    // Unlike the other functions, this one returns 0 for success.
    if settings.protocolName.isEmpty { return }
    try OpenSSL.check(unsafe SSL_CTX_set_alpn_protos(raw, names, UInt32(names.count)) == 0)
  }

  /// Selects the settings that current web servers support.
  private func speakHTTP() throws(CryptoError) {
    let name = Array("http/1.1".utf8)
    let names = [UInt8(name.count)] + name
    try OpenSSL.check(
      unsafe daybook_tls_set_versions(raw, TLS1_2_VERSION, TLS1_3_VERSION) == 1)
    // These ciphers are for TLS 1.2. All of them provide forward secrecy and authenticate what they encrypt.
    try OpenSSL.check(unsafe SSL_CTX_set_cipher_list(raw, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1)
    try OpenSSL.check(unsafe daybook_tls_set_groups(raw, "X25519:P-256:P-384") == 1)
    // Unlike the other functions, this one returns 0 for success.
    try OpenSSL.check(unsafe SSL_CTX_set_alpn_protos(raw, names, UInt32(names.count)) == 0)
    _ = unsafe SSL_CTX_set_options(raw, UInt64(1) << Self.noRenegotiationBit)
  }

  /// The bit number of `SSL_OP_NO_RENEGOTIATION`, a macro that is defined by another macro.
  private static let noRenegotiationBit = 30

  /// Makes each session require a certificate whose chain ends at one of the given certificates.
  private func trust(_ roots: [[UInt8]]) throws(CryptoError) {
    let store = unsafe SSL_CTX_get_cert_store(raw)
    for der in roots {
      // A certificate that OpenSSL does not support is not trusted.
      guard let root = try? CertificateHandle.read(der) else { continue }
      try OpenSSL.check(unsafe root.lend { unsafe X509_STORE_add_cert(store, $0) == 1 })
    }
    OpenSSL.drainErrors()
    unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
  }

  private func show(
    _ key: borrowing KeyHandle, _ certificate: borrowing CertificateHandle, _ settings: TLSSettings
  ) throws(CryptoError) {
    guard settings.showsCertificate else { return }
    try OpenSSL.check(unsafe certificate.lend { unsafe SSL_CTX_use_certificate(raw, $0) == 1 })
    try OpenSSL.check(unsafe key.lend { unsafe SSL_CTX_use_PrivateKey(raw, $0) == 1 })
    try OpenSSL.check(unsafe SSL_CTX_check_private_key(raw) == 1)
    for der in settings.furtherCertificates {
      let further = try CertificateHandle.read(der)
      try OpenSSL.check(unsafe further.lend { unsafe daybook_tls_add_certificate(raw, $0) == 1 })
    }
  }

  /// Disables session resumption, which would bypass the check of the certificate.
  private func forgetSessions(_ settings: TLSSettings) {
    unsafe daybook_tls_cache_nothing(raw)
    _ = unsafe SSL_CTX_set_num_tickets(raw, settings.tickets)
    _ = unsafe SSL_CTX_set_max_early_data(raw, 0)
    _ = unsafe SSL_CTX_set_recv_max_early_data(raw, 0)
    if settings.tickets == 0 {
      _ = unsafe SSL_CTX_set_options(raw, UInt64(1) << Self.noTicketBit)
    }
    unsafe daybook_tls_free_idle_buffers(raw)
  }

  /// Refuses peers whose certificates together exceed a number of bytes.
  private func limitCertificates(to bytes: Int) {
    unsafe daybook_tls_limit_certificates(raw, bytes)
  }

  /// The bit number of `SSL_OP_NO_TICKET`, a macro that is defined by another macro.
  private static let noTicketBit = 14

  /// Makes servers request a certificate, and makes each session check the certificate that it receives.
  private func judge(_ settings: TLSSettings) {
    let mode = settings.requiresCertificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
    unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | mode, nil)
    unsafe SSL_CTX_set_cert_verify_callback(raw, { store, _ in unsafe TLSJudge.judge(store) }, nil)
    guard settings.answersProtocol else { return }
    unsafe SSL_CTX_set_alpn_select_cb(
      raw,
      { session, chosen, count, offered, offeredCount, _ in
        unsafe TLSJudge.choose(session, offered, offeredCount, chosen, count)
      }, nil)
    unsafe SSL_CTX_set_client_hello_cb(
      raw, { session, alert, _ in unsafe TLSJudge.hear(session, alert) }, nil)
  }
}
