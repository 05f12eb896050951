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
        the machine there shows a key that no device of this book has; its words are \(key.words).
        To let that device in, say 'daybook invite' here and 'daybook join' there; \
        to take part in its book, 'daybook invite' there and 'daybook join' here.
        """)
    case .refused(let alert) where Self.aboutKeys.contains(alert):
      Told(
        "key-refused", .refused,
        """
        the other does not let this device in: nobody has admitted its key there, or it was revoked.
        Say 'daybook invite' there, and 'daybook join' here with what it prints. A device that was \
        revoked needs a new key first: 'daybook device rekey' makes one.
        """)
    case .refused(let alert):
      Told("tls", .network, "the other ends the talk (TLS alert \(alert)). \(Self.bothNew)")
    case .notTLS:
      Told(
        "no-daybook", .network,
        "what answers there is no daybook, or one that is too old. \(Self.bothNew)")
    case .otherVersion, .otherProtocol:
      Told("no-daybook", .network, "what answers there is no daybook. See to the address and port.")
    case .noCertificate, .severalCertificates, .otherKeyKind:
      Told("no-daybook", .network, "what answers there does not show a key as a daybook does.")
    case .tooMuch, .broken:
      Told(
        "tls", .network,
        "what came is not as agreed, or was changed on the way. Nothing of it was taken; try again."
      )
    case .cut:
      Told("network", .network, "the line broke. What had arrived is kept; try again.")
    case .library(let error):
      Told("tls", .refused, "cannot begin to encrypt: \(error.text).")
    }
  }

  private static let bothNew = "Bring both to the same version of daybook."

  /// The alerts with which the other side rejects a key or certificate.
  private static let aboutKeys: Set<UInt8> = [42, 43, 44, 45, 46, 48, 49, 116]

  /// Why a caller was rejected, in one line for the device that was called.
  package var callerText: String {
    switch self {
    case .unknownKey(let key):
      "nobody has admitted its key, or it was revoked; its words are \(key.words). "
        + "'daybook invite' lets a device in"
    case .noCertificate: "it shows no key"
    case .severalCertificates(let count): "it shows \(count) certificates instead of one"
    case .otherKeyKind: "its key is of another kind"
    case .notTLS: "it does not speak TLS"
    case .otherVersion: "it does not speak TLS 1.3"
    case .otherProtocol: "it does not ask for daybook"
    case .tooMuch: "it says more than a handshake needs"
    case .broken: "what it says is not as agreed"
    case .refused(let alert) where Self.aboutKeys.contains(alert):
      "it does not take the key of this device"
    case .refused(let alert): "it ended the talk (TLS alert \(alert))"
    case .cut: "it hung up"
    case .library(let error): error.text
    }
  }
}

extension SyncError {
  /// Why a caller was rejected, in one line for the device that was called.
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
  fileprivate var text: String {
    switch self {
    case .keyLength(let count): "a key has 32 bytes, and this has \(count)"
    case .keyEncoding: "the key is not spelt as keys are"
    case .keyOfSmallOrder: "the key is one under which anyone can sign"
    case .unreadablePEM: "the key file cannot be read"
    case .library(let code): "OpenSSL refuses, with its error \(code)"
    }
  }
}
