internal import COpenSSL
internal import Synchronization

/// The certificates of the authorities that a machine trusts to certify servers.
package final class TrustedRoots: Sendable {
  private let context: Mutex<TLSContext>

  /// Reads certificates.
  ///
  /// Everything else in the text is skipped, as are certificates that cannot be read.
  ///
  /// - Parameter pem: The certificates, as PEM blocks (RFC 7468).
  /// - Throws: ``CryptoError`` if OpenSSL fails.
  package init(pem: [UInt8]) throws(CryptoError) {
    context = Mutex(try TLSContext.make(trusting: Self.certificates(in: pem)))
  }

  /// Returns the DER encodings of the certificates.
  private static func certificates(in pem: [UInt8]) -> [[UInt8]] {
    var (found, digits) = ([[UInt8]](), [UInt8]?.none)
    for line in pem.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      if line.elementsEqual("-----BEGIN CERTIFICATE-----".utf8) {
        digits = []
      } else if line.first == UInt8(ascii: "-") {
        if let ended = digits, let der = decoded(ended) { found.append(der) }
        digits = nil
      } else {
        digits?.append(contentsOf: line)
      }
    }
    return found
  }

  private static func decoded(_ digits: [UInt8]) -> [UInt8]? {
    guard !digits.isEmpty, digits.count.isMultiple(of: 4) else { return nil }
    // The last one or two bytes may come from padding. The certificate parser knows where a certificate ends.
    var der = [UInt8](repeating: 0, count: digits.count / 4 * 3)
    let count = unsafe EVP_DecodeBlock(&der, digits, Int32(digits.count))
    return count == der.count ? der : nil
  }

  /// Creates the OpenSSL part of a session, which keeps the context alive.
  func begin(toward host: String, at time: Int64) throws(TLSError) -> TLSHandle {
    // As in TLSIdentity, the address is passed as an integer.
    let session = context.withLock { context in context.begin() }
    do throws(CryptoError) {
      guard let session = unsafe OpaquePointer(bitPattern: session) else {
        throw OpenSSL.drainErrors()
      }
      // OpenSSL judges the certificate itself, so this judge is never asked.
      let handle = try unsafe TLSHandle.make(session, TLSJudge { _ in false })
      try handle.expect(host, at: time)
      return handle
    } catch {
      throw .library(error)
    }
  }
}
