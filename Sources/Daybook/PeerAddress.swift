package import Platform

/// Whom or what to sync with.
package enum PeerAddress: Hashable, Sendable {
  /// A bundle file.
  case file(Path)
  case directory(Path)
  case tcp(host: String, port: UInt16)
}

/// Whether devices met in a sync are admitted to the book.
package enum Admission {
  case never
  case always
  /// As somebody says, device by device.
  case ask((Device) -> Bool)

  /// Whether devices are admitted without being looked at.
  var isForAll: Bool { if case .always = self { true } else { false } }

  func admits(_ device: Device) -> Bool {
    switch self {
    case .never: false
    case .always: true
    case .ask(let answer): answer(device)
    }
  }
}
