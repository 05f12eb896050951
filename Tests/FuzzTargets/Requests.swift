import HTTP
import Web

/// Requests to the web page, from browsers or any other program that finds the port.
enum Requests {
  /// The first byte gives the size of the pieces in which the rest arrives.
  static func take(_ bytes: [UInt8]) throws(Violation) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    let whole = read(rest, in: max(1, rest.count))
    let cut = read(rest, in: Int(first) + 1)
    try demand(whole == cut, "requests do not depend on how their bytes are split")
    for request in whole.requests {
      try demand(
        request.body.count <= HTTPLimit.bodyBytes, "no body is larger than the limit")
      guard let target = Target(request.target) else { continue }
      let again = "/" + target.path.map(PercentEncoding.encoded).joined(separator: "/")
      try demand(Target(again)?.path == target.path, "a path is read back unchanged")
    }
  }

  private struct Outcome: Equatable {
    var requests: [HTTPRequest] = []
    var fault: HTTPFault?
  }

  private static func read(_ bytes: [UInt8], in piece: Int) -> Outcome {
    var outcome = Outcome()
    var parser = RequestParser()
    do throws(HTTPFault) {
      for start in stride(from: 0, to: bytes.count, by: piece) {
        parser.take(Array(bytes[start..<min(start + piece, bytes.count)]))
        while let request = try parser.next() { outcome.requests.append(request) }
      }
    } catch {
      outcome.fault = error
    }
    return outcome
  }
}
