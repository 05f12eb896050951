package import Crypto

/// The identity that one side of a connection presents, and the keys that it accepts.
package struct Credentials {
  package var identity: TLSIdentity
  package var admits: @Sendable (PublicKey) -> Bool

  package init(_ identity: TLSIdentity, admits: @escaping @Sendable (PublicKey) -> Bool) {
    (self.identity, self.admits) = (identity, admits)
  }
}
