package import Platform
package import S3

/// The user's description of where a bucket is.
package struct BucketOptions: Sendable {
  /// The URL of the service; nil to use the machine's settings, or AWS if they contain no URL.
  package var endpoint: String?
  package var region: String?
  package var usesPath: Bool

  package init(endpoint: String? = nil, region: String? = nil, usesPath: Bool = false) {
    (self.endpoint, self.region, self.usesPath) = (endpoint, region, usesPath)
  }
}

/// The reason why an address is not the address of a bucket.
package enum BucketAddressFault: Error, Hashable, Sendable {
  /// The address is not `s3://BUCKET/PREFIX`.
  case address
  /// The endpoint is not the URL of a service.
  case endpoint(String)
  /// The endpoint is on another machine, and the connection would not be encrypted.
  case unencrypted(String)
  case region(String)
  case settings(S3Fault)
}

extension StorePlace {
  /// Parses the address of a bucket, and completes it with the machine's settings.
  ///
  /// - Parameters:
  ///   - text: The address: `s3://BUCKET/PREFIX`.
  ///   - options: What the user has specified in addition.
  ///   - machine: The machine.
  /// - Throws: ``BucketAddressFault``.
  package init(
    bucket text: String, _ options: BucketOptions, on machine: Machine
  ) throws(BucketAddressFault) {
    let settings: SharedSettings
    do throws(CredentialFault) { settings = try SharedSettings(of: machine) } catch {
      throw .settings(.credentials(error))
    }
    let region = options.region ?? settings.region ?? S3Service.defaultRegion
    guard S3Service.isRegion(region) else { throw .region(region) }
    var service = S3Service.amazon(region)
    if let url = options.endpoint ?? settings.endpoint {
      guard let named = S3Service(url: url, region: region) else { throw .endpoint(url) }
      guard named.isAcceptable else { throw .unencrypted(url) }
      service = named
    }
    service.usesPath = options.usesPath
    guard let address = BucketAddress(text, at: service) else { throw .address }
    self = .bucket(address)
  }
}

extension S3Service {
  /// Parses `https://HOST[:PORT]`, or `http://HOST[:PORT]`; nil if the text has another form.
  package init?(url: String, region: String) {
    let isEncrypted = url.hasPrefix("https://")
    guard isEncrypted || url.hasPrefix("http://") else { return nil }
    var text = url.dropFirst(isEncrypted ? 8 : 7)
    if text.hasSuffix("/") { text = text.dropLast() }
    let port: UInt16 = isEncrypted ? 443 : 80
    guard !text.contains(where: { "/?#@%".contains($0) }), text.utf8.allSatisfy({ $0 < 0x80 }),
      let endpoint = Endpoint(String(text)) ?? Endpoint("\(text):\(port)")
    else { return nil }
    self.init(
      host: endpoint.host, port: endpoint.port, isEncrypted: isEncrypted, region: region,
      usesPath: false)
  }

  /// The URL of the service.
  package var url: String {
    "\(isEncrypted ? "https" : "http")://\(Endpoint(host: host, port: port).text)"
  }

  /// Whether connections are encrypted or do not leave the machine.
  package var isAcceptable: Bool { isEncrypted || Endpoint(host: host, port: port).isLoopback }

  /// Whether a text is acceptable as the name of a region.
  package static func isRegion(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
          || (0x41...0x5A).contains(byte)
      }
  }
}
