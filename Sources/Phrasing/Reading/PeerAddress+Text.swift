package import Daybook
import Platform
import Syncing

extension PeerAddress {
  /// The address in the form in which a user types it.
  package var text: String {
    switch self {
    case .file(let path), .directory(let path): path.string
    case .store(let address): "\(address.place.location.string) (sealed)"
    case .ssh(let address): address.text
    case .tcp(let host, let port): "tcp://\(Endpoint(host: host, port: port).text)"
    }
  }
}
