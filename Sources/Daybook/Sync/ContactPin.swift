import Bytes
import Crypto
import Domain
import Journaling
import Platform
import Syncing

/// The key that a remembered machine must show.
struct ContactPin {
  /// The name of the peer.
  var name: String
  var pin: Pin
  /// The words of the key.
  var words: String

  /// The error for a sync with the peer, which names both keys if a different key was shown.
  func explaining(_ error: DaybookError) -> DaybookError {
    guard case .sync(.tls(.unknownKey(let shown))) = error else { return error }
    return .changedKey(
      name: name, known: words, shown: shown.fingerprint.joined(separator: "-"))
  }
}
