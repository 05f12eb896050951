import Foundation
import Phrasing
import Testing

@testable import Console

/// The candidates that a shell receives for the next word.
struct CompletionTests {
  private func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace", "1815-12-10")
    _ = stage.answer("add", "todo", "Buy Eggos", "--list", "Home", "--tag", "shop,sweet")
    _ = stage.answer("add", "todo", "Find Mike", "--list", "Hawkins Lab")
    _ = stage.answer("done", "mike")
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3")
    return stage
  }

  private func words(_ stage: Stage, _ words: String...) -> [String] {
    let outcome = stage.run(["__complete"] + words)
    // If there are no candidates, the exit code tells whether the shell should offer files.
    #expect((outcome.code == .done || outcome.output.isEmpty) && outcome.error == "")
    return outcome.output.split(separator: "\n").map { line in
      line.split(separator: "\t").first.map(String.init) ?? ""
    }
  }

  @Test func `Completion: every command and option of the catalog is offered`() {
    for verb in CommandCatalog.all {
      for (place, word) in verb.words.enumerated() {
        let earlier = Array(verb.words[..<place])
        let offered = Completion.candidates(
          for: earlier + [String(word.prefix(1))], by: CommandCatalog.all
        ) { _ in [] }
        #expect(offered.contains { $0.word == word }, "\(verb.path)")
      }
      let options = Completion.candidates(for: verb.words + ["--"], by: CommandCatalog.all) { _ in
        []
      }.map(\.word)
      let known = (verb.optionNames + Globals.forms.map(\.name)).map { "--" + $0 }
      #expect(Set(options) == Set(known), "\(verb.path)")
    }
  }

  @Test func `Completion: devices are offered for device parameters`() {
    let stage = stage()
    for words in [
      ["device", "rename", ""], ["device", "admit", ""], ["device", "revoke", ""],
      ["device", "quota", ""], ["device", "revoke", "x", "--keep", ""], ["erase", "--accept", ""],
      ["bundle", "x", "--since", ""], ["log", "--by", ""], ["found", "--with", ""],
    ] {
      #expect(stage.run(["__complete"] + words).output == "laptop\n", "\(words)")
    }
  }

  @Test func `Completion: values of the option or operand are offered`() {
    let stage = stage()
    #expect(words(stage, "add", "todo", "x", "--priority", "") == ["low", "normal", "high"])
    #expect(words(stage, "add", "todo", "x", "--list", "h").sorted() == ["Hawkins Lab", "Home"])
    #expect(words(stage, "list", "todos", "--tag", "sw") == ["sweet"])
    #expect(
      words(stage, "list", "todos", "--sort", "") == [
        "priority", "due", "creation", "title", "position",
      ])
    #expect(words(stage, "list", "birthdays", "--sort", "n") == ["name", "next"])
    #expect(words(stage, "--color=a") == ["--color=auto", "--color=always"])
    #expect(words(stage, "list", "todos", "--color", "=", "ne") == ["never"])
    #expect(words(stage, "import", "--format", "t") == ["todotxt", "taskwarrior"])
    #expect(words(stage, "import", "--as", "th") == ["things", "thunderbird"])
    #expect(words(stage, "export", "--format", "p") == [])
    #expect(words(stage, "import", "--format", "p") == ["plist"])
    #expect(words(stage, "completions", "") == ["bash", "zsh", "fish"])
    #expect(words(stage, "at", "yes") == ["yesterday"])
    #expect(words(stage, "at", "yesterday", "li") == ["list"])
    #expect(words(stage, "rm", "Bu") == ["Buy Eggos"])
    #expect(words(stage, "import", "x") == [])
  }

  @Test func `Completion: records that the command applies to are offered by id and title`() {
    let stage = stage()
    let todo = words(stage, "done", "")
    #expect(todo.count == 2 && todo.last == "Buy Eggos")
    #expect(words(stage, "done", todo[0]) == [todo[0]])
    #expect(words(stage, "done", "--because", "it is", "bu") == ["Buy Eggos"])
    #expect(words(stage, "done", "Buy\\ E") == ["Buy Eggos"])
    #expect(words(stage, "undone", "").last == "Find Mike")
    #expect(words(stage, "pick", "l") == ["Lunch?"])
    #expect(words(stage, "show", "a").contains("Ada Lovelace"))
    _ = stage.answer("delete", "eggos")
    #expect(words(stage, "restore", "B") == ["Buy Eggos"])
    let told = stage.run("__complete", "restore", "").output
    #expect(told.contains("\tBuy Eggos\n"))
  }

  @Test func `Completion: without a book, no records are offered and no error is shown`() {
    #expect(words(Stage(), "done", "") == [])
    #expect(words(Stage(), "-C", "nowhere", "show", "") == [])
    #expect(words(Stage(), "add", "").contains("todo"))
    let homeless = Stage().run(["__complete", "done", ""], environment: ["HOME": ""])
    #expect(homeless == .init(code: .refused, output: "", error: ""))
  }

  private static func find(_ name: String) -> URL? {
    ["/usr/bin/", "/bin/"].map { URL(filePath: $0 + name) }.first {
      FileManager.default.isExecutableFile(atPath: $0.path())
    }
  }

  private static func status(
    _ program: URL, _ words: [String], reading text: String
  ) throws -> Int32 {
    let file = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())")
    try Data(text.utf8).write(to: file)
    // An error is ignored: the system cleans up temporary folders.
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = program
    process.arguments = words + [file.path()]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test(arguments: CompletionScript.allCases)
  func `Completion: each shell accepts its script`(shell: CompletionScript) throws {
    let script = Stage().answer("completions", shell.rawValue)
    #expect(script.contains("daybook __complete"))
    guard let program = Self.find(shell.rawValue) else { return }
    #expect(try Self.status(program, ["-n"], reading: script) == 0)
    #expect(try Self.status(program, ["-n"], reading: script + "\nif then (((\n") != 0)
  }

  @Test func `Completion: an unknown shell is refused`() {
    #expect(
      Stage().run("completions", "tcsh").error
        == "daybook: the shell cannot be 'tcsh'. Use bash, zsh or fish.\n")
  }

  @Test(arguments: [[], ["journal"]])
  func `Manual: mandoc accepts each page`(page: [String]) throws {
    let stage = Stage()
    let text = stage.run(["manual"] + page).output
    guard let mandoc = Self.find("mandoc") else { return }
    #expect(try Self.status(mandoc, ["-T", "lint", "-W", "warning"], reading: text) == 0)
    #expect(try Self.status(mandoc, ["-T", "lint", "-W", "warning"], reading: text + ".Bl\n") != 0)
  }

  /// If they differ, regenerate the reference with `daybook manual commands`.
  @Test func `Manual: the reference in the documentation matches the program`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let file = root.appending(path: "Sources/Daybook/Daybook.docc/Commands.md")
    #expect(try String(contentsOf: file, encoding: .utf8) == Stage().answer("manual", "commands"))
  }

  @Test func `Manual: every command, option, variable and exit code is documented`() throws {
    let lines = Set(Manual.program(CommandCatalog.table))
    for verb in CommandCatalog.all {
      #expect(
        lines.contains { $0.hasPrefix(".It Ic \"\(Manual.escaped(verb.path))") }, "\(verb.path)")
      for option in verb.optionForms where !verb.forms.contains(.fields) {
        let name = Manual.escaped("--\(option.name)")
        #expect(lines.contains { $0.hasPrefix(".It Ic") && $0.contains(name) }, "\(option.name)")
      }
    }
    let editable = try Help(CommandCatalog.table).lines(about: ["edit"])
    for (kind, options) in [
      (
        "birthday",
        "--first-name, --last-name, --birthdate, --leap-rule, --lead, --note, --tags, --tag, --untag"
      ),
      ("list", "--name, --colour, --note, --tags, --tag, --untag"),
    ] {
      #expect(lines.contains(".It \(kind)") && lines.contains(Manual.escaped(options)), "\(kind)")
      let words = editable.first { $0.hasPrefix("  \(kind) ") }
      #expect(words?.hasSuffix("  \(options)") == true, "\(words ?? "")")
    }
    for variable in Variable.allCases { #expect(lines.contains(".It Ev \(variable.rawValue)")) }
    for code in ExitCode.allCases { #expect(lines.contains(".It \(code.rawValue)")) }
  }

  @Test(arguments: [
    (["device", "rename", "zz"], ExitCode.refused), (["undo", "--by", ""], .done),
    (["undo", "--by", "zz"], .refused), (["log", "--by=zz"], .refused),
    (["done", "zz"], .refused), (["add", "todo", "zz"], .refused),
    (["sync", "zz"], .done), (["verify", "--repair", ""], .done), (["import", "zz"], .done),
    (["export", "-o", "zz"], .done), (["-C", "zz"], .done), (["peer", "add", "x", "zz"], .done),
    (["bundle", ""], .done), (["join", "zz"], .done),
  ])
  func `Completion: without candidates, files are offered only where one is expected`(
    words: [String], code: ExitCode
  ) {
    #expect(stage().run(["__complete"] + words).code == code)
  }

  @Test func `Completion: without devices, neither devices nor files are offered`() {
    let outcome = Stage().run("__complete", "undo", "--by", "")
    #expect(outcome == Stage.Outcome(code: .refused, output: "", error: ""))
  }
}
