import Platform
package import Sealing
import Wording

extension StoreKeyObstacle {
  /// The reason and the solution if more keys are revoked than a store key can list.
  package static func text(ofTooManyRevoked count: Int) -> String {
    let fault = StoreKeyError.tooManyRevoked(count)
    return "\(fault.text).\(fault.adviceBelow)"
  }
}

extension StoreKeyError {
  /// The report for a key that cannot be made or added.
  var told: Told {
    switch self {
    case .notTrusted:
      Told(
        "not-admitted", .refused,
        "this device is not admitted, or was revoked, so it cannot make a store key.\(adviceBelow)")
    case .tooManyRevoked:
      Told("too-many-revoked", .refused, "no store key can be made, because \(text).\(adviceBelow)")
    case .ringLimit, .makerLimit:
      Told("too-many-keys", .refused, "no store key was added, because \(text).\(adviceBelow)")
    case .crypto: Told("key", .refused, "no store key was made: \(text).")
    default:
      Told("store-key", .dataFault, "a store key cannot be used, because \(text).\(adviceBelow)")
    }
  }

  fileprivate var adviceBelow: String { advice.map { "\n\($0)." } ?? "" }

  /// The report for a file with store keys that cannot be read.
  func told(ofKeysIn path: Path) -> Told {
    Told(
      "store-keys", .dataFault,
      "the store keys in the file \(path.string.visible) cannot be read, because \(text).\nTo continue, "
        + "\(adviceOnFile)."
    )
  }

  /// What the user can do about a file with store keys that cannot be read, as part of a sentence.
  package var adviceOnFile: String {
    if case .version = self { return "install a newer daybook on this device" }
    return "restore the file from a backup of the book; without a backup, move the file away, "
      + "and the next sync with each sealed folder will fetch the keys again"
  }
}
