import Crypto
import HTTP
package import Platform
package import S3

extension S3Fault {
  /// The report of a session with a store at the given location.
  package func told(at location: Path) -> Told {
    let place = location.string.visible
    let kind: (code: String, exit: ExitCode) =
      switch self {
      case .noKey, .credentials: ("no-access-key", .refused)
      case .unknownKey, .wrongSecret, .expired, .accessDenied: ("access-denied", .refused)
      case .clock: ("clock", .refused)
      case .noBucket, .otherRegion: ("no-bucket", .refused)
      case .full: ("store-full", .cannotWrite)
      case .refused, .badListing: ("store", .refused)
      case .noRoots: ("tls", .refused)
      case .tls(.certificate), .tls(.library): ("tls", .refused)
      case .busy, .http, .network, .tls, .tooSlow: ("network", .network)
      }
    return Told(kind.code, kind.exit, "cannot use \(place): \(text).\n\(advice)")
  }

  /// The reason, as part of a sentence.
  package var text: String {
    switch self {
    case .noKey: "this machine has no access key for it"
    case .credentials(let fault): fault.text
    case .unknownKey: "the service does not recognize the access key"
    case .wrongSecret: "the secret does not belong to the access key"
    case .expired: "the access key has expired"
    case .accessDenied: "the access key does not grant access"
    case .clock: "the clock of this machine differs too much from that of the service"
    case .noBucket: "there is no such bucket"
    case .otherRegion(let region):
      "the bucket is in another region" + (region.map { ", \($0.visible)" } ?? "")
    case .full: "the bucket is full"
    case .refused(let status, let code), .busy(let status, let code):
      "the service answered \(status)" + (code.isEmpty ? "" : " \(code.visible)")
    case .http(.cut), .http(.silent), .network(.cut), .tls(.cut): "the connection broke"
    case .http(.otherVersion), .http(.malformed), .badListing, .tls(.notTLS):
      "the server at that address does not offer object storage"
    case .http: "the answer is longer than allowed"
    case .network(.refused): "nothing is listening at its address"
    case .network(.unknownHost): "its host name could not be resolved"
    case .network(.unreachable): "there is no route to it"
    case .network: "the network failed"
    case .tls(.certificate(let fault)): "the server's certificate is not acceptable: \(fault.text)"
    case .tls(.library(let error)): "encryption could not be started: \(error.text)"
    case .tls: "no encrypted connection could be established"
    case .noRoots: "this machine has no certificates of trusted authorities"
    case .tooSlow: "the service is too slow"
    }
  }

  /// What the user can do.
  private var advice: String {
    switch self {
    case .noKey, .credentials:
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write the key into ~/.aws/credentials."
    case .unknownKey, .wrongSecret, .expired:
      "Check the access key in the environment, or in ~/.aws/credentials."
    case .accessDenied:
      "The access key must allow listing the bucket, and reading, writing and deleting objects in it."
    case .clock: "Correct the clock, and try again."
    case .noBucket: "Check the address, or create the bucket with the provider's tools."
    case .otherRegion:
      "Forget the peer, then add it again with --region set to the bucket's region."
    case .full: "Free some space in the bucket. Everything in it can still be read."
    case .noRoots: "Install the package ca-certificates, or set SSL_CERT_FILE."
    case .refused, .badListing, .http(.otherVersion), .http(.malformed), .tls:
      "Check the address and the endpoint."
    case .busy, .http, .network, .tooSlow: "Try again later; nothing is lost."
    }
  }
}

extension CredentialFault {
  fileprivate var text: String {
    switch self {
    case .noProfile(let name):
      "AWS_PROFILE names the profile \(name.visible), which does not exist"
    case .incomplete(let place): "the access key in \(place.visible) lacks its id or its secret"
    case .unreadable(let path, let fault):
      "\(path.string.visible) cannot be read: \(fault.text)"
    case .program(let name): "\(name.visible) did not print an access key"
    }
  }
}
