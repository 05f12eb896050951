import Bytes
import Console
import Daybook
import Phrasing
import Platform
import ReadModel
import SimulatedPlatform
import Testing

extension Stage {
  private static let folder = Path("/home/ada/.local/share/daybook/default")

  /// Returns the book of the first device.
  func book() throws -> Book {
    try Book(at: Self.folder, on: machine.machine, view: .memory)
  }

  /// Makes a store key, as the first sync with a sealed folder does.
  func makeStoreKey() throws -> ListedStoreKey { try book().storeKeys.rotate() }
}

/// Output about the keys of sealed folders.
struct KeysTests {
  private static let none =
    "daybook: this device has no store key. "
    + "The first sync with a sealed folder makes a key, or takes the one in the folder.\n"

  /// The beginning of the line about a key.
  private func start(_ key: ListedStoreKey, at stage: Stage) -> String {
    let time = stage.machine.timekeeper.localText(of: key.made)
    return "\(key.id.hex.prefix(8))  made \(time) by laptop  "
  }

  private func json(
    _ key: ListedStoreKey, _ state: String, _ reason: String? = nil
  ) -> JSON {
    .object(
      ("id", .string(key.id.hex)), ("made", .string(Instant.text(key.made))),
      ("maker", "laptop"),
      ("makerFingerprint", .string(key.makerWords.joined(separator: "-"))),
      ("state", .string(state)), ("reason", .words(reason)))
  }

  @Test func `Keys: without a store key, both commands say what makes one`() throws {
    let stage = try Stage.pair()
    #expect(stage.run("keys") == Stage.Outcome(code: .done, output: "", error: Self.none))
    #expect(try JSON(parsing: Array(stage.answer("keys", "--json").utf8)) == .array([]))
    #expect(
      stage.run("keys", "rotate") == Stage.Outcome(code: .refused, output: "", error: Self.none))
    #expect(try stage.book().storeKeys.listedKeys() == [])
  }

  @Test func `Keys: the list shows when and where each key was made, and which is in use`() throws {
    let stage = try Stage.pair()
    let first = try stage.makeStoreKey()
    #expect(stage.answer("keys") == start(first, at: stage) + "in use\n")
    let told = stage.answer("keys", "rotate")
    let second = try #require(try stage.book().storeKeys.listedKeys().first)
    #expect(second.id != first.id)
    #expect(
      told == """
        Made the key \(second.id.hex.prefix(8)). The next sync with a sealed folder uses it.
        Files that were sealed before keep their keys.

        """)
    #expect(
      stage.answer("keys") == start(second, at: stage) + "in use\n"
        + start(first, at: stage) + "fit, but older than the key in use\n")
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    let listed = stage.run("keys")
    #expect(
      listed.output
        == [second, first].map {
          start($0, at: stage) + "old: a device was revoked after it was made\n"
        }.joined())
    #expect(
      listed.error == "daybook: no key is in use; the next sync with a sealed folder makes one.\n")
  }

  @Test func `Keys: the JSON has the whole ids, and the reason why a key is old`() throws {
    let stage = try Stage.pair()
    let first = try stage.makeStoreKey()
    func answer(_ words: String...) throws -> JSON {
      try JSON(parsing: Array(stage.run(words + ["--json"]).output.utf8))
    }
    #expect(try answer("keys") == .array([json(first, "used")]))
    let rotated = try answer("keys", "rotate")
    let second = try #require(try stage.book().storeKeys.listedKeys().first)
    #expect(rotated == json(second, "used"))
    #expect(try answer("keys") == .array([json(second, "used"), json(first, "fit")]))
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    #expect(
      try answer("keys")
        == .array([second, first].map { json($0, "old", "laterRevocation") }))
  }

  @Test func `Keys: a damaged file is reported with its path and what to do`() throws {
    let stage = try Stage.pair()
    let book = try stage.book()
    let path = book.layout.storeKeys(of: book.id)
    for (bytes, reason, advice): ([UInt8], String, String) in [
      // An array of the one number 2.
      (
        [0x81, 0x02], "a newer version of daybook wrote this file (version 2)",
        "install that version on this device"
      ),
      (
        [], "the content is invalid",
        "restore the file from a backup of this folder; without a backup, move it away, "
          + "and the next sync with the sealed folder fetches the keys again"
      ),
    ] {
      try stage.disk.replace(path, with: bytes)
      let error =
        "daybook: the store keys in \(path.string) cannot be read: \(reason).\n"
        + "To continue, \(advice).\n"
      for words in [["keys"], ["keys", "rotate"]] {
        #expect(
          stage.run(words) == Stage.Outcome(code: .dataFault, output: "", error: error))
      }
      let doctor = stage.run("doctor")
      #expect(doctor.code == .dataFault)
      #expect(
        doctor.output.contains(
          "problem  store keys      \(path.string) cannot be read: \(reason); \(advice)\n"))
      #expect(stage.machine.disk.files[path] == bytes)
    }
  }

  @Test func `Keys: doctor counts them`() throws {
    let stage = try Stage.pair()
    _ = try stage.makeStoreKey()
    #expect(
      stage.answer("doctor").contains(
        "  store keys      this device has 1 key of sealed folders; 'daybook keys' lists them\n"))
  }

  @Test func `Keys: a revoked device makes none`() throws {
    let stage = try Stage.pair()
    _ = try stage.makeStoreKey()
    _ = stage.answer("-C", "phone", "device", "revoke", "laptop", "--yes")
    stage.meetOnStick()
    let refused = stage.run("keys", "rotate")
    #expect(refused.code == .refused)
    #expect(
      refused.error == """
        daybook: this device is not admitted, or was revoked, so it cannot make a store key.
        Use an admitted device; 'daybook devices' lists them.

        """)
    #expect(stage.answer("keys").hasSuffix("old: the device that made it was revoked\n"))
  }

  @Test func `Doctor: --tidy lists the keys that it restricts`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada")
    let answer = stage.run("doctor", "--tidy", "--json").output
    #expect(try JSON(parsing: Array(answer.utf8))["restricted"] == .array([]))
  }
}

extension Stage {
  fileprivate func meetOnStick() {
    for _ in 1...2 {
      _ = run("-C", "phone", "sync", "stick", "-q")
      _ = run("sync", "stick", "-q")
    }
  }
}
