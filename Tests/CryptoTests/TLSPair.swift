import Testing

@testable import Crypto

/// Two sides of a session, and the bytes between them.
final class TLSPair {
  var client: TLSSession
  var server: TLSSession
  /// The number of bytes that are delivered at once.
  var step = Int.max
  /// All bytes sent over the line in this direction.
  private(set) var toServer: [UInt8] = []
  private(set) var toClient: [UInt8] = []
  private(set) var heardByClient: [UInt8] = []
  private(set) var heardByServer: [UInt8] = []

  static func identity(
    _ seed: UInt8, _ settings: TLSSettings = .daybook
  ) throws(CryptoError) -> TLSIdentity {
    try TLSIdentity(
      SigningKey(seed: [UInt8](repeating: seed, count: 32)), settings: settings)
  }

  init(
    _ left: TLSIdentity, _ right: TLSIdentity,
    pin: @escaping @Sendable (PublicKey) -> Bool = { _ in true },
    allowedPeers: @escaping @Sendable (PublicKey) -> Bool = { _ in true }
  ) throws(TLSError) {
    client = try TLSSession.begin(.client, as: left, admits: pin)
    server = try TLSSession.begin(.server, as: right, admits: allowedPeers)
  }

  /// Delivers pending bytes in both directions until none are left.
  ///
  /// An error of one side ends only that side, as on separate machines.
  func run() -> (client: TLSError?, server: TLSError?) {
    var faults: (client: TLSError?, server: TLSError?)
    while true {
      let (up, down) = (client.outgoing(), server.outgoing())
      if up.isEmpty, down.isEmpty { return faults }
      toServer += up
      toClient += down
      if faults.server == nil { faults.server = Self.give(up, step, &server, &heardByServer) }
      if faults.client == nil { faults.client = Self.give(down, step, &client, &heardByClient) }
    }
  }

  /// Delivers bytes to one side in steps.
  static func give(
    _ bytes: [UInt8], _ step: Int = .max, _ session: inout TLSSession, _ heard: inout [UInt8]
  ) -> TLSError? {
    var rest = bytes[...]
    do throws(TLSError) {
      while !rest.isEmpty {
        heard += try session.receive(Array(rest.prefix(step)))
        rest = rest.dropFirst(step)
      }
      return nil
    } catch {
      return error
    }
  }
}
