import Crypto
import Journaling

/// A change to devices, which cannot be undone.
package enum LastingChange: Hashable, Sendable {
  /// A device was renamed to this name.
  case named(String)
  /// A device with this name was admitted.
  case admitted(String)
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
  /// The change that an event made to devices, or nil.
  ///
  /// The closure returns the name for a revoked key.
  init?(_ verb: TrustVerb, calling name: (PublicKey) -> String) {
    switch verb {
    case .admit(_, let name, let naming, _): self = naming > 0 ? .named(name) : .admitted(name)
    case .revoke(let key, _): self = .revoked(name(key))
    case .open, .retire, .erase: return nil
    }
  }
}
