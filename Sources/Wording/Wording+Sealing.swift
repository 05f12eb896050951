import Bytes
package import Sealing

extension StoreKeyError {
  /// The reason why store keys cannot be read, made or added, as part of a sentence.
  package var text: String {
    switch self {
    case .tooLong: "it is larger than daybook allows"
    case .version(let version): "a newer daybook wrote it, in version \(version) of the format"
    case .otherBook(let book): "it belongs to the book \(book.hex)"
    case .notARecipient: "it is not meant for this device"
    case .stranger(let packager):
      "it comes from an unknown device, whose key has the words \(packager.words)"
    case .originSignature, .packageSignature: "a signature is invalid"
    case .notTrusted: "this device is not admitted, or was revoked"
    case .tooManyRevoked(let count):
      "\(count) device keys are revoked, but a store key can list only \(KeyOrigin.revokedLimit)"
    case .ringLimit: "this device already stores the maximum number of store keys"
    case .makerLimit(let maker):
      "this device already stores the maximum number of store keys made by the device whose key has the words \(maker.words)"
    case .crypto(let error): error.text
    case .digest: "it is incomplete or has been changed"
    case .wrap, .statement: "it cannot be decrypted"
    case .otherKey: "the key that it contains is not the key that it names"
    case .content, .order, .signingKey: "the content is invalid"
    }
  }

  /// What the user can do now, without a full stop; nil if there is nothing to do.
  package var advice: String? {
    switch self {
    case .notTrusted: "Use an admitted device; 'daybook devices' shows which devices are admitted"
    case .tooManyRevoked:
      "To begin a new book from the logs of this device and others, run 'daybook found --with DEVICE'"
    case .version: "Install a newer daybook on this device"
    case .makerLimit(let maker):
      "If that device keeps making keys, revoke it with 'daybook device revoke \(maker.words)'"
    default: nil
    }
  }

  /// The text, followed by what the user can do now, without a full stop.
  package var textWithAdvice: String { [text, advice].compactMap(\.self).joined(separator: ". ") }
}
