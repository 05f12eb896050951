import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

struct ExitTests {
  @Test func `Exit codes: without HOME, no book is created and the command is refused`() {
    let stage = Stage()
    for home in ["", "here"] {
      for words in [["add", "todo", "x"], [], ["list", "todos"], ["where"]] {
        #expect(
          stage.run(words, environment: ["HOME": home])
            == .init(
              code: .refused, output: "",
              error: "daybook: cannot locate daybook's files, "
                + "because HOME is not set to an absolute path. Set HOME; to choose only the folder of the book, use -C DIR or set DAYBOOK_DIR.\n"
            ))
      }
      #expect(stage.run(["help"], environment: ["HOME": home]).code == .done)
    }
    #expect(stage.machine.disk.files.isEmpty)
    for (name, value) in [("DAYBOOK_DIR", "book"), ("XDG_DATA_HOME", "/data")] {
      let environment = ["HOME": "", name: value]
      #expect(stage.run(["add", "todo", "x"], environment: environment).code == .done)
    }
    #expect(stage.run(["-C", "b", "add", "todo", "x"], environment: ["HOME": ""]).code == .done)
  }

  @Test func `Exit codes: a report of lost output says whether the change was made`() {
    let closed = "could not be shown, because standard output is closed or full."
    let done = "daybook: the result \(closed) Any changes are in the book.\n"
    let asked = "daybook: the output \(closed)\n"
    for words in [
      ["add", "todo", "x"], ["done", "x"], ["sync"], ["undo"], ["device", "rename", "x"],
    ] {
      #expect(Console.sentenceOfLostOutput(words) == done, "\(words)")
    }
    for words in [[], ["list", "todos"], ["help"], ["export"], ["lst"], ["log", "--json"]] {
      #expect(Console.sentenceOfLostOutput(words) == asked, "\(words)")
    }
  }

  static let wrong: [(words: [String], code: ExitCode, beginning: String)] = [
    (["lst"], .usage, "unknown command 'lst'. Did you mean 'list'?"),
    (["add", "todo"], .usage, "TITLE is missing.\nusage: daybook add todo TITLE"),
    (["done", "a", "--all"], .usage, "unknown option '--all'."),
    (["where", "x"], .usage, "unexpected argument 'x'."),
    (["watch", "list", "to\u{1B}dos", "x"], .refused, "what to watch cannot be 'to\\u{1b}dos'"),
    (["edit", "ada"], .usage, "nothing to edit."),
    (["add", "todo", " "], .refused, "a to-do needs a title that is not empty."),
    (
      ["add", "birthday", "x", "2027-02-29"], .refused,
      "2027 has no 29 February, and the nearest dates are in the future;"
    ),
    (["add", "birthday", "x", "blursday"], .refused, "cannot read date 'blursday'."),
    (["add", "todo", "x", "--priority", "urgent"], .refused, "the priority cannot be 'urgent'."),
    (["add", "list", "x", "--colour", "rod"], .refused, "the colour cannot be 'rod'."),
    (["add", "list", "x", "--colour", "#12345"], .refused, "the colour cannot be '#12345'."),
    (["edit", "ada", "--due", "2026-01-01"], .refused, "a birthday has no --due."),
    (["show", "nobody"], .refused, "nothing is called 'nobody'."),
    (["show", "a"], .refused, "'a' matches 2 records."),
    (["done", "ada"], .refused, "'ada' is a birthday, but this command needs a to-do."),
    (["restore", "nobody"], .refused, "nothing is called 'nobody'."),
    (["undo", "9", "9"], .usage, "unexpected argument '9'."),
    (["import", "missing"], .refused, "cannot open /home/ada/missing: there is no such file."),
    (["import", "--format", "doc", "x"], .refused, "the format cannot be 'doc'."),
    (["sync", "missing"], .refused, "no peer, file or folder is called 'missing'."),
    (["sync", "tcp://127.0.0.1:1"], .network, "nothing is listening at 127.0.0.1:1."),
    (["sync", "tcp://127.0.0.1"], .refused, "the address cannot be '127.0.0.1'."),
    (["serve", "--listen", "7771"], .refused, "the address cannot be '7771'."),
    (["bundle", "b", "--since", "nobody"], .refused, "no device is called 'nobody'."),
    (["help", "dlete"], .usage, "unknown command 'dlete'. Did you mean 'delete'?"),
    (["help", "lst"], .usage, "unknown command 'lst'. Did you mean 'list'?"),
    (["help", "birthdays"], .usage, "unknown command 'birthdays'. Did you mean 'list birthdays'?"),
    (
      ["export", "-o", "out.plist"], .refused,
      "the format cannot be 'plist'. Use one of ops, vcf, ics, csv, todotxt, taskwarrior, markdown."
    ),
  ]

  @Test(arguments: wrong)
  func `Exit codes: each error has its code and message`(
    words: [String], code: ExitCode, beginning: String
  ) {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    _ = stage.answer("add", "birthday", "Grandma")
    let outcome = stage.run(words)
    #expect(outcome.code == code)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("daybook: \(beginning)"), "\(outcome.error)")
    // A usage line of a command with many options wraps.
    #expect(outcome.error.split(separator: "\n").count <= 4)
  }

  @Test func `Exit codes: damage has its own code, and the message gives its position`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    _ = stage.answer("add", "birthday", "Grandma")
    let disk = stage.disk
    let logs = Path("/home/ada/.local/share/daybook/default/logs")
    let log = logs / (try #require(try disk.list(logs).first))
    let path = log / (try #require(try disk.list(log).first))
    var bytes = try disk.contents(of: path, limit: 1 << 20)
    bytes[bytes.count - 20] ^= 0x40
    try disk.replace(path, with: bytes)
    let outcome = stage.run("verify")
    #expect(outcome.code == .dataFault)
    #expect(outcome.output.contains(path.name))
    #expect(outcome.output.contains("at byte "))
    #expect(stage.answer("list", "birthdays").contains("Ada Lovelace"))
  }

  @Test func `Exit codes: a locked book is reported as busy`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    let lock = Path("/home/ada/.local/share/daybook/default/lock")
    _ = try #require(try stage.disk.lock(lock))
    let outcome = stage.run("add", "todo", "Sweep")
    #expect(outcome.code == .busy)
    #expect(outcome.error.hasPrefix("daybook: the book is busy"))
  }

  @Test func `Exit codes: a full disk exits with the code for failed writes`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    let told = DiskError(.write, Path("/x"), .full).told
    #expect(told.exit == .cannotWrite)
    #expect(told.text.hasPrefix("cannot write /x: the disk is full, or this user "))
  }

  @Test func `Exit codes: a full or read-only disk leaves the book readable`() {
    let strikes: [(SimulatedDisk) -> Void] = [
      { $0.becomeFull(afterBytes: 0) }, { $0.becomeReadOnly() },
    ]
    for strike in strikes {
      let stage = Stage()
      _ = stage.answer("add", "birthday", "Ada Lovelace")
      strike(stage.machine.disk)
      for words in [["add", "todo", "x"], ["export", "-o", "/out"], ["delete", "ada"]] {
        let outcome = stage.run(words)
        #expect(outcome.code == .cannotWrite && outcome.output == "", "\(words) \(outcome)")
      }
      #expect(stage.answer("list", "birthdays").contains("Ada Lovelace"))
    }
  }

  @Test func `Exit codes: a file and a folder without permission to write exit with the same code`()
    throws
  {
    let disk = SimulatedMachine(seed: 5).disk
    try disk.replace(Path("/x"), with: [1])
    for (path, access) in [(Path("/x"), Access.write), (Path("/y").draft, .create)] {
      disk.failCall(1, of: .all, with: .permission)
      let error = #expect(throws: DiskError.self) { _ = try OpenFile(path, access, on: disk) }
      #expect(error?.told.exit == .cannotWrite)
    }
    disk.failCall(1, of: .all, with: .permission)
    let unreadable = #expect(throws: DiskError.self) {
      _ = try OpenFile(Path("/x"), .read, on: disk)
    }
    #expect(unreadable?.told.exit == .refused)
  }

  @Test func `Exit codes: an output file that cannot be created is reported with its folder`() {
    let draft = Path("/media/book.jsonl").draft
    let denied = DiskError(.open, draft, .permission).told
    #expect(denied.exit == .cannotWrite)
    #expect(denied.text.hasPrefix("cannot write into /media: permission denied;"))
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    for words in [["export", "-o", "/nowhere/out"], ["bundle", "/nowhere/out"]] {
      #expect(
        stage.run(words).error == "daybook: cannot write into /nowhere: there is no such folder.\n")
    }
  }

  @Test func `Exit codes: an unknown import format is refused`() {
    let stage = Stage(input: "# a shell script\necho hello\n")
    #expect(stage.run("import", "-").code == .refused)
    #expect(stage.run("import", "-").error.contains("the format of - is unknown."))
    let told = stage.run("import", "--format", "ops", "-")
    #expect(told.code == .refused)
    #expect(told.error.contains("line 2 skipped: it is not JSON"))
  }
}
