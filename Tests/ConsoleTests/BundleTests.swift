import Bytes
import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

/// Inspecting and verifying bundles, and dry runs of syncs with them.
struct BundleTests {
  static let path = Path("/home/ada/b")

  private func stage() throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("bundle", "b")
    return stage
  }

  private func bytes(_ stage: Stage) throws -> [UInt8] {
    try stage.disk.contents(of: Self.path, limit: 1 << 20)
  }

  /// Returns the contents of all files on the disk.
  private func everything(_ stage: Stage) -> [Path: [UInt8]] { stage.machine.disk.files }

  @Test func `Bundle: a file with events that are missing here is not replaced until it is synced`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Rinse")
    _ = stage.answer("-C", "phone", "bundle", "b")
    let before = try bytes(stage)
    let refused = stage.run("bundle", "b")
    #expect(refused.code == .refused)
    #expect(
      refused.error.contains(
        "and its writer had 1 event that this device lacks. Nothing was written"))
    #expect(try bytes(stage) == before)
    _ = stage.answer("sync", "b")
    #expect(stage.run("bundle", "b").code == .done)
    _ = stage.answer("-C", "phone", "add", "todo", "Wring")
    _ = stage.answer("-C", "phone", "bundle", "b", "--force")
    #expect(stage.run("bundle", "b", "--force").code == .done)
  }

  @Test
  func `Bundle: a file whose events are all stored here is replaced, whichever device wrote it`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Rinse")
    _ = stage.answer("-C", "phone", "bundle", "b")
    _ = stage.answer("sync", "b")
    for title in ["Wring", "Hang"] {
      _ = stage.answer("add", "todo", title)
      #expect(stage.run("bundle", "b").code == .done)
    }
    // The other machine holds fewer events than the bundle.
    #expect(stage.run("-C", "phone", "bundle", "b").code == .refused)
  }

  @Test func `Bundle: inspect shows the book, the writer and the contents`() throws {
    let stage = try stage()
    let size = try bytes(stage).count
    let book = try #require(
      JSON(parsing: Array(stage.answer("bundle", "inspect", "b", "--json").utf8))["book"]?.string)
    let before = everything(stage)
    let lines = stage.answer("bundle", "inspect", "b").split(separator: "\n").map(String.init)
    #expect(everything(stage) == before)
    #expect(
      lines.prefix(2) == [
        "A bundle of book \(book), founded on laptop (this book).",
        "Written by laptop, which held 3 events in 1 log at the time.",
      ])
    #expect(lines[2].hasPrefix("laptop  events 1-3  1 frame  "))
    #expect(lines[2].hasSuffix("signed at 3, last written 2026-11-20 09:02"))
    #expect(lines[3] == "3 events, \(size) bytes; frames of version 1, a stream of version 1.")
    #expect(lines.count == 4)
    // Without a book, the output is the same, except that it does not say `(this book)`.
    let elsewhere = stage.answer("-C", "other", "bundle", "inspect", "b")
    #expect(elsewhere.hasPrefix("A bundle of book \(book), founded on laptop.\n"))
  }

  @Test func `Bundle: verify checks hashes and signatures and finds every flipped bit`() throws {
    let stage = try stage()
    let before = everything(stage)
    for folder in [[], ["-C", "other"]] {
      let outcome = stage.run(folder + ["bundle", "verify", "b"])
      #expect(outcome.code == .done, "\(outcome.error)")
      #expect(outcome.output == "No faults found: 3 events, 1 signature.\n")
    }
    #expect(everything(stage) == before)
    let whole = try bytes(stage)
    for place in stride(from: 20, to: whole.count, by: 7) {
      var wrong = whole
      wrong[place] ^= 0x10
      try stage.disk.replace(Self.path, with: wrong)
      let outcome = stage.run("-C", "other", "bundle", "verify", "b")
      #expect(outcome.code != .done, "byte \(place)")
      #expect(!outcome.output.contains("No faults found"), "byte \(place)")
      #expect(!outcome.error.isEmpty)
    }
    for cut in stride(from: 0, to: whole.count, by: 11) {
      try stage.disk.replace(Self.path, with: Array(whole[..<cut]))
      for verb in ["verify", "inspect"] {
        #expect(stage.run("bundle", verb, "b").code == .dataFault, "\(cut) bytes")
      }
    }
    try stage.disk.replace(Self.path, with: Array(whole.dropLast(100)))
    #expect(
      stage.run("bundle", "inspect", "b").output.contains(
        "0 of the 3 events that the bundle's writer held, \(whole.count - 100) bytes;"))
    try stage.disk.replace(Self.path, with: Array(whole.dropLast(40)))
    #expect(
      stage.run("bundle", "verify", "b").error.contains(
        "/home/ada/b is cut off or damaged at byte "))
  }

  @Test func `Bundle: inspect names the founder as it is called now`() throws {
    let stage = try stage()
    _ = stage.answer("device", "rename", "desk")
    let first = stage.answer("bundle", "inspect", "b").split(separator: "\n").first ?? ""
    #expect(first.contains(", founded on desk"), "\(first)")
    let json = try JSON(parsing: Array(stage.answer("bundle", "inspect", "b", "--json").utf8))
    #expect(json["founder"]?.string == "desk")
  }

  @Test func `Bundle: with --since, inspect and verify report the events left out`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "phone", "bundle", "p")
    _ = stage.answer("sync", "p")
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("bundle", "b", "--since", "laptop 2")
    let look = stage.answer("bundle", "inspect", "b")
    #expect(look.contains("without the events before "))
    #expect(stage.run("-C", "other", "bundle", "verify", "b").code == .done)
    #expect(
      stage.run("-C", "other", "bundle", "verify", "b").error.contains(
        "is neither in the bundle nor stored on this device, so its signatures could not be checked."
      ))
    #expect(stage.answer("-C", "phone", "bundle", "verify", "b").hasPrefix("No faults found: "))
  }

  @Test(arguments: ["stick", "b"])
  func `Bundle: a dry run of a sync reports the changes and writes nothing`(peer: String) throws {
    let stage = try Stage.pair()
    _ = stage.answer("-C", "phone", "add", "todo", "Mop")
    _ = stage.answer("add", "todo", "Dust")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("-C", "phone", "bundle", "b")
    let before = everything(stage)
    let told = stage.answer("sync", peer, "--dry-run")
    #expect(everything(stage) == before)
    let sent = peer == "stick" ? "1 event of laptop" : "nothing"
    #expect(told.hasPrefix("Would send \(sent); would receive 1 event of laptop 2.\n"), "\(told)")
    #expect(told.contains("  would receive from laptop 2: added 1 todo\n"))
    #expect(told.hasSuffix("This was a dry run: nothing was written.\n"))
    let json = try JSON(parsing: Array(stage.answer("sync", peer, "--dry-run", "--json").utf8))
    #expect(json["isDryRun"] == .boolean(true))
    #expect(everything(stage) == before)
    #expect(!stage.answer("list", "todos").contains("Mop"))
    // The sync makes the changes that the dry run announced.
    let done = stage.answer("sync", peer)
    #expect(done.hasPrefix("Sent \(sent); received 1 event of laptop 2.\n"))
    let digest = told.split(separator: "\n").first { $0.contains("digest") }
    #expect(done.contains(digest?.replacing("would be", with: "is") ?? "no digest"))
  }

  @Test func `Bundle: a dry run over TCP or without a peer is refused`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    let before = everything(stage)
    let machine = stage.run("sync", "tcp://127.0.0.1:1", "--dry-run")
    #expect(machine.code == .refused)
    #expect(machine.error.hasPrefix("daybook: a dry run works only with files and folders, "))
    for option in ["--dry-run", "--explain"] {
      let nobody = stage.run("sync", option)
      #expect(nobody.code == .refused)
      #expect(
        nobody.error
          == "daybook: \(option) works with only one peer, as in 'daybook sync NAME \(option)'.\n")
    }
    #expect(everything(stage) == before)
  }

  @Test func `Bundle: options for one peer need no name if there is only one peer`() throws {
    let stage = try stage()
    _ = stage.answer("peer", "add", "st", "stick")
    let told = stage.answer("sync", "--dry-run", "--explain")
    #expect(told.hasSuffix("This was a dry run: nothing was written.\n"))
    #expect(stage.answer("sync", "--explain").contains("Sent 3 events of laptop;"))
    try stage.disk.makeDirectories(Path("/home/ada/card"))
    _ = stage.answer("peer", "add", "sd", "card")
    #expect(
      stage.run("sync", "--explain").error
        == "daybook: --explain works with only one peer, as in 'daybook sync NAME --explain'. "
        + "Peers: st, sd.\n")
  }

  @Test func `Bundle: JSON answers have the file, its size and the events sent`() throws {
    let stage = try stage()
    let json = try JSON(parsing: Array(stage.answer("bundle", "b", "--json").utf8))
    #expect(json.members?.map(\.name) == ["file", "bytes", "sent"])
    #expect(json["file"] == "/home/ada/b")
    #expect(json["bytes"] == .integer(Int64(try bytes(stage).count)))
    #expect(json["sent"]?.array?.map { $0["events"] } == [3])
    #expect(stage.answer("rebuild", "--json") == "{\n  \"events\": 2\n}\n")
  }

  @Test func `Bundle: --explain lists the events sent in each direction`() throws {
    let stage = try Stage.pair()
    stage.meet()
    _ = stage.answer("-C", "phone", "add", "todo", "Mop")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("add", "todo", "Dust")
    let told = stage.answer("sync", "stick", "--explain", "--dry-run")
    let table = told.split(separator: "\n").prefix(3).map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(
      table == [
        "log of here there sent", "laptop 1-4 1-3 4 to there", "laptop 2 1 1-2 2 to here",
      ])
    let json = try JSON(parsing: Array(stage.answer("sync", "stick", "--explain", "--json").utf8))
    let log = try #require(json["logs"]?.array?.first)
    #expect(log["toThere"] == .array([.array([.integer(4), .integer(4)])]))
    #expect(log["toHere"] == .array([]))
    let after = stage.answer("sync", "stick", "--explain")
    #expect(after.contains("laptop    1-4   1-4    nothing\n"), "\(after)")
  }

  @Test func `Bundle: --explain lists offered events that this device refuses`() throws {
    let stage = try Stage.pair()
    stage.meet()
    _ = stage.answer("device", "quota", "laptop 2", "--events", "2")
    for title in ["Mop", "Dust"] { _ = stage.answer("-C", "phone", "add", "todo", title) }
    _ = stage.answer("-C", "phone", "sync", "stick")
    let told = stage.run("sync", "stick", "--explain", "--json")
    let logs = try #require(try JSON(parsing: Array(told.output.utf8))["logs"]?.array)
    let log = try #require(logs.first { $0["device"] == "laptop 2" })
    #expect(log["toHere"] == .array([]))
    #expect(log["notTaken"] == .array([.array([.integer(2), .integer(3)])]))
  }

  @Test func `Bundle: a file named like a subcommand is written by its path`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    #expect(stage.answer("bundle", "./inspect").contains("/home/ada/inspect"))
    #expect(stage.run("bundle", "inspect").code == .usage)
    #expect(stage.run("bundle", "b", "inspect").code == .usage)
  }

  @Test func `Bundle: only an earlier bundle of the same book is replaced without --force`() throws
  {
    let stage = try stage()
    #expect(stage.answer("bundle", "b").hasPrefix("Wrote 3 events, "))
    try stage.disk.replace(Path("/home/ada/notes"), with: Array("mine".utf8))
    _ = stage.answer("-C", "other", "add", "todo", "Dust")
    _ = stage.answer("-C", "other", "bundle", "theirs")
    let before = everything(stage)
    for name in ["notes", "theirs"] {
      #expect(
        stage.run("bundle", name)
          == Stage.Outcome(
            code: .refused, output: "",
            error:
              "daybook: /home/ada/\(name) already exists. Nothing was written; --force replaces it.\n"
          )
      )
    }
    for words in [["bundle", "stick"], ["bundle", "stick", "--force"]] {
      #expect(
        stage.run(words)
          == Stage.Outcome(
            code: .refused, output: "",
            error: "daybook: /home/ada/stick is a folder. Nothing was written; choose a file.\n"))
    }
    #expect(
      stage.run("bundle", "-").error
        == "daybook: FILE cannot be '-'. A bundle must be a file, so use the name of a file.\n")
    #expect(everything(stage) == before)
    #expect(stage.answer("bundle", "notes", "--force").hasPrefix("Wrote 3 events, "))
    #expect(
      ConsoleError.noPlainFile(Path("/dev/full"), isFolder: false).told.text
        == "/dev/full is a device, a pipe or a link. Nothing was written; choose a file.")
  }

  @Test func `Bundle: events, logs and signatures are counted with the right grammatical number`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    #expect(stage.answer("bundle", "b").hasPrefix("Wrote 2 events, "))
    #expect(
      stage.answer("verify").hasSuffix(
        " bytes, no signature yet (the next sync signs these events).\n"))
    _ = stage.answer("-C", "phone", "join", "b")
    #expect(stage.answer("-C", "phone", "verify").hasSuffix(" bytes, 1 signature.\n"))
  }
}
