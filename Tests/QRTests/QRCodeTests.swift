import Bytes
import Crypto
import Testing

@testable import QR

/// Every module of a code equals the module that libqrencode 4.1.1 produces.
struct QRCodeTests {
  /// For each version and level, the number of letters that fit, and the first digits of the digest of the modules.
  private static let made: [(count: Int, digest: String)] = [
    (25, "7580c03bb6533426"),
    (20, "ddd84821bec80fa4"),
    (16, "7a57bab9f1d1c0b9"),
    (10, "4ef68fd81c40ec20"),
    (47, "bc685e075e649aa2"),
    (38, "27b7acb01db241d2"),
    (29, "284b6058fe5775a9"),
    (20, "d4e865d01ea69183"),
    (77, "4103587ffbd9b8f1"),
    (61, "f6fb6fbfd6205207"),
    (47, "a88362a524c37ce0"),
    (35, "869c10440748c3e6"),
    (114, "6ccae555b0b55610"),
    (90, "3c787374a9ce43fb"),
    (67, "8e91e2441ee5edea"),
    (50, "0d288b734bf4f04c"),
    (154, "fbf2d640250be0b5"),
    (122, "997f5528097b429a"),
    (87, "3eb57f56dc30836c"),
    (64, "16f7ea7aa4e5311f"),
    (195, "77ff099ec62dc24d"),
    (154, "4c6eed0caa787131"),
    (108, "cf2c912a7cf51bef"),
    (84, "31195c01f50f3bfd"),
    (224, "1edb3c456d6a4b57"),
    (178, "d0d8096b31377231"),
    (125, "4d5a3441bbf479af"),
    (93, "77b6568c4fb3c1b7"),
    (279, "58990798c20c083e"),
    (221, "01d6d146dabbec08"),
    (157, "4c706480ce52b854"),
    (122, "c55025232d8494cd"),
    (335, "ad3ecefa236fdb82"),
    (262, "e9c37f1472265668"),
    (189, "ea7a1096821a355c"),
    (143, "c0e9995d13a84767"),
    (395, "641efe587913a1c9"),
    (311, "792687366ae65449"),
    (221, "20983db16356d489"),
    (174, "2ee382ba1813db5a"),
    (468, "827b47954b208266"),
    (366, "15dce61021df7fc7"),
    (259, "42daf2e12ca9d22d"),
    (200, "c98046c1f103cef3"),
    (535, "35af0c75a0aa5f1a"),
    (419, "4617dcad90d1524a"),
    (296, "b357e5feb1e955b3"),
    (227, "096be98884fab5b0"),
    (619, "9970ce5caa21ff8a"),
    (483, "0831e3c4d34e2a7f"),
    (352, "96a39a3476775eb0"),
    (259, "b90475a8af8d8682"),
  ]

  /// A text with all kinds of letters.
  private func text(_ count: Int, _ version: QRVersion) -> String {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
    return String((0..<count).map { letters[(7 * $0 + $0 * $0 + version.number) % 45] })
  }

  /// One byte for each module; 1 if the module is dark.
  private func modules(_ code: QRCode) -> [UInt8] {
    (0..<code.size).flatMap { row in
      (0..<code.size).map { code.isDark(row: row, column: $0) ? 1 : 0 }
    }
  }

  @Test(arguments: QRVersion.allCases)
  func `QR code: every version and level matches libqrencode`(version: QRVersion) throws {
    for level in QRLevel.allCases {
      let made = Self.made[4 * (version.number - 1) + level.rawValue]
      let code = try #require(QRCode(text(made.count, version), version, level))
      #expect(SHA256.digest(of: modules(code)).hex.hasPrefix(made.digest), "\(level)")
      #expect(QRCode(text(made.count + 1, version), version, level) == nil, "\(level)")
    }
  }

  @Test func `QR code: the smallest version is chosen with its highest fitting level`() throws {
    let made = try [1, 10, 11, 17, 21, 25, 26, 30, 116, 122, 123, 154, 507, 619].map { count in
      let code = try #require(QRCode(String(repeating: "A", count: count)))
      return "\(count): \(code.version.number) \(code.level)"
    }
    #expect(
      made == [
        "1: 1 high", "10: 1 high", "11: 1 quartile", "17: 1 medium", "21: 1 low", "25: 1 low",
        "26: 2 quartile", "30: 2 medium", "116: 5 medium", "122: 5 medium", "123: 5 low",
        "154: 5 low", "507: 12 low", "619: 13 low",
      ])
    #expect(QRCode(String(repeating: "A", count: 620)) == nil)
  }

  @Test func `QR code: a text with a letter outside the 45 is refused`() throws {
    for text in ["a", "Ä", "A\u{0}", "A#", "A\n"] { #expect(QRCode(text) == nil, "\(text)") }
    #expect(try #require(QRCode("")).size == 21)
  }

  @Test func `QR code: the modules around it are light`() throws {
    let code = try #require(QRCode("DAYBOOK"))
    #expect(code.isDark(row: 0, column: 0))
    for (row, column) in [(-1, 0), (0, -1), (21, 0), (0, 21)] {
      #expect(!code.isDark(row: row, column: column))
    }
  }
}
