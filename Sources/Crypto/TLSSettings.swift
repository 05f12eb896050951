internal import COpenSSL

/// The settings of a handshake between devices.
///
/// All programs use ``daybook``. Only tests use other settings, to act as a foreign program.
struct TLSSettings {
  var lowestVersion = TLS1_3_VERSION
  var highestVersion = TLS1_3_VERSION
  var protocolName = Array("daybook/1".utf8)
  var signatures = "ed25519"
  var showsCertificate = true
  /// The certificates to send after the device's own certificate.
  var furtherCertificates: [[UInt8]] = []
  /// Whether a server answers with the protocol that it has chosen.
  var answersProtocol = true
  /// Whether the other side must present a certificate.
  var requiresCertificate = true
  /// The number of session tickets that a server issues.
  var tickets = 0

  static let daybook = TLSSettings()

  /// The protocol name in the format of ALPN: its length, followed by the name.
  var protocolList: [UInt8] { [UInt8(protocolName.count)] + protocolName }
}
