import Crypto
import Foundation
import Testing

/// The result of each function does not depend on the machine's `openssl.cnf`, even if it is the first that a process
/// calls.
struct ConfigurationTests {
  /// Calls a body while the configuration of OpenSSL has no algorithms.
  ///
  /// OpenSSL reads the configuration once in a process, so each test needs its own.
  private static func withoutAlgorithms(_ body: () throws -> Void) throws {
    let name = "daybook-\(ProcessInfo.processInfo.processIdentifier).cnf"
    let file = FileManager.default.temporaryDirectory.appending(path: name)
    let settings = """
      openssl_conf = start
      [start]
      alg_section = algorithms
      [algorithms]
      default_properties = provider=none

      """
    try Data(settings.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    unsafe setenv("OPENSSL_CONF", file.path, 1)
    try body()
  }

  @Test func `OpenSSL: HMAC does not depend on the configuration of the machine`() async {
    await #expect(processExitsWith: .success) {
      try Self.withoutAlgorithms { _ = HMAC.code(of: [1], with: [2]) }
    }
  }

  @Test func `OpenSSL: encryption does not depend on the configuration of the machine`() async {
    await #expect(processExitsWith: .success) {
      try Self.withoutAlgorithms {
        let key = [UInt8](repeating: 1, count: ChaCha20Poly1305.keyBytes)
        let nonce = [UInt8](repeating: 2, count: ChaCha20Poly1305.nonceBytes)
        _ = ChaCha20Poly1305.seal([3], key: key, nonce: nonce, authenticating: [])
      }
    }
  }

  @Test func `OpenSSL: keys do not depend on the configuration of the machine`() async {
    await #expect(processExitsWith: .success) {
      try Self.withoutAlgorithms {
        let key = try SigningKey(seed: [UInt8](repeating: 1, count: 32))
        let signature = try key.sign([1])
        precondition(key.publicKey.verifies(signature, of: [1]))
      }
    }
  }
}
