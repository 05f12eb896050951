import Bytes
import HTTP

/// One page of a list of objects.
package struct ObjectListing: Equatable, Sendable {
  /// An object, as the service lists it.
  package struct Object: Equatable, Sendable {
    /// The object's key below the listed folder.
    package var key: String
    package var size: Int
    /// The time at which the object was written, in milliseconds since 1970, according to the service's clock.
    package var modified: Int64
  }

  package var objects: [Object] = []
  /// The names of the folders in the listed folder.
  package var folders: [String] = []
  /// The token that requests the next page; nil on the last page.
  package var next: String?

  package init() {}

  /// Reads the answer to a list request.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - folder: The complete key of the listed folder. Keys that do not begin with it are skipped.
  /// - Throws: ``S3Fault``.
  init(_ response: ServerResponse, below folder: String) throws(S3Fault) {
    guard response.status == 200 else {
      // If there is no such bucket, the service may send no code.
      let fault = S3Fault(response)
      throw response.status == 404 ? .noBucket : fault
    }
    guard let list = try? XMLElement(parsing: response.body), list.name == "ListBucketResult" else {
      throw .badListing
    }
    let isEncoded = list["EncodingType"] == "url"
    for content in list.all("Contents") {
      guard let text = content["Key"], let key = Self.key(text, isEncoded),
        let size = content["Size"].flatMap({ Int($0) }), size >= 0,
        let modified = content["LastModified"].flatMap(UTCTime.parse)
      else { throw .badListing }
      guard key.utf8.starts(with: folder.utf8) else { continue }
      let name = String(Substring(key.utf8.dropFirst(folder.utf8.count)))
      objects.append(Object(key: name, size: size, modified: modified))
    }
    for common in list.all("CommonPrefixes") {
      guard let text = common["Prefix"], let key = Self.key(text, isEncoded) else {
        throw .badListing
      }
      guard key.utf8.starts(with: folder.utf8), key.utf8.last == UInt8(ascii: "/") else { continue }
      folders.append(String(Substring(key.utf8.dropFirst(folder.utf8.count).dropLast())))
    }
    guard list["IsTruncated"] == "true" else { return }
    guard let token = list["NextContinuationToken"], !token.isEmpty, token.utf8.count <= 4_096
    else { throw .badListing }
    next = token
  }

  private static func key(_ text: String, _ isEncoded: Bool) -> String? {
    isEncoded ? PercentEncoding.decoded(text, plusIsBlank: true) : text
  }
}
