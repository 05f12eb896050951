/// A host, by name or address, and a TCP port.
package struct Endpoint: Hashable, Sendable {
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

  /// Parses `HOST:PORT`.
  ///
  /// An IPv6 address must be in brackets.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(port: text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty, host.utf8.count <= Limit.hostBytes,
      host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "[") })
    else { return nil }
    self.init(host: String(host), port: port)
  }

  package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether the host represents all of a machine's addresses, so that it cannot be dialed.
  package var isEverywhere: Bool { ["0.0.0.0", "::"].contains(host) }

  /// Whether the host can be reached only from the same machine.
  package var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

extension UInt16 {
  /// Parses a port, which consists of decimal digits only, without a sign.
  init?(port text: Substring) {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.init(text)
  }
}
