package import Bytes
internal import COpenSSL

/// Computes SHA-256 digests with one reusable context.
///
/// The context calls OpenSSL's functions for SHA-256 directly. Looking up the algorithm by name would cost a
/// millisecond per process, and would make each digest take half as long again.
@safe package struct SHA256: ~Copyable {
  private var context = SHA256_CTX()

  package init() { start() }

  private mutating func start() {
    let succeeded = unsafe SHA256_Init(&context)
    precondition(succeeded == 1, "a digest can begin")
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    let succeeded = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }
    precondition(succeeded == 1, "a digest takes any bytes")
  }

  package mutating func update(_ bytes: [UInt8]) {
    update(bytes.span)
  }

  /// Returns the digest of all bytes since the last digest, and starts a new digest.
  package mutating func finish() -> Digest {
    var bytes: [32 of UInt8] = .init(repeating: 0)
    var span = bytes.mutableSpan
    let succeeded = unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe SHA256_Final(buffer.baseAddress, &context)
    }
    precondition(succeeded == 1, "a digest that was begun can be ended")
    start()
    return Digest(bytes.span)
  }

  /// Returns the digest of the given bytes, following any bytes passed to ``update(_:)`` since the last digest.
  package mutating func digest(_ bytes: Span<UInt8>) -> Digest {
    update(bytes)
    return finish()
  }

  /// Returns the digest of the given bytes.
  package static func digest(of bytes: [UInt8]) -> Digest {
    var hasher = SHA256()
    return hasher.digest(bytes.span)
  }
}
