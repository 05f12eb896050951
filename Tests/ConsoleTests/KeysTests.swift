import Bytes
import Console
import Daybook
import Phrasing
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization
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
    "daybook: this device has no store key. 'daybook peer add NAME DIR --sealed' makes one for a folder, "
    + "or fetches those that the folder holds for this device.\n"

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
    let told = stage.run("keys", "rotate")
    let second = try #require(try stage.book().storeKeys.listedKeys().first)
    #expect(second.id != first.id)
    #expect(told == rotated(second, Self.unshared))
    #expect(
      stage.answer("keys") == start(second, at: stage) + "in use\n"
        + start(first, at: stage) + "usable, but older than the key in use\n")
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    let listed = stage.run("keys")
    #expect(
      listed.output
        == [second, first].map {
          start($0, at: stage) + "old, because a device that may have it was revoked\n"
        }.joined())
    #expect(
      listed.error
        == "daybook: no key is in use; the next sync with a sealed folder fetches or makes one.\n"
    )
  }

  private static let unshared =
    "daybook: no sealed folder is remembered, so no other device receives this key. "
    + "To share it through a folder, run 'daybook peer add NAME DIR --sealed'.\n"

  private func rotated(_ key: ListedStoreKey, _ note: String = "") -> Stage.Outcome {
    let output = """
      Made the key \(key.id.hex.prefix(8)). The next sync with a sealed folder shares it with the other devices, and seals new files with it.
      Files that are already sealed stay readable with the earlier keys.

      """
    return Stage.Outcome(code: .done, output: output, error: note)
  }

  @Test func `Keys: the commands in the notes make the first key and share the next one`() throws {
    let stage = try Stage.pair()
    try stage.disk.makeDirectories(Path("/home/ada/cloud"))
    let values = ["NAME": "cloud", "DIR": "cloud"]
    try stage.follow("peer add", in: stage.run("keys"), filling: values)
    #expect(stage.answer("keys").hasSuffix("  in use\n"))
    let told = stage.run("keys", "rotate")
    let made = try #require(try stage.book().storeKeys.listedKeys().first)
    #expect(told == rotated(made))
    _ = stage.answer("peer", "forget", "cloud")
    try stage.follow("peer add", in: stage.run("keys", "rotate"), filling: values)
    #expect(stage.run("-C", "phone", "peer", "add", "cloud", "cloud", "--sealed").code == .done)
    // The folder has only keys with which something is sealed, and the one in use.
    let shared = stage.run("-C", "phone", "keys").output.split(separator: "\n")
    #expect(shared.first == stage.answer("keys").split(separator: "\n").first)
  }

  @Test func `Keys: a device that is not admitted is told how it gets keys`() throws {
    let stage = try Stage.pair()
    try stage.disk.makeDirectories(Path("/home/ada/cloud"))
    _ = stage.answer("peer", "add", "cloud", "cloud", "--sealed")
    let tablet = ["-C", "tablet"]
    _ = stage.run(tablet + ["join", "stick"])
    let none = stage.run(tablet + ["keys"])
    #expect(
      none.error.hasPrefix(
        "daybook: this device has no store key, and cannot make one until it is admitted. "))
    let rotated = stage.run(tablet + ["keys", "rotate"])
    #expect(rotated.code == .refused && rotated.error == none.error)
    let values = ["NAME": "cloud", "DIR": "cloud"]
    try stage.follow("peer add", in: none, on: tablet, filling: values, code: .refused)
    _ = stage.answer("sync", "stick", "--admit")
    _ = stage.answer("sync", "cloud")
    try stage.follow("peer add", in: none, on: tablet, filling: values)
    #expect(stage.run(tablet + ["keys"]).output == stage.answer("keys"))
  }

  @Test func `Keys: a revoked device is told that it gets none, and how to rejoin`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    stage.meetOnStick()
    let none = stage.run("-C", "phone", "keys")
    #expect(
      none.error.hasPrefix(
        "daybook: this device has no store key, and cannot get one, because it was revoked.\n"))
    try stage.follow("device rekey", in: none, on: ["-C", "phone"], adjust: Stage.consenting)
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
        [0x81, 0x02], "a newer daybook wrote it, in version 2 of the format",
        "install a newer daybook on this device"
      ),
      (
        [], "the content is invalid",
        "restore the file from a backup of the book; without a backup, move the file away, "
          + "and the next sync with each sealed folder will fetch the keys again"
      ),
    ] {
      try stage.disk.replace(path, with: bytes)
      let error =
        "daybook: the store keys in the file \(path.string) cannot be read, because \(reason).\n"
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
        "  store keys      this device has 1 key for sealed folders; for details, run 'daybook keys'\n"
      ))
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
        Use an admitted device; 'daybook devices' shows which devices are admitted.

        """)
    let listed = stage.run("keys")
    #expect(listed.output.hasSuffix("old, because the device that made it was revoked\n"))
    #expect(
      listed.error
        == "daybook: no key is in use, and this device cannot get another, because it was revoked. "
        + "The device can open what is sealed with these keys.\n")
  }

  @Test func `Keys: after the advised loss of the file, one sync takes all keys again`() throws {
    let stage = try Stage.pair()
    try stage.disk.makeDirectories(Path("/home/ada/cloud"))
    _ = stage.answer("peer", "add", "cloud", "cloud", "--sealed")
    for number in 1...3 {
      _ = stage.answer("keys", "rotate")
      _ = stage.answer("add", "todo", "Sweep \(number)")
      _ = stage.answer("sync", "cloud")
    }
    let (listed, book) = (stage.answer("keys"), try stage.book())
    try stage.disk.remove(book.layout.storeKeys(of: book.id))
    #expect(stage.run("keys").error == Self.none)
    #expect(stage.answer("sync", "cloud").hasPrefix("Sent nothing; received nothing."))
    #expect(stage.answer("keys") == listed)
  }

  @Test func `Doctor: --tidy lists the keys that it restricts`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada")
    let key = try #require(stage.machine.disk.files.keys.first { $0.parent.name == "keys" })
    func doctor(_ words: String..., on disk: OpenKeysDisk) -> String {
      stage.run(["doctor"] + words, adjust: { $0.machine = disk.machine(stage) }).output
    }
    func restricted(on disk: OpenKeysDisk) throws -> JSON? {
      try JSON(parsing: Array(doctor("--tidy", "--json", on: disk).utf8))["restricted"]
    }
    let (first, second) = (OpenKeysDisk(stage.disk), OpenKeysDisk(stage.disk))
    #expect(doctor(on: first).contains("permissions     others can access \(key.string); "))
    #expect(
      doctor("--tidy", on: first).hasPrefix("Only you can access \(key.string) now.\n"))
    #expect(try restricted(on: second) == .array([.string(key.string)]))
    #expect(try restricted(on: second) == .array([]))
  }
}

/// A disk on which all users can read the keys until they are written again.
private final class OpenKeysDisk: TransparentDisk {
  let wrapped: any Disk
  private let written = Mutex(Set<Path>())

  init(_ disk: any Disk) { wrapped = disk }

  func machine(_ stage: Stage) -> Machine {
    Machine(
      disk: self, timekeeper: stage.machine.timekeeper, dice: stage.machine.dice,
      network: stage.machine.network)
  }

  func status(_ path: Path) throws(DiskError) -> FileStatus? {
    guard var status = try wrapped.status(path) else { return nil }
    if path.parent.name == "keys", !written.withLock({ $0.contains(path) }) {
      status.permissions = 0o644
    }
    return status
  }

  func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try wrapped.rename(from, to: destination)
    written.withLock { _ = $0.insert(destination) }
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
