package import HTTP

/// The unsigned requests to the objects of a bucket.
///
/// A key is given without the prefix of the address.
package struct BucketRequests: Sendable {
  private let address: BucketAddress

  package init(_ address: BucketAddress) { self.address = address }

  /// The maximum number of keys in one answer; services send no more.
  static let pageKeys = 1_000

  /// Lists the objects whose keys begin with that of a folder.
  ///
  /// - Parameters:
  ///   - folder: The key of the folder, with the slash after it; empty for everything below the prefix.
  ///   - isDivided: Whether folders in it are listed instead of the objects in those.
  ///   - token: The token of the previous answer; nil for the first request.
  /// - Returns: The request.
  package func list(
    _ folder: String, divided isDivided: Bool = false, after token: String? = nil
  ) -> ClientRequest {
    // Signatures require that the names are sorted.
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

  /// Gets an object.
  package func get(_ key: String) -> ClientRequest { request(.get, to: whole(key)) }

  /// Gets a part of an object.
  ///
  /// - Precondition: The range is not empty.
  package func get(_ key: String, bytes range: Range<Int>) -> ClientRequest {
    precondition(!range.isEmpty && range.lowerBound >= 0, "a request has a range of bytes")
    var request = get(key)
    request.fields.append(
      HeaderField(name: "range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
    return request
  }

  /// Adds or replaces an object.
  ///
  /// There is no condition: an object under a name always has the same bytes, so replacing it does no harm, and replaces
  /// one that is damaged.
  package func put(_ bytes: [UInt8], as key: String) -> ClientRequest {
    var request = request(.put, to: whole(key))
    request.body = bytes
    return request
  }

  package func delete(_ key: String) -> ClientRequest { request(.delete, to: whole(key)) }

  /// The key with the prefix of the address.
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

  /// The objects and folders in an answer to a list request.
  package func listing(
    in response: ServerResponse, of folder: String
  ) throws(S3Fault) -> ObjectListing {
    try ObjectListing(response, below: whole(folder))
  }
}
