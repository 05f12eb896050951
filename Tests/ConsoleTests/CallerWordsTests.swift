import Console
import Crypto
import Phrasing
import Platform
import Syncing
import Testing

/// Messages about keys and refused callers.
struct CallerWordsTests {
  static let faults: [TLSError] = [
    .noCertificate, .severalCertificates(2), .otherKeyKind, .notTLS, .otherVersion,
    .otherProtocol, .tooMuch, .broken(code: 7), .refused(alert: 48), .refused(alert: 80), .cut,
    .library(.library(code: 7)), .library(.unreadablePEM), .library(.keyLength(31)),
  ]

  @Test(arguments: faults)
  func `Keys: a refused caller causes one line in the log and gets advice`(
    fault: TLSError
  ) {
    let line = SyncError.tls(fault).callerText
    #expect(!line.contains("\n") && !line.isEmpty && !line.hasSuffix("."))
    #expect(fault.told.text.hasSuffix("."))
  }

  @Test func `Keys: a refused key is reported by its words, not in hexadecimal`() throws {
    let key = try SigningKey(seed: [UInt8](repeating: 1, count: 32)).publicKey
    let words = "giduj-buvim-rujin-zugus-nidot-pidip"
    #expect(
      SyncError.tls(.unknownKey(key)).callerText
        == "its key, whose words are \(words), is not admitted or was revoked; to admit a device, "
        + "run 'daybook invite'")
    #expect(TLSError.unknownKey(key).told.text.contains(words))
    #expect(TLSError.unknownKey(key).told.exit == .refused)
    // A new attempt can succeed only if the other side did not reject the key.
    #expect(TLSError.refused(alert: 48).told.exit == .refused)
    #expect(TLSError.cut.told.exit == .network)
  }

  @Test(arguments: ["", "giduj", "8a88", "a-b-c-d-e", String(repeating: "0", count: 62)])
  func `Keys: an invalid key is refused before connecting`(
    words: String
  ) {
    let refused = Stage().run("join", "tcp://127.0.0.1:1", "--key", words)
    #expect(refused.code == .refused)
    #expect(refused.error.contains("--key cannot be '\(words)'"))
  }

  @Test(arguments: [
    "giduj-buvim-rujin-zugus-nidot-pidip", "GIDUJ buvim rujin zugus nidot pidip",
    "8A88E3DD7409F195FD52DB2D3CBA5D72CA6709BF1D94121BF3748801B40F6F5C",
  ])
  func `Keys: a key is accepted as words or hexadecimal in any case`(words: String) {
    let dialled = Stage().run("join", "tcp://127.0.0.1:1", "--key", words)
    #expect(dialled.code == .network)
    #expect(
      dialled.error == "daybook: nothing is listening at 127.0.0.1:1. Is 'daybook serve' running "
        + "on that machine?\n"
    )
  }
}
