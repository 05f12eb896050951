package import Sealing

extension StoreKeyError {
  /// The error in a few words, without a full stop.
  package var text: String {
    switch self {
    case .tooLong(let count): "it has \(count) bytes, which is too many"
    case .digest: "it is not complete, or was changed"
    case .content(let fault): fault.text
    case .version(let version):
      "it has version \(version), which this daybook does not know; update it"
    case .order: "its parts are not in order"
    case .notARecipient: "it is not for this device"
    case .wrap, .statement: "it cannot be decrypted"
    case .otherKey: "it has another key than it names"
    case .signingKey, .originSignature, .packageSignature: "a signature in it is wrong"
    case .otherBook: "it belongs to another book"
    case .stranger: "a device that is not admitted made it"
    case .notTrusted: "this device is not admitted, so it cannot make a key that others accept"
    case .tooManyRevoked(let count):
      "\(count) keys are revoked in this book, more than a key of a store can list. "
        + "Create a new book and import into it what 'daybook export' writes here"
    case .ringLimit, .makerLimit: "there is no room for more keys in keys/store.keys"
    case .crypto(let fault): fault.text
    }
  }
}
