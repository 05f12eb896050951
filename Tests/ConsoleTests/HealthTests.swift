import Bytes
import Daybook
import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

struct HealthTests {
  private static let book = Path("/home/ada/.local/share/daybook/default")

  /// Creates a book with a damaged event in the middle of its log.
  private func damaged() throws -> (stage: Stage, sequence: Int64) {
    let stage = Stage()
    for name in ["Ada", "Bob", "Cyd", "Dee", "Eve"] { _ = stage.answer("add", "birthday", name) }
    let files = stage.machine.disk.files
    let file = try #require(files.first { $0.key.string.hasPrefix(Self.book.string + "/logs/") })
    stage.machine.disk.rot(file.key, at: file.value.count / 2, flipping: 4)
    let faults = try JSON(parsing: Array(stage.run("verify", "--json").output.utf8))["faults"]
    let text = try #require(faults?.array?.last?["text"]?.string)
    let number = text.split(separator: " ").drop { $0 != "event" }.dropFirst().first
    return (stage, try #require(number.flatMap { Int64($0) }))
  }

  @Test func `Verify: events that a repair could not heal are reported`() throws {
    let (stage, sequence) = try damaged()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    let outcome = stage.run("verify", "--repair", "stick")
    #expect(outcome.code == .dataFault)
    #expect(
      outcome.error.hasPrefix(
        "daybook: event \(sequence) of laptop: the peer does not have it. Try another device"))
    #expect(outcome.error.hasSuffix("'daybook verify --accept-loss' continues without it.\n"))
    let answer = try JSON(
      parsing: Array(stage.run("verify", "--repair", "stick", "--json").output.utf8))
    #expect(answer["isClean"] == false)
    #expect(answer["healed"]?.array?.count == 0)
    let left = try #require(answer["left"]?.array?.first)
    #expect(left["device"] == "laptop")
    #expect(left["first"] == .integer(sequence))
    #expect(left["last"] == .integer(sequence))
    #expect(left["isBodiless"] == false)
  }

  @Test(arguments: [["--repair", "stick"], ["--accept-loss"]])
  func `Verify: JSON lists where trailing bytes of a file were moved`(
    words: [String]
  ) throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada")
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    let (file, whole) = try #require(
      stage.machine.disk.files.first { $0.key.string.hasPrefix(Self.book.string + "/logs/") })
    try stage.disk.replace(file, with: whole + [UInt8](repeating: 1, count: 60))
    let outcome = stage.run(["verify"] + words + ["--json"])
    #expect(outcome.code == .done, "\(outcome.error)")
    let copies = try stage.disk.list(Self.book / "quarantine").map {
      Self.book / "quarantine" / $0
    }
    #expect(copies.map { stage.machine.disk.files[$0]?.count } == [60])
    let repairs = try JSON(parsing: Array(outcome.output.utf8))["repairs"]?.array
    #expect(
      repairs
        == copies.map { copy in
          .object(
            ("file", .string(file.string)), ("bytes", 60), ("copy", .string(copy.string)))
        })
  }

  @Test func `Status: an unreadable event is reported`() throws {
    let (stage, sequence) = try damaged()
    #expect(
      stage.run("status").error
        == "daybook: event \(sequence) of laptop cannot be read; another device may still have it.\n"
    )
  }

  @Test func `Verify: a log without its last file is reported with its known end`() throws {
    let stage = Stage(witness: Path("/home/ada/.local/state/daybook"))
    _ = stage.answer("add", "birthday", "Ada")
    _ = stage.answer("compact")
    for name in ["Bob", "Cyd"] { _ = stage.answer("add", "birthday", name) }
    let tail = try #require(
      stage.machine.disk.files.keys.first { $0.name == "000000000003.gz" })
    try stage.disk.remove(tail)
    let outcome = stage.run("verify")
    #expect(outcome.code == .dataFault)
    #expect(
      outcome.output
        == "logs/\(tail.parent.name): the log ends at event 2, but this device has seen event 4; "
        + "missing: events 3 to 4\nMissing: events 3 to 4 of laptop.\n")
    let doctor = stage.run("doctor")
    #expect(doctor.code == .dataFault)
    #expect(doctor.output.contains("problem  holes           2 events cannot be read; "))
  }

  @Test func `Doctor: it counts as many faults as a verification, and the accepted losses`() throws
  {
    let stage = Stage(witness: Path("/home/ada/.local/state/daybook"))
    for name in ["Ada", "Bob"] { _ = stage.answer("add", "birthday", name) }
    let log = try #require(
      stage.machine.disk.files.keys.first { $0.string.contains("/logs/") })
    let bytes = try stage.disk.contents(of: log, limit: 1 << 20)
    try stage.disk.replace(log, with: Array(bytes.dropLast(20)))
    #expect(stage.run("verify").error.hasPrefix("daybook: 2 faults found. "))
    let lines = stage.run("doctor").output.split(separator: "\n")
    #expect(lines[0].hasPrefix("problem  chain           1 log, 2 events, 2 faults; "))
    #expect(lines[1].hasPrefix("problem  holes           1 event cannot be read; "))
    _ = stage.answer("verify", "--accept-loss")
    #expect(stage.answer("verify").hasSuffix(" Accepted as lost: 1 event.\n"))
    let after = stage.answer("doctor").split(separator: "\n").prefix(2).map {
      $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    #expect(
      after == [
        "ok chain 1 log, 2 events, every byte read",
        "ok holes no event is missing, apart from 1 event accepted as lost",
      ])
  }

  @Test func `Verify: a new key after a lost log is announced and reported`() throws {
    let stage = Stage(witness: Path("/home/ada/.local/state/daybook"))
    _ = stage.answer("add", "birthday", "Ada")
    _ = stage.answer("compact")
    _ = stage.answer("add", "birthday", "Bob")
    let files = stage.machine.disk.files.keys
    let tail = try #require(files.first { $0.name == "000000000003.gz" })
    let key = try #require(files.first { $0.parent == Self.book / "keys" })
    try stage.disk.remove(tail)
    try stage.disk.remove(key)
    let lost = Finding.key(.lost(key)).text(at: stage.machine.timekeeper)
    #expect(lost.hasPrefix("\(key.string) is missing, and the log that it signed cannot be "))
    #expect(stage.run("doctor").output.contains("\nproblem  key             \(lost)\n"))
    // Without its key, the device does not serve the book, because it would show a temporary key.
    let served = stage.run(["serve", "--listen", "127.0.0.1:7771"], shouldStop: { true })
    #expect(served.code == .dataFault && served.output == "")
    #expect(
      served.error.contains(
        "daybook: the key \(key.string) is missing, so this device cannot sign. "))
    let added = stage.run("add", "birthday", "Cyd")
    #expect(added.output.hasPrefix("Added birthday "))
    let words = try stage.devices().first { $0["isThis"] == true }?["fingerprint"]?.string
    let ownKey = try #require(words).split(separator: "-").prefix(2).joined(separator: "-")
    let former = try stage.devices().first { $0["isThis"] != true }?["fingerprint"]?.string
    let formerKey = try #require(former).split(separator: "-").prefix(2).joined(separator: "-")
    #expect(
      added.error.contains(
        "daybook: \(key.string) is missing, so this device has a new key, and its changes from now on "
          + "do not count on other devices until one of them runs 'daybook device admit \(ownKey)'. "
          + "If there is no other device, 'daybook found --with \(formerKey)' begins a new book; "
          + "'daybook devices' lists the devices that it can include.\n"))
    let after = stage.run("doctor").output
    #expect(after.contains("\nok       key             this device can sign its events\n"))
    #expect(after.contains("\nnote     standing        this device is not admitted yet, "))
    #expect(!stage.run("add", "birthday", "Dee").error.contains("has a new key"))
  }

  @Test func `Sync: healed events are reported`() throws {
    let (stage, _) = try damaged()
    let log = try #require(stage.disk.list(Self.book / "logs").first)
    let path = try #require(
      stage.machine.disk.files.keys.first { $0.parent == Self.book / "logs" / log })
    let hurt = try #require(stage.machine.disk.files[path])
    stage.machine.disk.rot(path, at: hurt.count / 2, flipping: 4)
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.run("sync", "stick")
    for isJSON in [false, true] {
      try stage.disk.replace(path, with: hurt)
      _ = stage.run("verify")
      let outcome = stage.run(["sync", "stick"] + (isJSON ? ["--json"] : []))
      guard isJSON else {
        #expect(
          outcome.output.hasPrefix("Sent nothing; received nothing; healed 1 event of laptop.\n"))
        continue
      }
      let answer = try JSON(parsing: Array(outcome.output.utf8))
      #expect(answer["healed"]?.array?.map { $0["events"] } == [1])
      #expect(answer["healed"]?.array?.map { $0["replica"] } == [.string(log)])
      #expect(answer["received"]?.array?.count == 0)
    }
  }

  @Test func `Doctor: a healthy book has no findings`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada")
    #expect(
      stage.answer("doctor") == """
        ok  chain           1 log, 2 events, every byte read
        ok  holes           no event is missing
        ok  trust           all events that decide who may write can be read
        ok  bodies          every body is present or has been erased
        ok  forks           no member's log has forked
        ok  flushes         the disk has kept all written data
        ok  clock           2026-11-20 09:02
        ok  others' clocks  no device is ahead
        ok  dates           no event is dated more than a day ahead
        ok  lock            no process is writing
        ok  room            unlimited space
        ok  writing         a test file was written and flushed to the disk
        ok  view            there is no view.sqlite; it is built from the logs when needed
        ok  peers           no peer has reported which events it holds (folders never do); sync regularly to keep a second copy
        ok  contacts        0 peers remembered by name
        ok  key             this device can sign its events
        ok  permissions     only you can access the folder and the keys
        ok  place           a local disk, outside any folder that another program copies
        ok  leftovers       none
        ok  quarantine      empty
        ok  stranded        no event of this device follows a lost event
        ok  logs            this device has written 1 log under its key
        ok  readers         1 key can read and write the book
        ok  admitted        every device was admitted by a current member
        ok  waiting         no device is waiting to be admitted
        ok  erasures        no erasures by other devices are held
        ok  quotas          no device has used 80% of its quota; 'daybook sync' names devices that exceed their quotas
        ok  standing        changes made on this device count on all devices

        """)
  }

  @Test func `Doctor: each finding has advice, and --tidy lists removed files`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada")
    try stage.disk.replace(Self.book / "POISON", with: [])
    try stage.disk.replace(Self.book / ".tmp-1", with: [1])
    stage.machine.timekeeper.advance(milliseconds: 3_600_000)
    let outcome = stage.run("doctor", "--tidy")
    #expect(outcome.code == .dataFault)
    #expect(outcome.output.hasPrefix("Removed \(Self.book.string)/.tmp-1.\n"))
    let lines = outcome.output.split(separator: "\n").filter { !$0.hasPrefix("ok ") }
    #expect(
      lines.dropFirst() == [
        "problem  flushes         the disk once failed to keep written data; "
          + "copy the folder to another disk before you continue"
      ])
  }
}
