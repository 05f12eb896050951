import Crypto
import Journaling

/// Something that was done about devices, which no undo takes back.
package enum LastingChange: Hashable, Sendable {
  /// A device is called so now.
  case named(String)
  /// A device of that name takes part now.
  case admitted(String)
  /// A device of that name takes part no more.
  case revoked(String)
}

extension Trust {
  /// The name of a key's device as in lists of devices.
  func listedName(of key: PublicKey) -> String {
    Device.listedName(name(of: key), isFormerKey: successors[key] != nil)
  }
}

extension LastingChange {
  /// What an event did about devices, if anything; a key that is revoked is called by the name given.
  init?(_ verb: TrustVerb, calling name: (PublicKey) -> String) {
    switch verb {
    case .admit(_, let name, let naming, _): self = naming > 0 ? .named(name) : .admitted(name)
    case .revoke(let key, _): self = .revoked(name(key))
    case .open, .retire, .erase: return nil
    }
  }
}
