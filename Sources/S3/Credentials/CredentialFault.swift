package import Platform

/// The reason why this machine's access key cannot be read.
package enum CredentialFault: Error, Hashable, Sendable {
  /// There is no profile with this name.
  case noProfile(String)
  /// The profile has an id without a secret, or a secret without an id.
  case incomplete(String)
  /// The file cannot be read.
  case unreadable(Path, DiskFault)
  /// The program that `credential_process` names did not print an access key.
  case program(String)
}
