import Bytes
import Crypto
import Daybook
import Phrasing
import Sealing
import Testing

@testable import Console

/// The words about store keys that cannot be read, made or taken.
struct StoreKeyWordsTests {
  private static let book = UniqueID(high: 1, low: 2)
  private static let maker: PublicKey = {
    // The base point of the curve is a valid key.
    guard let key = try? PublicKey([0x58] + [UInt8](repeating: 0x66, count: 31)) else {
      preconditionFailure("the key is valid")
    }
    return key
  }()

  static let texts: [(fault: StoreKeyError, text: String)] = [
    (.tooLong(9), "it is larger than daybook allows"),
    (.digest, "it is incomplete or has been changed"),
    (.content(.truncated(at: 0)), "the content is invalid"),
    (.version(2), "a newer daybook wrote it, in version 2 of the format"),
    (.order, "the content is invalid"),
    (.notARecipient, "it is not meant for this device"),
    (.wrap, "it cannot be decrypted"),
    (.otherKey, "the key that it contains is not the key that it names"),
    (.statement, "it cannot be decrypted"),
    (.signingKey(.keyEncoding), "the content is invalid"),
    (.otherBook(book), "it belongs to the book \(book.hex)"),
    (.stranger(maker), "it comes from an unknown device, whose key has the words \(maker.words)"),
    (.originSignature, "a signature is invalid"),
    (.packageSignature, "a signature is invalid"),
    (.notTrusted, "this device is not admitted, or was revoked"),
    (.tooManyRevoked(16_385), "16385 device keys are revoked, but a store key can list only 16384"),
    (.ringLimit, "this device already stores the maximum number of store keys"),
    (
      .makerLimit(maker),
      "this device already stores the maximum number of store keys made by the device whose key has the words \(maker.words)"
    ),
    (.crypto(.keyEncoding), "the encoding of the key is invalid"),
  ]

  @Test(arguments: texts)
  func `Store key words: each fault has its text`(fault: StoreKeyError, text: String) {
    #expect(fault.text == text)
  }

  static let reports: [(fault: StoreKeyError, code: String, exit: ExitCode, text: String)] = [
    (
      .notTrusted, "not-admitted", .refused,
      "this device is not admitted, or was revoked, so it cannot make a store key.\n"
        + "Use an admitted device; 'daybook devices' shows which devices are admitted."
    ),
    (
      .tooManyRevoked(16_385), "too-many-revoked", .refused,
      "no store key can be made, because 16385 device keys are revoked, but a store key can list only 16384.\n"
        + "To begin a new book from the logs of this device and others, run 'daybook found --with DEVICE'."
    ),
    (
      .ringLimit, "too-many-keys", .refused,
      "no store key was added, because this device already stores the maximum number of store keys."
    ),
    (
      .makerLimit(maker), "too-many-keys", .refused,
      "no store key was added, because this device already stores the maximum number of store keys made by "
        + "the device whose key has the words \(maker.words).\n"
        + "If that device keeps making keys, revoke it with 'daybook device revoke \(maker.words)'."
    ),
    (
      .version(2), "store-key", .dataFault,
      "a store key cannot be used, because a newer daybook wrote it, in version 2 of the format.\n"
        + "Install a newer daybook on this device."
    ),
    (.wrap, "store-key", .dataFault, "a store key cannot be used, because it cannot be decrypted."),
  ]

  @Test(arguments: reports)
  func `Store key words: a command that fails says what to do`(
    fault: StoreKeyError, code: String, exit: ExitCode, text: String
  ) {
    let told = Told(ofAny: DaybookError.storeKey(fault))
    #expect((told.code, told.exit, told.text) == (code, exit, text))
  }

  @Test func `Store key words: a device that can make no key is told why, and what to do`() {
    let begin =
      "To begin a new book from the logs of this device and others, run 'daybook found --with DEVICE'."
    let none = ConsoleError.noStoreKey(.tooManyRevoked(16_385)).told
    #expect(
      none.text
        == "this device has no store key, and cannot make one, because "
        + "16385 device keys are revoked, but a store key can list only 16384.\n" + begin)
    let unused: [StoreKeyObstacle?] = [nil, .notAdmitted, .revoked, .tooManyRevoked(16_385)]
    #expect(
      unused.map(\.textOfUnusedKeys) == [
        "no key is in use; the next sync with a sealed folder fetches or makes one.",
        "no key is in use, and this device cannot make one until it is admitted. "
          + "The device can open what is sealed with these keys.",
        "no key is in use, and this device cannot get another, because it was revoked. "
          + "The device can open what is sealed with these keys.",
        "no key is in use, and none can be made, because 16385 device keys are revoked, but a store key can list only 16384.\n"
          + begin,
      ])
  }
}
