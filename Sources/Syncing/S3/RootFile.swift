import Crypto
import Platform

/// The file that contains the certificates of the authorities that this machine's administrator trusts.
enum RootFile {
  /// The places where systems keep this file.
  private static let places = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  private static let fileBytes = 8 << 20

  /// Reads the file that `SSL_CERT_FILE` names or, if that is not set, the first readable file at the usual places.
  ///
  /// - Returns: The certificates, or nil if there is no such file.
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  static func roots(on machine: Machine) throws(CryptoError) -> TrustedRoots? {
    let named = machine.variable("SSL_CERT_FILE").flatMap { $0.isEmpty ? nil : $0 }
    for place in named.map({ [$0] }) ?? places {
      let path = Path(place)
      guard let pem = try? machine.disk.contents(of: path, limit: fileBytes) else { continue }
      return try TrustedRoots(pem: pem)
    }
    return nil
  }
}
