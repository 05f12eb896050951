import Journaling
package import Platform
package import Syncing

/// The address of a peer.
package enum PeerAddress: Hashable, Sendable {
  /// A bundle file.
  case file(Path)
  case directory(Path)
  /// A sealed store in a folder or bucket.
  case store(StoreAddress)
  case tcp(host: String, port: UInt16)
  /// An account on a machine that the program `ssh` logs in to.
  case ssh(SSHAddress)
}

extension PeerAddress {
  /// The path of a folder or file, or of the folder with a store; nil for other addresses.
  package var path: Path? {
    switch self {
    case .file(let path), .directory(let path): path
    case .store(let address): address.place.folder
    case .tcp, .ssh: nil
    }
  }

  /// Whether both addresses identify the same place, as far as their text shows.
  ///
  /// A folder is the same place with and without its sealed store, and a bucket is the same place with any of its
  /// stores. Components `.` and `..` of paths are resolved without following links, so the result is only for
  /// comparison, and never determines where something is read or written.
  package func isSame(as other: PeerAddress) -> Bool {
    if case .store(let store) = self, case .store(let otherStore) = other, path == nil {
      return store.place == otherStore.place
    }
    guard let path, let otherPath = other.path else { return self == other }
    return path.plainNames == otherPath.plainNames
  }

  /// The path under which a device remembers which files of a folder it has read; nil for other addresses.
  var memoryLocation: Path? {
    switch self {
    case .directory(let folder): folder
    case .store(let address): address.location
    case .file, .tcp, .ssh: nil
    }
  }

  /// The address of a machine; nil for a folder or file.
  package var machine: MachineAddress? {
    switch self {
    case .file, .directory, .store: nil
    case .tcp(let host, let port): .tcp(Endpoint(host: host, port: port))
    case .ssh(let address): .ssh(address)
    }
  }

  /// The address of a machine as a peer.
  package init(_ machine: MachineAddress) {
    switch machine {
    case .tcp(let endpoint): self = .tcp(host: endpoint.host, port: endpoint.port)
    case .ssh(let address): self = .ssh(address)
    }
  }

  /// The route to record for devices that are met at this address.
  var admissionRoute: AdmissionRoute {
    switch self {
    case .file(let path): .file(path.name.asRouteName)
    case .directory(let path): .folder(path.name.asRouteName)
    case .store(let address): .folder(address.place.name.asRouteName)
    case .tcp(let host, let port): .machine(Endpoint(host: host, port: port).text.asRouteName)
    case .ssh(let address): .machine(address.text.asRouteName)
    }
  }
}

extension Path {
  /// The components of the path, without `.` and `..`.
  fileprivate var plainNames: [Substring] {
    string.split(separator: "/").reduce(into: []) { names, name in
      switch name {
      case ".": break
      case "..": _ = names.popLast()
      default: names.append(name)
      }
    }
  }
}

extension String {
  /// The part of a name that an admission stores as its route.
  var asRouteName: String {
    var name = ""
    for letter in self {
      guard name.utf8.count + letter.utf8.count <= AdmissionRoute.nameBytes else { break }
      name.append(letter)
    }
    return name
  }
}

/// Whether devices that are met in a sync are admitted to the book.
package enum Admission {
  case never
  /// All devices are admitted, even those that depend on a revoked device.
  case always
  /// All devices are admitted, except those that depend on a revoked device.
  case newcomers
  /// The user decides for each device.
  case ask((Device) -> Bool)

  /// Whether devices are admitted without asking.
  var isForAll: Bool {
    switch self {
    case .always, .newcomers: true
    case .never, .ask: false
    }
  }

  func admits(_ device: Device) -> Bool {
    switch self {
    case .never: false
    case .always: true
    case .newcomers: device.sponsor == nil
    case .ask(let answer): answer(device)
    }
  }
}
