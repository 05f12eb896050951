package import Platform

/// The address of a machine that a sync connects to.
package enum MachineAddress: Hashable, Sendable {
  case tcp(Endpoint)
  /// An account that the program `ssh` logs in to.
  case ssh(SSHAddress)

  /// Parses `HOST:PORT` or an `ssh://` address.
  package init?(_ text: String) {
    if text.hasPrefix(SSHAddress.scheme) {
      guard let address = SSHAddress(text) else { return nil }
      self = .ssh(address)
    } else {
      guard let endpoint = Endpoint(text) else { return nil }
      self = .tcp(endpoint)
    }
  }

  /// The address, as an invitation contains it.
  package var text: String {
    switch self {
    case .tcp(let endpoint): endpoint.text
    case .ssh(let address): address.text
    }
  }

  package var host: String {
    switch self {
    case .tcp(let endpoint): endpoint.host
    case .ssh(let address): address.host
    }
  }

  package var endpoint: Endpoint? { if case .tcp(let endpoint) = self { endpoint } else { nil } }

  /// Connects to the machine; with ssh, the method returns before the user has logged in.
  package func dial(over network: any Network) throws(NetworkError) -> any Line {
    switch self {
    case .tcp(let endpoint):
      try network.dial(
        host: endpoint.host, port: endpoint.port,
        patienceMilliseconds: Int(Limit.helloMilliseconds))
    case .ssh(let address): try network.run(address.command, to: address.text)
    }
  }

  /// The time within which the machine must prove its key, in milliseconds.
  ///
  /// With ssh, the user may have to type a password first.
  package var handshakeMilliseconds: Int64 {
    switch self {
    case .tcp: Limit.helloMilliseconds
    case .ssh: Limit.loginMilliseconds
    }
  }
}
