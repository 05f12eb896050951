import Bytes
import Phrasing
import Platform
import SimulatedPlatform
import Syncing
import Testing

@testable import Console

/// Output about peers, invitations and syncs with several peers.
struct PeerTests {
  private func stage(input: String = "") throws -> Stage {
    let stage = Stage(input: input)
    for name in ["stick", "card"] {
      try stage.disk.makeDirectories(Path("/home/ada/\(name)"))
    }
    _ = stage.answer("add", "todo", "Sweep")
    return stage
  }

  @Test func `Peers: a peer is added, listed, renamed and forgotten`() throws {
    let stage = try stage()
    let none = stage.run("peers")
    #expect(none.output == "" && none.code == .done)
    #expect(none.error.hasPrefix("daybook: no peers yet. 'daybook invite'"))
    let told = stage.answer("peer", "add", "folder", "stick")
    #expect(told == "folder is /home/ada/stick. 'daybook sync' syncs with it.\n")
    _ = stage.answer("peer", "add", "desk", "tcp://127.0.0.1:1")
    #expect(
      stage.answer("peers") == "folder  /home/ada/stick    not synced since it was added\n"
        + "desk    tcp://127.0.0.1:1  not synced since it was added\n")
    #expect(
      stage.answer("peer", "rename", "desk", "kitchen")
        == "Renamed the peer desk to kitchen.\n")
    #expect(stage.answer("peer", "forget", "kitchen") == "Forgot the address of kitchen.\n")
    let list = try JSON(parsing: Array(stage.answer("peers", "--json").utf8))
    let expected = JSON.object(
      ("name", .string("folder")), ("address", .string("/home/ada/stick")), ("fingerprint", .null),
      ("lastSync", .null), ("lacking", .null), ("waiting", .null))
    #expect(list == .array([expected]))
  }

  @Test func `Peers: an account that ssh logs in to is added, listed and followed`() throws {
    let stage = try stage()
    #expect(
      stage.answer("peer", "add", "desk", "ssh://ada@desk:22//srv/my book")
        == "desk is ssh://ada@desk:22//srv/my book. 'daybook sync' syncs with it.\n")
    #expect(
      stage.answer("peers")
        == "desk  ssh://ada@desk:22//srv/my book  not synced since it was added\n")
    let refused = stage.run("peer", "add", "other", "ssh://-oProxyCommand=id")
    #expect(refused.code == .refused)
    #expect(refused.error.contains("Use ssh://[USER@]HOST[:PORT][/BOOK], with plain names"))
    let trial = stage.run("sync", "desk", "--dry-run")
    #expect(trial.code == .refused)
    #expect(trial.error.hasPrefix("daybook: a dry run works only with files and folders, "))
    let synced = stage.run("sync", "desk")
    #expect(synced.code == .refused)
    #expect(
      synced.error == "daybook: this machine has no program 'ssh'. Install it first.\n")
    let followed = stage.run(["sync", "--follow"], shouldStop: { true })
    #expect(followed.output == "Following desk. Stop with Ctrl-C.\nStopped.\n")
  }

  @Test(arguments: [
    (
      ProgramEnd.exit(code: 255), ExitCode.network,
      "ssh could not connect to ssh://ada@desk; its message above gives the reason."
    ),
    (
      .exit(code: 127), .refused, "the shell at ssh://ada@desk cannot find the program 'daybook'."
    ),
    (
      .exit(code: 2), .refused,
      "the version of daybook at ssh://ada@desk does not support 'daybook serve --stdio'."
    ),
    (.exit(code: 1), .network, "daybook at ssh://ada@desk ended early, with code 1."),
    (.killed, .network, "daybook at ssh://ada@desk ended early, because of a signal."),
  ])
  func `Sync over ssh: a command that ends early is explained`(
    end: ProgramEnd, code: ExitCode, text: String
  ) throws {
    let stage = try stage()
    stage.machine.network.install { _, _ in EndedProgram(end) }
    let synced = stage.run("sync", "ssh://ada@desk")
    #expect(synced.code == code)
    #expect(synced.error.hasPrefix("daybook: " + text), "\(synced.error)")
  }

  @Test func `Serve on standard streams: it needs pipes, and listens nowhere`() throws {
    let stage = try stage()
    let refused = stage.run("serve", "--stdio")
    #expect(refused.code == .refused && refused.output == "")
    #expect(
      refused.error
        == "daybook: --stdio is not for direct use: 'daybook sync ssh://HOST' on another machine starts this command through ssh.\n"
    )
    let both = stage.run("serve", "--stdio", "--listen", "127.0.0.1:1")
    #expect(both.code == .usage)
    #expect(both.error.hasPrefix("daybook: --stdio and --listen contradict each other."))
  }

  @Test func `Invitation: with an ssh address, nothing has to be served`() throws {
    let stage = try stage()
    let invited = stage.run("invite", "--address", "ssh://ada@desk/work book")
    #expect(invited.code == .done && invited.error == "")
    let words = invited.output.split(whereSeparator: \.isWhitespace).map(String.init)
    let text = try #require(words.first(where: Invitation.isMeant))
    #expect(try Invitation(parsing: text).address.text == "ssh://ada@desk/work book")
    let json = try JSON(
      parsing: Array(stage.answer("invite", "--json", "--address", "ssh://d").utf8))
    #expect(json["address"] == .string("ssh://d"))
    #expect(json["alternatives"] == .array([]))
  }

  @Test func `Peers: an address is remembered under only one name`() throws {
    let stage = try stage()
    _ = stage.answer("peer", "add", "my stick", "stick")
    for path in ["stick", "./stick/", "/home/ada/stick"] {
      let outcome = stage.run("peer", "add", "st3", path)
      #expect(outcome.code == .refused)
      #expect(
        outcome.error.hasSuffix(
          " is already remembered as my stick. To rename it, run 'daybook peer rename \"my stick\" st3'.\n"
        ))
    }
    #expect(stage.answer("peer", "add", "my stick", "./stick").hasPrefix("my stick is "))
    #expect(stage.answer("peer", "add", "st3", "card").hasPrefix("st3 is "))
    try stage.disk.makeDirectories(Path("/home/ada/drawer"))
    #expect(
      stage.run("peer", "add", "st3", "drawer").error
        == "daybook: st3 previously had the address /home/ada/card.\n")
  }

  @Test func `Peers: add, rename, forget and list answer in JSON`() throws {
    let stage = try stage()
    func answer(_ words: String...) throws -> JSON {
      try JSON(parsing: Array(stage.run(words + ["--json"]).output.utf8))
    }
    func peer(_ name: JSON) -> JSON {
      .object(
        ("name", name), ("address", "/home/ada/stick"), ("fingerprint", .null),
        ("lastSync", .null), ("lacking", .null), ("waiting", .null))
    }
    #expect(try answer("peer", "add", "st", "stick") == peer("st"))
    #expect(try answer("peer", "rename", "st", "stick") == peer("stick"))
    #expect(try answer("peer", "forget", "stick") == peer("stick"))
    #expect(try answer("peers") == .array([]))
  }

  @Test func `Peers: listening on another machine's address is refused with advice`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    let told = ConsoleError.foreignAddress(Endpoint(host: "10.9.8.7", port: 7771)).told
    #expect(told.exit == .refused)
    #expect(
      told.text == "this machine has no address 10.9.8.7, so it cannot listen at that address. "
        + "Use 0.0.0.0:7771 to listen on all its addresses.")
  }

  @Test func `Peers: an invalid name, address or invitation is refused`() throws {
    let stage = try stage()
    for words in [
      ["peer", "add", "a/b", "stick"], ["peer", "add", "x", "missing"],
      ["peer", "add", "x", "tcp://here"], ["peer", "rename", "x", "y"], ["peer", "forget", "x"],
      ["sync"], ["invite"], ["invite", "--address", "here"], ["join", "daybook1:AAAA"],
      ["join", "daybook2:AAAA"], ["join", "daybook1:AAA0"],
    ] {
      let outcome = stage.run(words)
      #expect(outcome.code == .refused, "\(words)")
      #expect(outcome.output == "")
      #expect(outcome.error.split(separator: "\n").count <= 2, "\(outcome.error)")
    }
    #expect(stage.run("sync").error.contains("no peers yet"))
    #expect(stage.run("invite").error.contains("Run 'daybook serve' in another window"))
    #expect(
      stage.run("join", "daybook1:AAA0").error
        == "daybook: character 4 of the invitation is '0', which cannot occur in an invitation. Did you mean "
        + "'O'?\n")
  }

  @Test func `Peers: sync uses the named peer, or all peers if none is named`() throws {
    let stage = try stage()
    _ = stage.answer("peer", "add", "one", "stick")
    _ = stage.answer("peer", "add", "two", "card")
    let told = stage.answer("sync")
    let lines = told.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("With") } == ["With one:", "With two:"])
    #expect(lines.filter { $0 == "Sent 2 events of laptop; received nothing." }.count == 2)
    #expect(stage.answer("sync", "two").hasPrefix("Sent nothing; received nothing.\n"))
    #expect(stage.answer("peers").contains("synced 2026-11-20 "))
    _ = stage.answer("peer", "add", "gone", "tcp://nowhere:1")
    _ = stage.answer("peer", "forget", "two")
    _ = stage.answer("peer", "add", "two", "card")
    let partly = stage.run("sync", "--json")
    #expect(partly.code == .network)
    #expect(partly.error == "")
    let receipts = try #require(try JSON(parsing: Array(partly.output.utf8)).array)
    #expect(receipts.map { $0["peer"]?.string } == ["gone", "one", "two"])
    #expect(receipts.map { $0["digest"] != nil } == [false, true, true])
    #expect(receipts[0]["error"]?["code"] == "network")
    let words = stage.run("sync")
    #expect(words.error.hasPrefix("daybook: gone: nothing is listening at nowhere:1."))
    #expect(stage.run("sync", "gone").code == .network)
    #expect(stage.run("verify", "--repair", "one").code == .done)
  }

  @Test func `Peers: a missing folder is reported as absent and not created`() throws {
    let stage = try stage()
    _ = stage.answer("peer", "add", "sg", "stick")
    _ = stage.answer("peer", "add", "bundle", "card")
    try stage.disk.removeDirectory(Path("/home/ada/stick"))
    let before = stage.machine.disk.files
    let away =
      "/home/ada/stick is not available. Plug it in or mount it, or run 'daybook peer forget sg' if it "
      + "is gone for good."
    for words in [["sync", "sg"], ["sync", "sg", "--dry-run"], ["verify", "--repair", "sg"]] {
      #expect(
        stage.run(words)
          == Stage.Outcome(code: .network, output: "", error: "daybook: sg: \(away)\n"))
    }
    #expect(stage.machine.disk.files == before)
    let round = stage.run("sync")
    #expect(round.code == .network)
    #expect(round.error == "daybook: sg: \(away)\n")
    #expect(round.output.hasPrefix("With bundle:\nSent 2 events of laptop; received nothing.\n"))
    let json = try JSON(parsing: Array(stage.run("sync", "--json").output.utf8))
    let error = try #require(json.array?.last?["error"])
    #expect(error == .object(("code", .string("peer-away")), ("message", .string(away))))
    #expect(try stage.disk.status(Path("/home/ada/stick")) == nil)
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    #expect(stage.answer("sync", "sg").hasPrefix("Sent 2 events of laptop; received nothing.\n"))
  }

  @Test func `Peers: a remembered bundle is read, and reported when missing`() throws {
    let stage = try stage()
    _ = stage.answer("bundle", "b")
    #expect(
      stage.answer("peer", "add", "bob", "b")
        == "bob is /home/ada/b. 'daybook sync' reads it, and writes nothing to it.\n")
    #expect(stage.answer("peers") == "bob  /home/ada/b  not read since it was added\n")
    _ = stage.answer("add", "todo", "Mop")
    #expect(stage.answer("sync").hasPrefix("With bob:\nSent nothing; received nothing.\n"))
    #expect(stage.answer("peers").hasPrefix("bob  /home/ada/b  read 2026-11-20 "))
    try stage.disk.remove(Path("/home/ada/b"))
    let away = Stage.Outcome(
      code: .network, output: "",
      error:
        "daybook: bob: /home/ada/b is not available. Plug it in or mount it, or run 'daybook peer "
        + "forget bob' if it is gone for good.\n")
    #expect(stage.run("sync", "bob") == away)
    #expect(stage.run("sync") == away)
  }

  @Test func `Peers: an unknown name is refused, and an incomplete address is corrected`() throws {
    let stage = try stage()
    for words in [["sync", "nobody"], ["verify", "--repair", "nobody"], ["join", "nobody"]] {
      #expect(
        stage.run(words)
          == Stage.Outcome(
            code: .refused, output: "",
            error: "daybook: no peer, file or folder is called 'nobody'. "
              + "'daybook peers' lists the peers.\n"))
    }
    #expect(
      stage.run("sync", "127.0.0.1:7771").error
        == "daybook: no peer, file or folder is called '127.0.0.1:7771'. "
        + "Did you mean 'tcp://127.0.0.1:7771'?\n")
  }

  @Test func `Peers: the worst result determines the exit code of a round`() {
    #expect([ExitCode.network, .done, .refused, .busy].max() == .refused)
    #expect([ExitCode.network, .done].max() == .network)
    #expect([ExitCode.dataFault, .cannotWrite, .refused].max() == .cannotWrite)
    #expect(Set(ExitCode.allCases.sorted()).count == ExitCode.allCases.count)
  }

  @Test func `Peers: a damaged peer file is reported and sync with a path works`() throws {
    let stage = try stage()
    let file = Path("/home/ada/.local/share/daybook/default/contacts")
    try stage.disk.replace(file, with: Array("{".utf8))
    for words in [["peers"], ["sync"], ["peer", "add", "one", "stick"], ["sync", "one"]] {
      let outcome = stage.run(words)
      #expect(outcome.code == .dataFault, "\(words)")
      #expect(outcome.error.contains(file.string))
    }
    #expect(stage.answer("sync", "stick").hasPrefix("Sent 2 events"))
  }

  @Test func `Invitation: an invitation is printed as text and as JSON`() throws {
    let stage = try stage()
    let told = stage.run("invite", "--address", "laptop.local:7771")
    let lines = told.output.split(separator: "\n")
    #expect(lines.count == 3)
    let text = lines[1].drop { $0 == " " }
    #expect(text.hasPrefix("daybook1:"))
    #expect(
      told.error
        == "daybook: this book is not being served yet. Start 'daybook serve' before the other device joins.\n"
    )
    let json = try JSON(
      parsing: Array(stage.run("invite", "--address", "laptop.local:7771", "--json").output.utf8))
    #expect(json["invitation"]?.string?.hasPrefix("daybook1:") == true)
    #expect(json["address"] == "laptop.local:7771")
    #expect(json["until"]?.string?.hasPrefix("2026-11-20T09:") == true)
    #expect(json["alternatives"] == .array([]))
    // The device that issued the invitation refuses to use it.
    let own = stage.run("join", String(text))
    #expect(own.code == .refused)
    #expect(
      own.error
        == "daybook: this device issued that invitation. Use it on the device that is to join.\n"
    )
    // No server listens at the address.
    let joined = stage.run("-C", "phone", "join", String(text))
    #expect(joined.code == .network)
    #expect(joined.error.contains("nothing is listening at laptop.local:7771."))
  }

  @Test func `Invitation: an invitation is read from standard input`() throws {
    let stage = try stage(input: "daybook1:AAA1\n")
    #expect(stage.run("-C", "phone", "join", "-").error.contains("character 4 of the invitation"))
    let pasted = try self.stage(input: "Say there:\n  daybook join daybook1:AAA1\nSoon!\n")
    for words in [["-"], ["daybook join daybook1:AAA1"], []] {
      let outcome = pasted.run(["-C", "phone", "join"] + words)
      #expect(outcome.error.contains("character 4 of the invitation"), "\(words)")
    }
    let other = try self.stage(input: "hello\n")
    #expect(
      other.run("-C", "phone", "join", "-").error.contains("an invitation begins with 'daybook1:'"))
  }
}
