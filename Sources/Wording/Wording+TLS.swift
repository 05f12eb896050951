package import Crypto
import Journaling
package import Syncing

extension TLSError {
  /// The report for the device that opened the connection.
  package var told: Told {
    switch self {
    case .unknownKey(let key):
      Told(
        "unknown-key", .refused,
        """
        the other machine presented a key that no device of this book has; its words are \(key.words).
        To admit that machine, run 'daybook invite' on this one and 'daybook join' on that one; \
        to join its book, run 'daybook invite' on that one and 'daybook join' on this one.
        """)
    case .refused(let alert) where Self.aboutKeys.contains(alert):
      Told(
        "key-refused", .refused,
        """
        the other device rejected this device, because it does not admit this device's key or the key was revoked.
        Run 'daybook invite' on the other device, then 'daybook join' on this one with the invitation. If this device \
        was revoked, first make a new key with 'daybook device rekey'.
        """)
    case .refused(let alert):
      Told(
        "tls", .network,
        "the other device closed the connection (TLS alert \(alert)). \(Self.bothNew)")
    case .notTLS:
      Told(
        "no-daybook", .network,
        "the program at that address is not daybook, or is too old. \(Self.bothNew)")
    case .otherVersion, .otherProtocol:
      Told(
        "no-daybook", .network,
        "the program at that address is not daybook. Check the address and port.")
    case .noCertificate, .severalCertificates, .otherKeyKind:
      Told(
        "no-daybook", .network,
        "the program at that address did not present a daybook key. Check the address and port.")
    case .certificate(let fault):
      Told("tls", .refused, "the server's certificate is not acceptable: \(fault.text).")
    case .tooMuch, .broken:
      Told(
        "tls", .network,
        "the data received violates the protocol, or was changed on the way. None of it was used; try again."
      )
    case .cut:
      Told(
        "network", .network, "the connection broke. Everything received so far is kept; try again.")
    case .library(let error):
      Told("tls", .refused, "encryption could not be started: \(error.text).")
    }
  }

  private static let bothNew = "Install the same version of daybook on both machines."

  /// The alerts with which the other side rejects a key or certificate.
  private static let aboutKeys: Set<UInt8> = [42, 43, 44, 45, 46, 48, 49, 116]

  /// The reason why a caller was rejected, in one line for the device that was called.
  package var callerText: String {
    switch self {
    case .unknownKey(let key):
      "its key, whose words are \(key.words), is not admitted or was revoked; "
        + "to admit a device, run 'daybook invite'"
    case .noCertificate: "it presented no key"
    case .severalCertificates(let count): "it presented \(count) certificates instead of one"
    case .otherKeyKind: "its certificate has no valid Ed25519 key"
    case .certificate(let fault): fault.text
    case .notTLS: "it does not speak TLS"
    case .otherVersion: "it does not speak TLS 1.3"
    case .otherProtocol: "it does not offer daybook's protocol"
    case .tooMuch: "it sent more than a handshake needs"
    case .broken: "it violates the protocol"
    case .refused(let alert) where Self.aboutKeys.contains(alert):
      "it rejects the key of this device"
    case .refused(let alert): "it closed the connection (TLS alert \(alert))"
    case .cut: "it closed the connection"
    case .library(let error): error.text
    }
  }
}

extension CertificateFault {
  /// The reason, as part of a sentence.
  var text: String {
    switch self {
    case .expired: "it has expired"
    case .notYetValid: "it is not valid yet"
    case .otherHost: "it is for another host"
    case .unknownIssuer: "it was not issued by an authority that this machine trusts"
    case .other(let number): "OpenSSL reports error \(number)"
    }
  }
}

extension SyncError {
  /// The reason why a caller was rejected, in one line for the device that was called.
  package var callerText: String {
    switch self {
    case .tls(let fault): fault.callerText
    case .unwelcome(let code): code.callerWords
    case .tooSlow: "it is too slow"
    default: told.text
    }
  }
}

extension PublicKey {
  /// The words that identify the key, joined by hyphens.
  package var words: String { fingerprint.joined(separator: "-") }
}

extension CryptoError {
  var text: String {
    switch self {
    case .keyLength(let count): "a key has 32 bytes, but this one has \(count)"
    case .keyEncoding: "the encoding of the key is invalid"
    case .keyOfSmallOrder: "the key is unsafe: anyone can sign with it"
    case .unreadablePEM: "the key file cannot be read"
    case .library(let code): "OpenSSL reports error \(code)"
    }
  }
}
