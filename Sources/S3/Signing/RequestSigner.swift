import Bytes
import Crypto
package import HTTP

/// Signs requests with Signature Version 4 of AWS, and adds the signature to their header.
///
/// A signature covers the method, the path, the query, all fields and the digest of the body, and is valid for a few
/// minutes. The secret never leaves this machine.
package struct RequestSigner: Sendable {
  package let key: AccessKey
  package let region: String
  private let service: String

  package init(_ key: AccessKey, region: String) { self.init(key, region: region, service: "s3") }

  init(_ key: AccessKey, region: String, service: String) {
    (self.key, self.region, self.service) = (key, region, service)
  }

  private static let algorithm = "AWS4-HMAC-SHA256"

  /// Signs a request to a bucket.
  ///
  /// - Parameters:
  ///   - request: The request, whose target is encoded, and whose query consists of pairs sorted by their bytes.
  ///   - time: The current time, in milliseconds since 1970.
  /// - Returns: The request with the date, the digest of its body and the signature.
  package func signed(_ request: ClientRequest, at time: Int64) -> ClientRequest {
    let digest = SHA256.digest(of: request.body).hex
    var dated = request
    dated.fields.append(HeaderField(name: "x-amz-content-sha256", value: digest))
    return authorized(dated, at: time, digest: digest)
  }

  /// Adds the date, the token and the signature.
  package func authorized(_ request: ClientRequest, at time: Int64, digest: String) -> ClientRequest
  {
    let date = UTCTime.compact(time)
    var request = request
    request.fields.append(HeaderField(name: "x-amz-date", value: date))
    if let token = key.sessionToken {
      request.fields.append(HeaderField(name: "x-amz-security-token", value: token))
    }
    let scope = "\(date.prefix(8))/\(region)/\(service)/aws4_request"
    let canonical = Self.canonical(request, digest: digest)
    let text = [Self.algorithm, date, scope, SHA256.digest(of: Array(canonical.utf8)).hex]
      .joined(separator: "\n")
    let signature = HMAC.code(of: Array(text.utf8), with: signingKey(on: String(date.prefix(8))))
    let words = [
      "\(Self.algorithm) Credential=\(key.id)/\(scope)",
      "SignedHeaders=\(Self.signedNames(of: request).joined(separator: ";"))",
      "Signature=\(signature.hex)",
    ]
    request.fields.append(
      HeaderField(name: "authorization", value: words.joined(separator: ", ")))
    return request
  }

  /// Returns the key for one day's requests to one service in one region.
  private func signingKey(on day: String) -> [UInt8] {
    [day, region, service, "aws4_request"].reduce(Array("AWS4\(key.secret)".utf8)) { key, part in
      HMAC.code(of: Array(part.utf8), with: key).bytes
    }
  }

  /// Returns the names of the signed fields, which are all fields of the request, in order.
  private static func signedNames(of request: ClientRequest) -> [String] {
    Set(request.fields.map(\.name)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the canonical form of a request, which is signed.
  static func canonical(_ request: ClientRequest, digest: String) -> String {
    let halves = request.target.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var lines = [
      request.method.rawValue, String(halves[0]), halves.count == 2 ? "\(halves[1])" : "",
    ]
    let names = signedNames(of: request)
    for name in names {
      let values = request.fields.values(of: name).map(Self.collapsed)
      lines.append("\(name):\(values.joined(separator: ","))")
    }
    lines += ["", names.joined(separator: ";"), digest]
    return lines.joined(separator: "\n")
  }

  /// Returns a value without spaces at either end, and with single spaces between words.
  private static func collapsed(_ value: String) -> String {
    value.split(separator: " ").joined(separator: " ")
  }
}
