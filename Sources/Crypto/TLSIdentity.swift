internal import Synchronization

/// A device's identity in TLS, which is its signing key in a self-signed certificate.
///
/// An identity is created once and serves any number of simultaneous sessions. The identity keeps the private key only
/// in memory that OpenSSL overwrites before freeing it.
package final class TLSIdentity: Sendable {
  package let publicKey: PublicKey
  /// The certificate in DER.
  ///
  /// The same key always has the same certificate.
  package let certificate: [UInt8]
  private let context: Mutex<TLSContext>

  package convenience init(_ key: SigningKey) throws(CryptoError) {
    try self.init(key, settings: .daybook)
  }

  init(_ key: SigningKey, settings: TLSSettings) throws(CryptoError) {
    let handle = try KeyHandle(.ed25519, seed: key.seed)
    let certificate = try CertificateHandle.make(of: handle)
    publicKey = key.publicKey
    self.certificate = try certificate.der()
    context = Mutex(try TLSContext.make(handle, certificate, settings))
  }

  /// Creates the OpenSSL part of a session, which keeps the context alive.
  func begin(_ judge: TLSJudge) throws(TLSError) -> TLSHandle {
    // The address is passed as an integer, because the lock does not let pointers escape. OpenSSL counts the
    // references.
    let session = context.withLock { context in context.begin() }
    do throws(CryptoError) {
      guard let session = unsafe OpaquePointer(bitPattern: session) else {
        throw OpenSSL.drainErrors()
      }
      return try unsafe TLSHandle.make(session, judge)
    } catch {
      throw .library(error)
    }
  }
}

extension TLSIdentity: CustomStringConvertible {
  package var description: String { "TLSIdentity" }
}
