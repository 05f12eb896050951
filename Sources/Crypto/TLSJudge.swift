internal import COpenSSL

/// Decides during a handshake whether to accept the other side, and remembers the reason for a rejection.
///
/// OpenSSL calls the judge from inside its own functions, so the session owns the judge for as long as OpenSSL may use
/// it.
final class TLSJudge {
  /// The index under which a session stores its judge.
  ///
  /// `SSL_set_app_data` would use the same index.
  static let place: Int32 = 0

  private let admits: (PublicKey) -> Bool
  /// The key in the accepted certificate, which is proved later in the handshake.
  private(set) var key: PublicKey?
  private(set) var fault: TLSError?

  init(_ admits: @escaping (PublicKey) -> Bool) { self.admits = admits }

  private func examine(_ store: OpaquePointer?, of session: OpaquePointer) throws(TLSError) {
    // A client already knows which protocol the server has chosen. If it is the wrong protocol, the client need not
    // reveal its identity.
    guard unsafe Self.speaksDaybook(session) else { throw .otherProtocol }
    let count = unsafe daybook_tls_certificate_count(store)
    guard count == 1 else { throw .severalCertificates(Int(count)) }
    let shown = try unsafe CertificateHandle.publicKey(of: X509_STORE_CTX_get0_cert(store))
    guard admits(shown) else { throw .unknownKey(shown) }
    key = shown
  }

  private func refuse(_ fault: TLSError) { self.fault = fault }
}

// The callbacks for OpenSSL.

extension TLSJudge {
  /// Checks the received certificates.
  ///
  /// - Returns: 1 to accept the certificates, 0 to reject them.
  static func judge(_ store: OpaquePointer?) -> Int32 {
    guard let session = unsafe daybook_tls_session(store), let judge = unsafe of(session) else {
      return 0
    }
    do throws(TLSError) {
      try unsafe judge.examine(store, of: session)
      unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
      return 1
    } catch {
      judge.refuse(error)
      // OpenSSL derives the alert that it sends from this value.
      unsafe X509_STORE_CTX_set_error(store, error.verdict)
      return 0
    }
  }

  /// Selects daybook's protocol among those that a client offers.
  static func choose(
    _ session: OpaquePointer?, _ offered: UnsafePointer<UInt8>?, _ count: UInt32,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?
  ) -> Int32 {
    let names = unsafe UnsafeBufferPointer(start: offered, count: Int(count))
    let wanted = TLSSettings.daybook.protocolName
    var place = 0
    while place < names.count {
      let name = unsafe names[(place + 1)...].prefix(Int(names[place]))
      if unsafe name.elementsEqual(wanted) {
        unsafe chosen?.pointee = unsafe offered.map { unsafe $0 + place + 1 }
        unsafe chosenCount?.pointee = UInt8(wanted.count)
        return SSL_TLSEXT_ERR_OK
      }
      place = unsafe name.endIndex
    }
    unsafe of(session)?.refuse(.otherProtocol)
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }

  /// Rejects a client that does not offer any protocol.
  ///
  /// For such a client, OpenSSL would not call ``choose(_:_:_:_:_:)``.
  static func hear(_ session: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?) -> Int32 {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    let type = UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation)
    guard unsafe SSL_client_hello_get0_ext(session, type, &bytes, &count) == 1 else {
      // If the client does not support TLS 1.3 either, the alert reports that instead.
      let versions = UInt32(TLSEXT_TYPE_supported_versions)
      let isNew = unsafe SSL_client_hello_get0_ext(session, versions, &bytes, &count) == 1
      unsafe of(session)?.refuse(isNew ? .otherProtocol : .otherVersion)
      unsafe alert?.pointee = isNew ? SSL_AD_NO_APPLICATION_PROTOCOL : SSL_AD_PROTOCOL_VERSION
      return SSL_CLIENT_HELLO_ERROR
    }
    return SSL_CLIENT_HELLO_SUCCESS
  }

  static func speaksDaybook(_ session: OpaquePointer) -> Bool {
    var bytes: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(session, &bytes, &count)
    return unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
      .elementsEqual(TLSSettings.daybook.protocolName)
  }

  private static func of(_ session: OpaquePointer?) -> TLSJudge? {
    guard let judge = unsafe SSL_get_ex_data(session, place) else { return nil }
    return unsafe Unmanaged<TLSJudge>.fromOpaque(judge).takeUnretainedValue()
  }
}

extension TLSError {
  /// The value from which OpenSSL derives the alert for a rejected certificate.
  fileprivate var verdict: Int32 {
    switch self {
    // Alert 48 means that the key is not known.
    case .unknownKey: X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
    // Alert 43 means that the certificate has a different kind of key.
    case .otherKeyKind: X509_V_ERR_INVALID_PURPOSE
    // Alert 40 means that the handshake cannot succeed.
    case .otherProtocol: X509_V_ERR_APPLICATION_VERIFICATION
    // Alert 42 means that the certificates are invalid.
    default: X509_V_ERR_CERT_REJECTED
    }
  }
}
