import Bytes
package import Sealing

extension StoreKeyError {
  /// The reason why store keys cannot be read, made or taken, as the part of a sentence.
  package var text: String {
    switch self {
    case .tooLong: "there are more bytes than allowed"
    case .version(let version): "a newer version of daybook wrote this file (version \(version))"
    case .otherBook(let book): "the file belongs to the book \(book.hex)"
    case .notARecipient: "it is not meant for this device"
    case .stranger(let packager):
      "it comes from an unknown device, whose words are \(packager.words)"
    case .originSignature, .packageSignature: "a signature is wrong"
    case .notTrusted: "this device is not admitted, or was revoked"
    case .tooManyRevoked(let count):
      "\(count) keys are revoked, but a store key can list only \(KeyOrigin.revokedLimit)"
    case .ringLimit: "this device has as many store keys as it can keep"
    case .makerLimit(let maker):
      "this device has as many store keys as it keeps of one device, whose words are \(maker.words)"
    case .crypto(let error): error.text
    case .digest: "it is not complete, or was changed"
    case .wrap, .statement: "it cannot be decrypted"
    case .otherKey: "it contains another key than it names"
    case .content, .order, .signingKey: "the content is invalid"
    }
  }
}
