internal import COpenSSL

/// Decides in a handshake whether the other side is the right one, and remembers why not.
///
/// OpenSSL asks it in the middle of its own calls. The session owns it for as long as OpenSSL may.
final class TLSJudge {
  private let admits: (PublicKey) -> Bool
  /// The key of the certificate that was accepted; it proves itself later in the handshake.
  private(set) var key: PublicKey?
  private(set) var fault: TLSError?

  init(_ admits: @escaping (PublicKey) -> Bool) { self.admits = admits }

  private func examine(_ store: OpaquePointer?, of session: OpaquePointer) throws(TLSError) {
    // A client knows by now which protocol the server has chosen, and need not show who it is.
    guard unsafe Self.speaksDaybook(session) else { throw .otherProtocol }
    let count = unsafe daybook_tls_certificate_count(store)
    guard count == 1 else { throw .severalCertificates(Int(count)) }
    let shown = try unsafe CertificateHandle.publicKey(of: X509_STORE_CTX_get0_cert(store))
    guard admits(shown) else { throw .unknownKey(shown) }
    key = shown
  }

  private func refuse(_ fault: TLSError) { self.fault = fault }
}

// What OpenSSL calls.

extension TLSJudge {
  /// Looks at the certificates that have come.
  ///
  /// - Returns: 1 for the right ones.
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
      // The other side is told by an alert that OpenSSL makes of this.
      unsafe X509_STORE_CTX_set_error(store, error.verdict)
      return 0
    }
  }

  /// Chooses the one protocol there is out of those that a client offers.
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

  /// Turns away a client that offers no protocol at all, for whom nothing would be chosen.
  static func hear(_ session: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?) -> Int32 {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    let type = UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation)
    guard unsafe SSL_client_hello_get0_ext(session, type, &bytes, &count) == 1 else {
      // Who does not speak TLS 1.3 either hears of that first.
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
    guard let place = unsafe SSL_get_ex_data(session, TLSHandle.judgePlace) else { return nil }
    return unsafe Unmanaged<TLSJudge>.fromOpaque(place).takeUnretainedValue()
  }
}

extension TLSError {
  /// What OpenSSL makes an alert of, where a certificate is refused for this.
  fileprivate var verdict: Int32 {
    switch self {
    // Alert 48: no such key is known here.
    case .unknownKey: X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
    // Alert 43: a certificate of another kind.
    case .otherKeyKind: X509_V_ERR_INVALID_PURPOSE
    // Alert 40: this handshake leads nowhere.
    case .otherProtocol: X509_V_ERR_APPLICATION_VERIFICATION
    // Alert 42: the certificates are not as agreed.
    default: X509_V_ERR_CERT_REJECTED
    }
  }
}
