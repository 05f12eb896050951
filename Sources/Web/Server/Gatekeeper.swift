/// Who may ask anything at all.
///
/// The port can be reached by every user of the machine and by every page that a browser has open; the key in the path
/// is what only the owner of the book was told.
package struct Gatekeeper: Sendable {
  package let key: String
  package let port: UInt16

  package init(key: String, port: UInt16) { (self.key, self.port) = (key, port) }

  /// Where the page is.
  package var address: String { "http://\(hosts[0])/\(key)/" }

  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

  /// Lets a request in, and takes the key off its path.
  func admit(_ request: HTTPRequest) throws(HTTPFault) -> Target {
    // A name of another host that leads here is one that somebody else has made lead here.
    guard let host = request.only("host") else { throw .badRequest }
    guard hosts.contains(host) else { throw .misdirected }
    guard var target = Target(request.target) else { throw .badRequest }
    guard let first = target.path.first, isKey(first) else { throw .notFound }
    target.path.removeFirst()
    guard ["GET", "HEAD", "POST"].contains(request.method) else { throw .methodNotAllowed }
    try checkSource(of: request, host)
    return target
  }

  /// Refuses what another page sends.
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

  /// Compares all bytes, so that the time it takes tells nothing of the key.
  private func isKey(_ words: String) -> Bool {
    let (own, other) = (Array(key.utf8), Array(words.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
