import Bytes
import Console
import Foundation
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Every command that shows or sends the contents of a book reports missing events.
struct LossWordsTests {
  private static let warning =
    "daybook: 4 events of laptop are missing, so the book is incomplete. "
    + "'daybook verify' shows details.\n"

  /// Creates a book with three to-dos that has lost its logs.
  private func robbed() throws -> Stage {
    let stage = Stage(witness: Path("/home/ada/.local/state/daybook"))
    for title in ["one", "two"] { _ = stage.answer("add", "todo", title) }
    try stage.disk.replace(Path("/home/ada/todo.txt"), with: Array("new\n".utf8))
    _ = stage.answer("bundle", "older.bundle")
    _ = stage.answer("add", "todo", "three")
    for file in stage.machine.disk.files.keys where file.string.contains("/logs/") {
      try stage.disk.remove(file)
    }
    return stage
  }

  @Test(arguments: [
    [], ["list", "todos"], ["log"], ["search"], ["upcoming"], ["conflicts"], ["duplicates"],
    ["list", "todos", "--json"], ["export", "-o", "book.jsonl"], ["bundle", "b"], ["rebuild"],
    ["at", "now", "list", "todos"], ["diff", "2026-01-01", "today"], ["devices"], ["status"],
    ["sync", "stick"], ["erase", "--held"],
    ["import", "todo.txt", "-n"], ["sync", "stick", "--dry-run"],
  ])
  func `Missing events: a reading command reports them once and fails`(
    words: [String]
  ) throws {
    let stage = try robbed()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    let outcome = stage.run(words)
    #expect(outcome.code == .dataFault)
    if words != ["status"] {
      #expect(outcome.error.components(separatedBy: Self.warning).count == 2, "\(outcome.error)")
    }
  }

  @Test(arguments: [
    ["serve", "--listen", "127.0.0.1:7771"], ["page"], ["watch", "list", "todos"],
    ["sync", "tcp://127.0.0.1:7772", "--follow"],
  ])
  func `Missing events: a continuous command reports them at its start and fails`(
    words: [String]
  ) throws {
    let outcome = try robbed().run(words, shouldStop: { true })
    #expect(outcome.code == .dataFault)
    #expect(outcome.error.components(separatedBy: Self.warning).count == 2, "\(outcome.error)")
  }

  /// Creates a book that has lost an event after a question with a pick, and before the to-do Mop.
  private func holed() throws -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch", "Noodles")
    _ = stage.answer("pick", "Lunch")
    try stage.addDamaged("Sweep", before: "Mop")
    return stage
  }

  @Test(arguments: [["pick", "--replay", "Lunch"], ["pick", "--replay", "Lunch", "--json"]])
  func `Missing events: a replay of a pick reports them and fails`(words: [String]) throws {
    let outcome = try holed().run(words)
    #expect(outcome.code == .dataFault)
    #expect(outcome.output.contains("Noodles"))
    #expect(outcome.error.hasPrefix("daybook: 1 event of laptop is missing"))
  }

  @Test func `Missing events: an erasure over damage reports the removed damaged bytes`() throws {
    let stage = try holed()
    let outcome = stage.run("erase", "Mop", "--yes")
    #expect(outcome.code == .done)
    #expect(
      outcome.error.contains(
        " damaged bytes were also removed from the logs, because they may have held erased content. "
          + "If events are missing now, "
          + "run 'daybook verify --repair PEER' to get them from a peer that has them.\n"),
      "\(outcome.error)")
    let answer = try holed().run("erase", "Mop", "--yes", "--json").output
    #expect(try JSON(parsing: Array(answer.utf8))["damagedBytes"]?.integer ?? 0 > 0)
  }

  @Test(arguments: [["compact"], ["verify", "--repair", "stick"], ["erase", "Mop", "--yes"]])
  func `Missing events: a copy of a log file prevents nothing, and is moved away`(
    words: [String]
  ) throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("add", "todo", "Dust")
    let logs = stage.machine.disk.files.filter { $0.key.string.contains("/default/logs/") }
    let (file, bytes) = try #require(logs.first { $0.key.name == "000000000001.gz" })
    let copy = file.parent / "000000000003.gz"
    try stage.disk.replace(copy, with: bytes)
    #expect(stage.run("doctor").code == .dataFault)
    let outcome = stage.run(words)
    #expect(outcome.code == .done && !outcome.error.contains("damaged"), "\(outcome.error)")
    #expect(try stage.disk.status(copy) == nil)
    if words[0] == "verify" {
      #expect(
        outcome.output.contains(
          "Cleaned: moved \(copy.string), a copy whose events are all in other files, to "),
        "\(outcome.output)")
    }
    #expect(stage.answer("verify").hasPrefix("No faults found: "))
  }

  @Test func `Missing events: a bundle records the events its writer had lost`()
    throws
  {
    let stage = try holed()
    _ = stage.answer("verify", "--accept-loss")
    _ = stage.answer("bundle", "b")
    let lines = stage.answer("bundle", "inspect", "b").split(separator: "\n")
    #expect(lines[1] == "Written by laptop, which held 5 events in 1 log at the time.")
    #expect(lines[2].contains("signed at 6, 5 lost by the bundle's writer, last written "))
    let verified = stage.run("bundle", "verify", "b")
    #expect(verified.output.hasPrefix("No faults found: 5 events, "))
    #expect(
      verified.error
        == "daybook: the bundle's writer had lost event 5 of laptop, so a device that syncs from this bundle will "
        + "lack it too.\n")
  }

  @Test func `Missing events: devices counts the same events as status`() throws {
    let stage = try holed()
    let status = try JSON(parsing: Array(stage.run("status", "--json").output.utf8))
    let device = try JSON(parsing: Array(stage.run("devices", "--json").output.utf8)).array?.first
    #expect(status["held"] == 5)
    #expect(device?["events"] == 5)
    #expect(stage.run("devices").output.contains("  5 events  "))
    // The device still has a later event than the missing one.
    #expect(!stage.run("device", "revoke", "laptop").error.contains("ignore the events"))
  }

  @Test func `Missing events: a newly founded book reports its unsigned events`() throws {
    let stage = Stage()
    for title in ["one", "two"] { _ = stage.answer("add", "todo", title) }
    for file in stage.machine.disk.files.keys where file.string.hasSuffix(".pem") {
      try stage.disk.remove(file)
    }
    let outcome = stage.run("found", "--yes")
    #expect(outcome.code == .dataFault)
    #expect(outcome.output.hasPrefix("Founded the book "))
    #expect(
      outcome.error.hasPrefix(
        "daybook: 3 events of laptop were not signed, because this device has no signature for them, and the "
          + "key "),
      "\(outcome.error)")
  }

  @Test func `Missing events: a lost log is named by its device`() throws {
    let stage = try Stage.pairOfTodos()
    let phone = try #require(try stage.devices().first { $0["isThis"] == false })
    let (log, name) = (try #require(phone["replica"]?.string), try #require(phone["name"]?.string))
    let folder = "/home/ada/.local/share/daybook/default/logs/" + log
    for file in stage.machine.disk.files.keys where file.string.hasPrefix(folder) {
      try stage.disk.remove(file)
    }
    let verified = stage.run("verify")
    #expect(verified.output.contains("Missing: event 1 of \(name).\n"), "\(verified.output)")
    #expect(stage.run("list", "todos").error.contains("1 event of \(name) is missing"))
    #expect(stage.run("devices").output.contains("its log is missing"))
    let told = try stage.devices().first { $0["name"]?.string == name }
    #expect(told?["hasWritten"] == true)
    #expect(told?["replica"]?.string == log)
  }

  @Test func `Missing events: a device whose own log is lost is not said to have written nothing`()
    throws
  {
    let stage = try robbed()
    let lines = stage.run("doctor").output.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    let told = ["logs", "readers", "standing"].map { subject in
      lines.first { $0.split(separator: " ")[1] == subject }
    }
    #expect(
      told == [
        "ok logs this device has written 1 log under its key",
        "ok readers 1 key can read and write the book; this device lacks the log of laptop",
        "ok standing changes made on this device count on all devices",
      ])
    #expect(!stage.run("status").output.contains("quotas"))
    #expect(try stage.devices().map { $0["isThis"] } == [true])
    // As doctor says, the next change counts.
    _ = stage.run("add", "todo", "four")
    #expect(stage.run("list", "todos").output.contains("four"))
    let standing = try JSON(parsing: Array(stage.run("status", "--json").output.utf8))["standing"]
    #expect(standing?["is"] == "admitted")
  }

  @Test func `Missing events: revoking a device with a lost log warns about its events`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    for file in stage.machine.disk.files.keys where file.string.contains("/default/logs/") {
      let own = try #require(try stage.devices().first { $0["isThis"] == true }?["replica"]?.string)
      if !file.string.contains(own) { try stage.disk.remove(file) }
    }
    let outcome = stage.run("device", "revoke", "laptop 2")
    #expect(outcome.code == .refused)
    #expect(
      outcome.error.hasPrefix(
        "daybook: event 1 of laptop 2 is missing on this device. "
          + "After the revocation, all devices ignore the events of the revoked device that are not stored here. "
          + "To keep the missing events, first run 'daybook verify --repair PEER'.\n"
      ), "\(outcome.error)")
  }

  @Test func `Missing events: the agenda does not say that the book is empty`() throws {
    let stage = try robbed()
    #expect(stage.run([]).output == "Fri 2026-11-20\nNothing is due.\nNo record is left to show.\n")
    _ = stage.run("verify", "--accept-loss")
    let outcome = stage.run([])
    #expect(outcome.output == "Fri 2026-11-20\nNothing is due.\nThe book is empty.\n")
    #expect(outcome.error == "" && outcome.code == .done)
  }

  @Test func `Missing events: a write succeeds with a warning`() throws {
    let stage = try robbed()
    let outcome = stage.run("add", "todo", "four")
    #expect(outcome.code == .done)
    #expect(outcome.output.hasPrefix("Added todo "))
    #expect(outcome.error == Self.warning)
    #expect(stage.run("verify").code == .dataFault)
  }

  @Test func `Missing events: a repair from an older bundle reports the rest and fails`() throws {
    let stage = try robbed()
    let outcome = stage.run("verify", "--repair", "older.bundle")
    #expect(outcome.code == .dataFault)
    #expect(outcome.output.hasPrefix("Healed: events 1 to 3 of laptop.\n"))
    #expect(!outcome.output.contains("No faults found"))
    #expect(outcome.error.hasPrefix("daybook: event 4 of laptop: the peer does not have it."))
  }

  @Test func `Missing events: an accepted loss is reported once and counted from then on`() throws {
    let stage = try robbed()
    #expect(
      stage.answer("verify", "--accept-loss") == "Accepted as lost: events 1 to 4 of laptop.\n")
    #expect(
      stage.answer("verify", "--accept-loss")
        == "Nothing to accept: no further events are missing.\n")
    _ = stage.answer("add", "todo", "four")
    let report = stage.answer("verify")
    #expect(report.hasPrefix("No further faults found: "))
    #expect(report.hasSuffix(" Accepted as lost: 4 events.\n"))
    let json = try JSON(parsing: Array(stage.answer("verify", "--json").utf8))
    #expect(json["isClean"] == true)
    #expect(json["accepted"] == 4)
    #expect(json["missing"]?.array?.count == 0)
  }

  /// Creates a book with an event of another device that has no body, because the erasure that removed it does not
  /// count.
  private func bodiless() throws -> Stage {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("-C", "phone", "add", "todo", "Dust")
    _ = stage.answer("-C", "phone", "erase", "Dust", "--yes")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("device", "revoke", "laptop 2", "--yes")
    for words in [["sync", "stick"], ["-C", "phone", "sync", "stick"], ["sync", "stick"]] {
      _ = stage.run(words)
    }
    #expect(
      stage.run("verify").error
        == "daybook: 1 event has lost its body, and no erasure on this device explains why; "
        + "a sync may fetch the body or the erasure.\n")
    return stage
  }

  @Test func `Missing events: an accepted loss of only bodies is reported once and counted`()
    throws
  {
    let stage = try bodiless()
    #expect(
      stage.answer("verify", "--accept-loss")
        == "Accepted as lost: the content of event 3 of laptop 2.\n")
    #expect(
      stage.answer("verify", "--accept-loss")
        == "Nothing to accept: no further events are missing.\n")
    let report = stage.run("verify")
    #expect(report.output.hasPrefix("No further faults found: "))
    #expect(report.output.hasSuffix(" Accepted as lost: the content of 1 event.\n"))
    #expect(report.error == "")
    let json = try JSON(parsing: Array(stage.answer("verify", "--json").utf8))
    let counts = ["accepted", "acceptedBodies", "bodiless"].map { json[$0] }
    #expect(counts == [0, 1, 0])
  }

  @Test func `Missing events: JSON lists an accepted loss of bodies`() throws {
    let answer = try bodiless().answer("verify", "--accept-loss", "--json")
    let accepted = try JSON(parsing: Array(answer.utf8))["accepted"]?.array
    #expect(accepted?.map { $0["device"] } == ["laptop 2"])
    #expect(accepted?.map { $0["first"] } == [3])
    #expect(accepted?.map { $0["last"] } == [3])
    #expect(accepted?.map { $0["isBodiless"] } == [true])
  }
}
