package import Platform

/// The reason why the access key of this machine cannot be read.
package enum CredentialFault: Error, Hashable, Sendable {
  /// There is no profile with this name.
  case noProfile(String)
  /// The profile has an id without a secret, or a secret without an id.
  case incomplete(String)
  /// The file cannot be read.
  case unreadable(Path, DiskFault)
  /// The program that `credential_process` names has not printed an access key.
  case program(String)
}
