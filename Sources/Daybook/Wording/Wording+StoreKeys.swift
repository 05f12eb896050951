import Platform
package import Sealing
import Wording

extension StoreKeyError {
  /// The report of a key that cannot be made or taken.
  var told: Told {
    switch self {
    case .notTrusted:
      Told(
        "not-admitted", .refused,
        "this device is not admitted, or was revoked, so it cannot make a store key.\n"
          + "Use an admitted device; 'daybook devices' lists them.")
    case .tooManyRevoked:
      Told(
        "too-many-revoked", .refused,
        "no store key can be made: \(text).\n"
          + "Begin a new book with the same logs: 'daybook found --with DEVICE'.")
    case .ringLimit: Told("too-many-keys", .refused, "no store key was added: \(text).")
    case .crypto: Told("key", .refused, "no store key was made: \(text).")
    default: Told("store-key", .dataFault, "a store key cannot be used: \(text).")
    }
  }

  /// The report of a file with store keys that cannot be read.
  func told(ofKeysIn path: Path) -> Told {
    Told(
      "store-keys", .dataFault,
      "the store keys in \(path.string.visible) cannot be read: \(text).\nTo continue, \(adviceOnFile)."
    )
  }

  /// What the user can do about a file with store keys that cannot be read, as the part of a sentence.
  package var adviceOnFile: String {
    if case .version = self { return "install that version on this device" }
    return "restore the file from a backup of this folder; without a backup, move it away, "
      + "and the next sync with the sealed folder fetches the keys again"
  }
}
