import HTTP

/// The location of a provider's service, and how its buckets are named in requests.
package struct S3Service: Hashable, Sendable {
  /// Whether connections are encrypted.
  package var isEncrypted: Bool
  package var host: String
  package var port: UInt16
  package var region: String
  /// Whether requests name the bucket in their path; if not, the bucket is the first part of the host name.
  package var usesPath: Bool

  package init(
    host: String, port: UInt16, isEncrypted: Bool, region: String, usesPath: Bool
  ) {
    (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
    (self.region, self.usesPath) = (region, usesPath)
  }

  /// Returns the service of AWS in the given region.
  package static func amazon(_ region: String) -> S3Service {
    S3Service(
      host: "s3.\(region).amazonaws.com", port: 443, isEncrypted: true, region: region,
      usesPath: false)
  }

  /// The region of services that have only one region.
  package static let defaultRegion = "us-east-1"
}

/// A bucket, or the objects in it whose keys have a common prefix.
package struct BucketAddress: Hashable, Sendable {
  package var service: S3Service
  package var bucket: String
  /// The prefix of the keys, without a slash at either end; empty for the whole bucket.
  package var prefix: String

  /// Parses `s3://BUCKET/PREFIX`; nil if the bucket's name or the prefix cannot be used.
  ///
  /// - Parameters:
  ///   - text: The address.
  ///   - service: The service that provides the bucket.
  package init?(_ text: String, at service: S3Service) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    let parts = text.dropFirst(Self.scheme.count).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard Self.isBucket(parts[0]) else { return nil }
    var prefix = parts.count == 2 ? parts[1] : ""
    if prefix.hasSuffix("/") { prefix = prefix.dropLast() }
    let names = prefix.split(separator: "/", omittingEmptySubsequences: false)
    guard prefix.isEmpty || names.allSatisfy(Self.isPlain),
      prefix.utf8.count <= Self.prefixBytes
    else { return nil }
    (self.service, bucket, self.prefix) = (service, String(parts[0]), String(prefix))
  }

  package static let scheme = "s3://"
  /// The maximum length of a prefix in bytes.
  ///
  /// A key may have 1,024 bytes, of which a store needs about 200.
  static let prefixBytes = 512

  /// Returns whether a name is acceptable as the name of a bucket.
  ///
  /// AWS no longer allows all of these names, but older buckets and other services have them.
  private static func isBucket(_ name: Substring) -> Bool {
    (3...63).contains(name.utf8.count) && !name.contains("..")
      && name.utf8.first.map { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") } == true
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }

  /// Returns whether no program between this machine and the service rewrites the given component of a prefix.
  private static func isPlain(_ name: Substring) -> Bool {
    !name.isEmpty && name != "." && name != ".."
      && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  package var text: String {
    Self.scheme + bucket + (prefix.isEmpty ? "" : "/" + prefix)
  }

  // MARK: Requests

  /// Whether requests name the bucket in their path.
  ///
  /// A certificate for all of a service's buckets is not valid for names that contain a dot, and an IP address has no
  /// subdomains.
  private var usesPath: Bool {
    let isAddress =
      service.host.contains(":") || service.host.allSatisfy { $0.isNumber || $0 == "." }
    return service.usesPath || isAddress || service.host == "localhost" || bucket.contains(".")
      || bucket.contains("_") || bucket.contains { $0.isUppercase }
  }

  /// The host to connect to.
  package var host: String { usesPath ? service.host : "\(bucket).\(service.host)" }

  /// The host and port as requests name them.
  var authority: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return service.port == (service.isEncrypted ? 443 : 80) ? host : "\(host):\(service.port)"
  }

  /// Returns the encoded path of an object, or of the bucket if the key is empty.
  func path(of key: String) -> String {
    let names =
      (usesPath ? [bucket] : [])
      + key.split(
        separator: "/", omittingEmptySubsequences: false
      ).map(String.init)
    return "/" + names.map(PercentEncoding.encoded).joined(separator: "/")
  }
}
