import Crypto
import Journaling

/// A change to devices, which cannot be undone.
package enum LastingChange: Hashable, Sendable {
  /// A device was renamed to this name; it may have another name now.
  case named(String, now: String)
  /// A device with this name was admitted; it may have another name now.
  case admitted(String, now: String)
  /// A device with this name was revoked.
  case revoked(String)
}

extension Trust {
  /// The name of the device with the given key, as in lists of devices.
  func listedName(of key: PublicKey) -> String {
    Device.listedName(name(of: key), isFormerKey: successors[key] != nil)
  }
}

extension LastingChange {
  /// The change that an event made to devices; nil if it made none.
  ///
  /// The closure returns the present name for a key.
  init?(_ verb: TrustVerb, calling name: (PublicKey) -> String) {
    switch verb {
    case .admit(let key, let given, let naming, _):
      self = naming > 0 ? .named(given, now: name(key)) : .admitted(given, now: name(key))
    case .revoke(let key, _): self = .revoked(name(key))
    case .open, .retire, .erase: return nil
    }
  }
}
