internal import COpenSSL

/// The reason why two sides cannot communicate over TLS.
package enum TLSError: Error, Hashable, Sendable {
  // Errors about the identity of the other side.
  /// The other side presents no certificate.
  case noCertificate
  /// The other side presents several certificates instead of one.
  case severalCertificates(Int)
  /// The certificate contains a key that is not a valid Ed25519 key.
  case otherKeyKind
  /// The key is not accepted. The other side has not yet proved that it owns the key.
  case unknownKey(PublicKey)

  /// The server's certificate is not acceptable.
  case certificate(CertificateFault)

  // Errors about the protocol of the other side.
  /// The received bytes are not TLS.
  case notTLS
  /// The other side does not support TLS 1.3.
  case otherVersion
  /// The other side does not offer or accept the protocol `daybook/1`.
  case otherProtocol
  /// The other side sends more data than a handshake needs, or causes too much data to be sent.
  case tooMuch
  /// OpenSSL reported another error, for example because a message was malformed or was changed in transit.
  case broken(code: UInt)

  // Errors about the end of the session.
  /// The other side has ended the session with a TLS alert.
  case refused(alert: UInt8)
  /// The connection was closed without a TLS closure message.
  case cut

  // Errors on this side.
  case library(CryptoError)
}

extension TLSError {
  /// Returns the error for a failed OpenSSL call.
  static func explaining(_ code: UInt) -> TLSError {
    // Other parts of OpenSSL also report errors in what the other side sends, for example in its certificate.
    guard ERR_GET_LIB(code) == ERR_LIB_SSL else { return .broken(code: code) }
    let reason = ERR_GET_REASON(code)
    // Reason codes at or above this offset stand for received alerts.
    if let alert = UInt8(exactly: reason - SSL_AD_REASON_OFFSET) { return .refused(alert: alert) }
    switch reason {
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: return .noCertificate
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION, SSL_R_BAD_PROTOCOL_VERSION_NUMBER,
      SSL_R_NO_PROTOCOLS_AVAILABLE:
      return .otherVersion
    case SSL_R_EXCESSIVE_MESSAGE_SIZE: return .tooMuch
    default: return .broken(code: code)
    }
  }
}

/// The reason why a server's certificate is not acceptable.
package enum CertificateFault: Error, Hashable, Sendable {
  case expired
  case notYetValid
  /// The certificate is for another host.
  case otherHost
  /// The certificate was not issued by an authority that this machine trusts.
  case unknownIssuer
  /// The reason is another one, identified by OpenSSL's number.
  case other(Int)

  init(_ verdict: Int) {
    switch Int32(truncatingIfNeeded: verdict) {
    case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .otherHost
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      self = .unknownIssuer
    default: self = .other(verdict)
    }
  }
}
