import Foundation
import Glibc
import Testing

/// Syncs between real processes that a script connects in place of `ssh`.
@Suite(
  .enabled(if: Program.path != nil, "the program is not built beside the tests"), .serialized,
  .timeLimit(.minutes(3)))
struct SSHProcessTests {
  /// A machine that reaches another one by the command `ssh`.
  private final class Desk {
    let program: Program
    private let bin: URL

    init(_ program: Program, reaching other: Program, before lines: String = "") throws {
      self.program = program
      bin = program.folder.appending(path: "bin")
      try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
      let programs = try #require(Program.path).deletingLastPathComponent().path()
      let folder = other.folder.path()
      // Like ssh, the script joins the words of the command, and a shell reads them in the home folder.
      try write(
        """
        #!/bin/sh
        echo "$@" >> '\(program.folder.path())/calls'
        while [ "$1" != "--" ]; do shift; done
        shift 2
        export DAYBOOK_DIR='\(folder)/book' XDG_STATE_HOME='\(folder)/state' HOME='\(folder)'
        export PATH='\(programs)':/usr/bin:/bin
        cd '\(folder)'
        \(lines)
        exec /bin/sh -c "$*"
        """)
    }

    private func write(_ script: String) throws {
      let path = bin.appending(path: "ssh")
      try Data((script + "\n").utf8).write(to: path)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: path.path())
    }

    func process(_ words: [String], output: Any?, errors: Any?) throws -> Process {
      let process = try program.process(words, output: output)
      process.environment?["PATH"] = "\(bin.path()):/usr/bin:/bin"
      process.standardError = errors
      process.standardInput = FileHandle.nullDevice
      return process
    }

    /// Runs a command until it ends, by another program if one is given; errors follow its output.
    func run(
      _ words: String..., by runner: [String] = []
    ) throws -> (code: Int32, text: String) {
      let pipe = Pipe()
      let process = try process(words, output: pipe, errors: pipe)
      if let runnerPath = runner.first, let program = process.executableURL {
        process.executableURL = URL(filePath: runnerPath)
        process.arguments = runner.dropFirst() + [program.path()] + words
      }
      try process.run()
      let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    /// The arguments of each call of `ssh`.
    func calls() throws -> [String] {
      let path = program.folder.appending(path: "calls")
      return String(decoding: try Data(contentsOf: path), as: UTF8.self).split(separator: "\n")
        .map(String.init)
    }
  }

  private func withTwo(_ body: (Program, Program) throws -> Void) throws {
    let (one, two) = (try Program(), try Program())
    defer {
      try? one.remove()
      try? two.remove()
    }
    #expect(try one.run("add", "list", "Home").code == 0)
    try body(one, two)
  }

  /// Joins the book of a machine that is reached by `ssh`.
  private func join(_ desk: Desk, _ one: Program, _ address: String = "ssh://ada@desk") throws {
    let invited = try one.run("invite", "--no-qr", "--address", address)
    let invitation = try #require(try #/daybook1:[A-Z2-7]+/#.firstMatch(in: invited.output)).output
    let joined = try desk.run("join", String(invitation))
    #expect(joined.code == 0, "\(joined.text)")
  }

  @Test func `SSH processes: an invited device joins, and both sides sync in both directions`()
    throws
  {
    try withTwo { one, two in
      let desk = try Desk(two, reaching: one)
      try join(desk, one)
      #expect(try desk.calls() == ["-- ada@desk daybook serve --stdio"])
      #expect(try one.run("add", "todo", "of one").code == 0)
      #expect(try two.run("add", "todo", "of two").code == 0)
      let synced = try desk.run("sync")
      #expect(synced.code == 0, "\(synced.text)")
      for program in [one, two] {
        #expect(try program.titles().sorted() == ["of one", "of two"])
      }
      // The other machine calls back.
      let back = try Desk(one, reaching: two)
      #expect(try two.run("add", "todo", "later").code == 0)
      let called = try back.run("sync", "ssh://bob@phone:2222")
      #expect(called.code == 0, "\(called.text)")
      #expect(try back.calls() == ["-p 2222 -- bob@phone daybook serve --stdio"])
      #expect(try one.titles().sorted() == ["later", "of one", "of two"])
      let digests = try [one, two].map { try $0.run("status", "--json").output }
      let states = digests.map { $0.firstMatch(of: #/"digest": "(\w+)"/#)?.output.1 }
      #expect(states[0] != nil && states[0] == states[1])
    }
  }

  @Test(arguments: [
    "it's a $HOME book", "-C", #"back\slash"#, "`id`; exit 9", "\"quoted\" *", "büro/inner",
  ])
  func `SSH processes: the folder of the book reaches the other shell unchanged`(
    name: String
  ) throws {
    try withTwo { one, two in
      let folder = one.folder.appending(path: name).path(percentEncoded: false)
      #expect(try one.run("-C", folder, "add", "todo", "elsewhere").code == 0)
      let desk = try Desk(two, reaching: one)
      let address = "ssh://desk/\(name)"
      let invited = try one.run("-C", folder, "invite", "--no-qr", "--address", address)
      let text = try #require(try #/daybook1:[A-Z2-7]+/#.firstMatch(in: invited.output)).output
      let joined = try desk.run("join", String(text))
      #expect(joined.code == 0, "\(joined.text)")
      #expect(try two.titles() == ["elsewhere"])
      #expect(try two.run("peers", "--json").output.contains("ssh://desk/"))
    }
  }

  @Test
  func
    `SSH processes: a login alone admits no device, and the message names the command that does`()
    throws
  {
    try withTwo { one, two in
      let desk = try Desk(two, reaching: one)
      let refused = try desk.run("join", "ssh://ada@desk", "--yes")
      #expect(refused.code == 1)
      #expect(
        refused.text.contains(
          "ssh ada@desk daybook invite --no-qr --address ssh://ada@desk | daybook join -"),
        "\(refused.text)")
      #expect(try one.run("devices", "--json").output.matches(of: #/"replica"/#).count == 1)
    }
  }

  @Test(arguments: [
    ("echo refused >&2; exit 255", 4, "ssh could not connect to ssh://ada@desk"),
    ("export PATH=/usr/bin:/bin", 1, "cannot find the program 'daybook'"),
    ("exit 2", 1, "does not support 'daybook serve --stdio'"),
    ("echo Welcome to this machine", 1, "something other than daybook answered"),
    ("export DAYBOOK_DIR=/nonexistent", 4, "ended early, with code 1"),
  ])
  func `SSH processes: a failed login says what is wrong`(
    lines: String, code: Int32, text: String
  ) throws {
    try withTwo { one, two in
      try join(try Desk(two, reaching: one), one)
      let failed = try Desk(two, reaching: one, before: lines).run("sync", "ssh://ada@desk")
      #expect(failed.code == code, "\(failed.text)")
      #expect(failed.text.contains(text), "\(failed.text)")
    }
  }

  @Test func `SSH processes: the code of ssh is known even if the parent ignores SIGCHLD`() throws {
    try withTwo { one, two in
      try join(try Desk(two, reaching: one), one)
      let desk = try Desk(two, reaching: one, before: "exit 255")
      let failed = try desk.run(
        "sync", "ssh://ada@desk", by: ["/usr/bin/env", "--ignore-signal=CHLD"])
      #expect(failed.code == 4, "\(failed.text)")
      #expect(failed.text.contains("ssh could not connect to ssh://ada@desk"), "\(failed.text)")
    }
  }

  @Test func `SSH processes: a machine without ssh says so`() throws {
    try withTwo { one, two in
      try join(try Desk(two, reaching: one), one)
      let failed = Pipe()
      let process = try two.process(["sync"])
      process.environment?["PATH"] = two.folder.path()
      process.standardError = failed
      try process.run()
      let text = String(decoding: failed.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(text.contains("this machine has no program 'ssh'"), "\(text)")
      #expect(process.terminationStatus == 1)
    }
  }

  @Test func `SSH processes: a followed machine sends news at once`() throws {
    try withTwo { one, two in
      let desk = try Desk(two, reaching: one)
      try join(desk, one)
      let output = Pipe()
      let process = try desk.process(
        ["sync", "--follow"], output: output, errors: FileHandle.nullDevice)
      try process.run()
      defer { if process.isRunning { process.terminate() } }
      let said = Lines(output.fileHandleForReading, patienceMilliseconds: 60_000)
      var line = said.next()
      while !line.isEmpty, !line.contains(" With ") { line = said.next() }
      #expect(try one.run("add", "todo", "news").code == 0)
      while !line.isEmpty, !line.hasSuffix("; added todo news.") { line = said.next() }
      #expect(try two.titles() == ["news"])
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      // One call for the join, one for the session.
      #expect(try desk.calls().count == 2)
    }
  }

  @Test func `SSH processes: an open login ends with the command`() throws {
    try withTwo { one, two in
      try join(try Desk(two, reaching: one), one)
      let desk = try Desk(two, reaching: one, before: "echo login $$ >&2; exec sleep 600")
      let errors = Pipe()
      let process = try desk.process(
        ["sync", "--follow"], output: FileHandle.nullDevice, errors: errors)
      try process.run()
      defer { if process.isRunning { process.terminate() } }
      let said = Lines(errors.fileHandleForReading, patienceMilliseconds: 60_000)
      var line = said.next()
      while !line.isEmpty, !line.hasPrefix("login ") { line = said.next() }
      let login = try #require(Int32(line.dropFirst("login ".count)))
      #expect(kill(login, 0) == 0)
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(kill(login, SIGKILL) == -1 && errno == ESRCH)
    }
  }

  @Test func `SSH processes: a session needs pipes`() throws {
    try withTwo { one, two in
      let desk = try Desk(one, reaching: two)
      let refused = try desk.run("serve", "--stdio")
      #expect(refused.code == 1)
      #expect(refused.text.hasPrefix("daybook: --stdio is not for direct use"))
    }
  }
}
