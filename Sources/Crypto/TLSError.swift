internal import COpenSSL

/// Why two sides cannot communicate over TLS, or no longer can.
package enum TLSError: Error, Hashable, Sendable {
  // The identity of the other side.
  /// It presents no certificate.
  case noCertificate
  /// It presents several certificates instead of one.
  case severalCertificates(Int)
  /// Its certificate contains a key that is not a valid Ed25519 key.
  case otherKeyKind
  /// Its key is not known here. Whether it owns the key is not proved.
  case unknownKey(PublicKey)

  // Its protocol.
  /// The bytes that were received are not TLS.
  case notTLS
  /// It does not support TLS 1.3.
  case otherVersion
  /// It does not offer or accept the protocol `daybook/1`.
  case otherProtocol
  /// It sends more than a handshake needs, or makes us answer endlessly.
  case tooMuch
  /// A message was malformed or was changed in transit; OpenSSL's code says more.
  case broken(code: UInt)

  // The end of the session.
  /// The other side has ended the session with a TLS alert of this number.
  case refused(alert: UInt8)
  /// The connection was closed without a TLS closure message.
  case cut

  // On this side.
  case library(CryptoError)
}

extension TLSError {
  /// Returns the error for a failed call of OpenSSL.
  static func explaining(_ code: UInt) -> TLSError {
    // Certificates, which also come from the other side, are parsed in another part of OpenSSL.
    guard ERR_GET_LIB(code) == ERR_LIB_SSL else { return .broken(code: code) }
    let reason = ERR_GET_REASON(code)
    // Reasons from this offset on are received alerts.
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
