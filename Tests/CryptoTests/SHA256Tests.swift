import Bytes
import Crypto
import Testing

struct SHA256Tests {
  /// From NIST's examples for FIPS 180-4.
  static let vectors: [(message: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: Self.vectors)
  func `SHA-256: published inputs produce their digests`(message: String, digest: String) {
    #expect(SHA256.digest(of: Array(message.utf8)).hex == digest)
  }

  @Test func `SHA-256: a reused context returns the same digests as a new one`() {
    var hasher = SHA256()
    for count in [0, 1, 55, 56, 63, 64, 65, 1_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let kept = hasher.digest(bytes.span)
      #expect(kept == SHA256.digest(of: bytes))
    }
  }

  @Test func `SHA-256: bytes in parts produce the digest of the whole`() {
    let whole = Array("a day is made of its events".utf8)
    var hasher = SHA256()
    for cut in 0...whole.count {
      hasher.update(Array(whole[..<cut]))
      hasher.update(whole.span.extracting(cut...))
      let digest = hasher.finish()
      #expect(digest == SHA256.digest(of: whole))
    }
  }
}
