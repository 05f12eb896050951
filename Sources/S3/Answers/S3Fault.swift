import Bytes
package import Crypto
package import HTTP
package import Platform

/// The reason why a request to object storage failed.
package enum S3Fault: Error, Hashable, Sendable {
  // Errors about access.
  /// There is no access key on this machine.
  case noKey
  /// The access key on this machine cannot be read.
  case credentials(CredentialFault)
  /// The service does not recognize the access key.
  case unknownKey
  /// The secret does not belong to the access key.
  case wrongSecret
  /// The temporary access key has expired, or its token is invalid.
  case expired
  /// The access key does not allow this request.
  case accessDenied
  /// This machine's clock and the service's clock differ by more than signatures allow.
  case clock

  // Errors about the bucket.
  case noBucket
  /// The bucket is in another region, which the service may have named.
  case otherRegion(String?)
  /// The bucket accepts no more bytes.
  case full
  /// The service does not offer something that is needed, or refuses the request for another reason.
  case refused(status: Int, code: String)
  /// At each attempt, the service failed or asked for fewer requests.
  case busy(status: Int, code: String)

  // Errors about the answers.
  /// The bytes received are not an acceptable response.
  case http(ResponseFault)
  /// The list does not have a form that S3 specifies.
  case badListing

  // Errors of the line.
  case network(NetworkError)
  case tls(TLSError)
  /// The root certificates of this machine cannot be read.
  case noRoots
  case tooSlow
}

extension S3Fault {
  /// Whether the same request may succeed a moment later.
  package var isTemporary: Bool {
    switch self {
    case .busy, .tooSlow, .network(.cut), .network(.timedOut), .http(.cut), .http(.silent),
      .tls(.cut):
      true
    default: false
    }
  }

  /// Creates the fault that a response reports.
  ///
  /// - Parameter response: A response that does not report success.
  package init(_ response: ServerResponse) {
    // Servers between this machine and the service may send other kinds of text, or nothing.
    let error = try? XMLElement(parsing: response.body, mostElements: 1_000)
    let code = error?.name == "Error" ? error?["Code"] ?? "" : ""
    let region = response.fields.only("x-amz-bucket-region") ?? error?["Region"]
    self.init(response.status, code: code, region: region)
  }

  private init(_ status: Int, code: String, region: String?) {
    switch code {
    case "InvalidAccessKeyId": self = .unknownKey
    case "SignatureDoesNotMatch": self = .wrongSecret
    case "ExpiredToken", "InvalidToken", "TokenRefreshRequired": self = .expired
    case "RequestTimeTooSkewed": self = .clock
    case "NoSuchBucket": self = .noBucket
    case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage": self = .full
    case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect",
      "IllegalLocationConstraintException":
      self = .otherRegion(region)
    case "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable":
      self = .busy(status: status, code: code)
    default: self.init(status, otherCode: code, region: region)
    }
  }

  private init(_ status: Int, otherCode code: String, region: String?) {
    switch status {
    case 401, 403: self = .accessDenied
    case 301, 307, 308: self = .otherRegion(region)
    case 507: self = .full
    case 408, 429, 500, 502, 503, 504: self = .busy(status: status, code: code)
    default: self = .refused(status: status, code: code)
    }
  }
}
