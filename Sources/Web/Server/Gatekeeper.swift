/// Decides which requests are answered.
///
/// Every user of the machine and every page in a browser can reach the port. Only the book's owner receives the key in
/// the path.
package struct Gatekeeper: Sendable {
  package let key: String
  package let port: UInt16

  package init(key: String, port: UInt16) { (self.key, self.port) = (key, port) }

  /// The URL of the page.
  package var address: String { "http://\(hosts[0])/\(key)/" }

  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

  /// Admits a request, and removes the key from its path.
  ///
  /// - Throws: ``HTTPFault`` if the host, path, method or origin is not acceptable.
  func admit(_ request: HTTPRequest) throws(HTTPFault) -> Target {
    // A request with a different host name is a sign of DNS rebinding.
    guard let host = request.only("host") else { throw .badRequest }
    guard hosts.contains(host) else { throw .misdirected }
    guard var target = Target(request.target) else { throw .badRequest }
    guard let first = target.path.first, isKey(first) else { throw .notFound }
    target.path.removeFirst()
    guard ["GET", "HEAD", "POST"].contains(request.method) else { throw .methodNotAllowed }
    try checkSource(of: request, host)
    return target
  }

  /// Refuses requests from other sites.
  private func checkSource(of request: HTTPRequest, _ host: String) throws(HTTPFault) {
    let isWriting = request.method == "POST"
    let sites = request.values(of: "sec-fetch-site")
    guard sites.allSatisfy({ $0 == "same-origin" || ($0 == "none" && !isWriting) }) else {
      throw .forbidden
    }
    let origins = request.values(of: "origin")
    guard origins.allSatisfy({ $0 == "http://\(host)" }), !isWriting || origins.count == 1 else {
      throw .forbidden
    }
  }

  /// Compares all bytes, so that the time taken reveals nothing about the key.
  private func isKey(_ words: String) -> Bool {
    let (own, other) = (Array(key.utf8), Array(words.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
