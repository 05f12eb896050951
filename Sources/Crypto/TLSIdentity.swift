internal import Synchronization

/// What a device shows of itself in TLS: the key by which it signs, in a certificate of its own.
///
/// It is made once, and stands behind any number of sessions at a time. It keeps the private key
/// where OpenSSL wipes it, and nowhere else.
package final class TLSIdentity: Sendable {
  package let publicKey: PublicKey
  /// The certificate's DER; the same key has the same for ever.
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

  /// Makes the OpenSSL part of a session; it keeps the context alive for itself.
  func begin(_ judge: TLSJudge) throws(TLSError) -> TLSHandle {
    // A number, because the lock lets no pointer out. OpenSSL counts who has the session.
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
