internal import COpenSSL

/// Why two sides cannot talk over TLS, or cannot any more.
package enum TLSError: Error, Hashable, Sendable {
  // Who the other is.
  /// It shows no certificate.
  case noCertificate
  /// It shows so many certificates, and must show one.
  case severalCertificates(Int)
  /// Its certificate carries another kind of key than Ed25519.
  case otherKeyKind
  /// Nobody here knows its key. That it has the key is not proved.
  case unknownKey(PublicKey)

  // How it speaks.
  /// What came is no TLS at all.
  case notTLS
  /// It does not speak TLS 1.3.
  case otherVersion
  /// It speaks TLS, but not `daybook/1` in it.
  case otherProtocol
  /// It says more than a handshake needs, or makes us answer without end.
  case tooMuch
  /// What came is not as agreed, or was changed on the way; OpenSSL's number says more.
  case broken(code: UInt)

  // How it ended.
  /// The other side has ended it, and why: the number of a TLS alert.
  case refused(alert: UInt8)
  /// The line ended, and the other had not said that it would.
  case cut

  // On this side.
  case library(CryptoError)
}

extension TLSError {
  /// Tells what a failed call of OpenSSL means.
  static func explaining(_ code: UInt) -> TLSError {
    // Certificates are taken apart elsewhere in OpenSSL, and came from the other side too.
    guard ERR_GET_LIB(code) == ERR_LIB_SSL else { return .broken(code: code) }
    let reason = ERR_GET_REASON(code)
    // Reasons from here on are the alerts that have come.
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
