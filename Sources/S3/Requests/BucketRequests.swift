package import HTTP

/// The unsigned requests for a bucket and its objects.
///
/// Keys are passed without the address's prefix.
package struct BucketRequests: Sendable {
  private let address: BucketAddress

  package init(_ address: BucketAddress) { self.address = address }

  /// The maximum number of keys in one answer, which services do not exceed.
  static let pageKeys = 1_000

  /// Returns the request that lists the objects whose keys begin with the given folder's key.
  ///
  /// - Parameters:
  ///   - folder: The folder's key, including the slash at its end; empty for everything below the prefix.
  ///   - isDivided: Whether to list the folders in the given folder instead of the objects in those folders.
  ///   - token: The token from the previous answer; nil for the first request.
  /// - Returns: The request.
  package func list(
    _ folder: String, divided isDivided: Bool = false, after token: String? = nil
  ) -> ClientRequest {
    // Signatures require the names to be sorted.
    var query: [(String, String)] = []
    if let token { query.append(("continuation-token", token)) }
    if isDivided { query.append(("delimiter", "/")) }
    query.append(("encoding-type", "url"))
    query.append(("list-type", "2"))
    query.append(("max-keys", String(Self.pageKeys)))
    query.append(("prefix", whole(folder)))
    let pairs = query.map { "\($0)=\(PercentEncoding.encoded($1))" }
    return request(.get, to: "", query: pairs.joined(separator: "&"))
  }

  /// Returns the request for an object.
  package func get(_ key: String) -> ClientRequest { request(.get, to: whole(key)) }

  /// Returns the request for a part of an object.
  ///
  /// - Precondition: The range is not empty.
  package func get(_ key: String, bytes range: Range<Int>) -> ClientRequest {
    precondition(!range.isEmpty && range.lowerBound >= 0, "a request has a range of bytes")
    var request = get(key)
    request.fields.append(
      HeaderField(name: "range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
    return request
  }

  /// Returns the request that adds or replaces an object.
  ///
  /// The request contains no condition. Objects with the same name always have the same bytes, so replacing an intact
  /// object does no harm, and replacing a damaged one repairs it.
  package func put(_ bytes: [UInt8], as key: String) -> ClientRequest {
    var request = request(.put, to: whole(key))
    request.body = bytes
    return request
  }

  package func delete(_ key: String) -> ClientRequest { request(.delete, to: whole(key)) }

  /// Returns the key with the address's prefix.
  private func whole(_ key: String) -> String {
    address.prefix.isEmpty ? key : "\(address.prefix)/\(key)"
  }

  private func request(
    _ method: ClientRequest.Method, to key: String, query: String? = nil
  ) -> ClientRequest {
    let path = address.path(of: key)
    return ClientRequest(
      method, query.map { "\(path)?\($0)" } ?? path,
      fields: [HeaderField(name: "host", value: address.authority)])
  }

  /// Returns the objects and folders in the answer to a list request.
  package func listing(
    in response: ServerResponse, of folder: String
  ) throws(S3Fault) -> ObjectListing {
    try ObjectListing(response, below: whole(folder))
  }
}
