import Syncing

/// The data that one device needs to join the book of another.
///
/// ``Book/invite()`` makes an invitation, and ``Book/join(by:in:on:device:comparing:)`` accepts its ``code``.
public struct BookInvitation: Hashable, Sendable {
  /// The text to enter on the other device.
  ///
  /// Keep the code private, because the first device that uses it can join the book.
  public let code: String
  /// The host in the invitation.
  public let host: String
  /// The TCP port in the invitation.
  public let port: UInt16
  /// Other addresses at which this machine may be reached, for ``Book/invite(host:port:)``.
  public let otherHosts: [String]
  /// The time at which the invitation ends by the clock of this machine, in milliseconds since 1970.
  public let end: Int64
}

extension BookInvitation: CustomStringConvertible {
  init(_ invited: Invited) {
    guard let endpoint = invited.invitation.address.endpoint else {
      preconditionFailure("the library makes invitations with a host and a port")
    }
    self.init(
      code: invited.invitation.text, host: endpoint.host, port: endpoint.port,
      otherHosts: invited.alternatives.map(\.host), end: invited.end)
  }

  /// The address in the invitation, without the secret.
  public var description: String { "\(Endpoint(host: host, port: port).text)" }
}
