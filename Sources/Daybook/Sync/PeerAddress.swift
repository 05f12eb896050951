import Journaling
package import Platform
import Syncing

/// Whom or what to sync with.
package enum PeerAddress: Hashable, Sendable {
  /// A bundle file.
  case file(Path)
  case directory(Path)
  case tcp(host: String, port: UInt16)
}

extension PeerAddress {
  /// Where on the disk it is, if it is there.
  package var path: Path? {
    switch self {
    case .file(let path), .directory(let path): path
    case .tcp: nil
    }
  }

  /// How a device came to take part that was met there.
  var admissionRoute: AdmissionRoute {
    switch self {
    case .file(let path): .file(path.name.asRouteName)
    case .directory(let path): .folder(path.name.asRouteName)
    case .tcp(let host, let port): .machine(Endpoint(host: host, port: port).text.asRouteName)
    }
  }
}

extension String {
  /// As much of a name as an admission says of the way.
  var asRouteName: String {
    var name = ""
    for letter in self {
      guard name.utf8.count + letter.utf8.count <= AdmissionRoute.nameBytes else { break }
      name.append(letter)
    }
    return name
  }
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
