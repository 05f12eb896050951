import Phrasing
import Testing

@testable import Console

struct CommandLineParserTests {
  private func parse(_ words: String...) throws(UsageFault) -> Invocation {
    try CommandLineParser.parse(words)
  }

  private func fault(_ words: String...) -> UsageFault? {
    do throws(UsageFault) {
      _ = try CommandLineParser.parse(words)
      return nil
    } catch {
      return error
    }
  }

  @Test func `Command line: options are accepted anywhere, also joined to their values`() throws {
    let lines = [
      try parse("add", "todo", "Eggos", "--list", "Home", "--due=2026-12-24"),
      try parse("add", "todo", "--list=Home", "Eggos", "--due", "2026-12-24"),
    ]
    for line in lines {
      #expect(line.command?.path == "add todo")
      #expect(line.arguments.operands == ["Eggos"])
      #expect(line.arguments.options.map(\.name) == ["list", "due"])
      #expect(line.arguments.options.map(\.value) == ["Home", "2026-12-24"])
    }
  }

  @Test func `Command line: dashes before a digit begin a value`() throws {
    let line = try parse("add", "birthday", "Grandma", "--12-24")
    #expect(line.arguments.operands == ["Grandma", "--12-24"])
    let edit = try parse("edit", "k7", "--birthdate", "--12-24")
    #expect(edit.arguments.options.map(\.value) == ["--12-24"])
  }

  @Test func `Command line: two dashes end the options`() throws {
    let line = try parse("add", "todo", "--", "--list")
    #expect(line.arguments.operands == ["--list"])
  }

  @Test func `Command line: global options are accepted before and after the command`() throws {
    let line = try parse("-C", "there", "list", "todos", "--json", "-q", "--no-color")
    #expect(line.globals.directory == "there")
    #expect(line.globals.isJSON)
    #expect(line.globals.isQuiet)
    #expect(line.globals.usesColour == false)
  }

  @Test func `Command line: an alias is parsed as its command`() throws {
    #expect(try parse("ls", "todos").command?.path == "list todos")
    #expect(try parse("rm", "k7").command?.path == "delete")
    #expect(try parse("bd", "Ada").command?.path == "add birthday")
  }

  @Test func `Command line: --list and --in both name a list, for every command`() throws {
    for words in [
      ["list", "todos"], ["watch", "list", "todos"], ["search", "x"], ["export"],
      ["add", "todo", "x"], ["edit", "x"],
    ] {
      for option in [["--in", "Home"], ["--in=Home"], ["--list", "Home"]] {
        let options = try CommandLineParser.parse(words + option).arguments.options
        #expect(options.map(\.name) == ["list"])
        #expect(options.map(\.value) == ["Home"])
      }
    }
    #expect(fault("list", "todos", "--in", "A", "--list", "B") == .repeatedOption("--list"))
    #expect(
      fault("pick", "x", "--in", "A")
        == .unknownOption(
          "--in", suggestion: nil, usage: "pick [QUESTION] [--replay ID] [--because TEXT]"))
  }

  @Test func `Command line: an unknown command is refused with a suggestion`() {
    #expect(fault("lst") == .unknownCommand("lst", suggestion: "list"))
    for (word, meant) in [
      ("birthdays", "list birthdays"), ("lists", "list lists"), ("todo", "add todo"),
      ("version", "--version"), ("tour", "help tour"), ("exit-codes", "help exit-codes"),
    ] {
      #expect(fault(word) == .unknownCommand(word, suggestion: meant))
    }
    #expect(fault("frobnicate") == .unknownCommand("frobnicate", suggestion: nil))
    #expect(
      fault("list", "todo")
        == .unknownContinuation(
          "list", "todo", suggestion: "todos",
          continuations: [
            "birthdays", "todos", "lists", "questions", "choices", "picks", "deleted",
          ]))
    #expect(
      fault("add")
        == .incomplete(
          "add",
          continuations: [
            "birthday", "todo", "list", "question", "choice",
          ]))
  }

  @Test func `Command line: invalid options are refused with suggestions`() {
    #expect(
      fault("add", "todo", "x", "--priorty", "low")
        == .unknownOption("--priorty", suggestion: "--priority"))
    #expect(
      fault("edit", "ada", "--date", "1815-12-10")
        == .unknownOption("--date", suggestion: "--birthdate"))
    #expect(
      fault("edit", "ada", "--leap", "mar1") == .unknownOption("--leap", suggestion: "--leap-rule"))
    #expect(
      fault("add", "todo", "x", "--due-date", "fri")
        == .unknownOption("--due-date", suggestion: "--due"))
    #expect(
      fault("done", "-x")
        == .unknownOption(
          "-x", suggestion: nil, usage: "done ID … | FILTER [--yes] [-n] [--only] [--because TEXT]")
    )
    #expect(fault("-x") == .unknownOption("-x", suggestion: nil))
    #expect(fault("add", "todo", "x", "--list") == .missingValue("--list"))
    #expect(fault("add", "todo", "x", "--list", "--due") == .missingValue("--list"))
    #expect(fault("list", "todos", "--json=yes") == .unexpectedValue("--json"))
    #expect(
      fault("add", "todo", "x", "--due", "2026-01-01", "--due", "2026-01-02")
        == .repeatedOption("--due"))
    #expect(fault("edit", "x", "--tags", "a", "--tags", "b") == nil)
  }

  @Test func `Command line: --color followed by a colour means --colour`() throws {
    for words in [["--color", "#3366cc"], ["--color=#3366cc"]] {
      let line = try CommandLineParser.parse(["edit", "home"] + words)
      #expect(line.arguments.options.map(\.name) == ["colour"])
      #expect(line.arguments.options.map(\.value) == ["#3366cc"])
      #expect(line.globals.usesColour == nil)
    }
    #expect(try parse("add", "list", "Home", "--color").globals.usesColour == true)
    #expect(
      fault("list", "lists", "--color=#3366cc")
        == .unknownValue("--color", "#3366cc", "auto, always or never"))
  }

  @Test func `Command line: at takes a time and a reading command`() throws {
    let line = try parse("at", "2026-01-01", "list", "todos", "--json")
    #expect(line.moment == "2026-01-01")
    #expect(line.command?.path == "list todos")
    #expect(fault("at", "2026-01-01", "done", "x") == .notReading("done", isOfPresent: false))
    #expect(fault("at", "2026-01-01", "at", "2026-01-01") == .notReading("at", isOfPresent: false))
    let alone = try parse("at", "2026-01-01", "--json")
    #expect(alone.moment == "2026-01-01" && alone.command == nil && alone.globals.isJSON)
    #expect(fault("at") == .missingOperand("TIME", usage: "at TIME [COMMAND …]"))
  }

  @Test func `Command line: spelling distance counts changed letters`() {
    #expect(Spelling.distance(from: "kitten", to: "sitting") == 3)
    #expect(Spelling.distance(from: "", to: "abc") == 3)
    #expect(Spelling.distance(from: "abc", to: "") == 3)
    #expect(Spelling.distance(from: "lsit", to: "list") == 1)
    #expect(Spelling.distance(from: "ca", to: "abc") == 3)
    #expect(Spelling.nearest(to: "lsit", among: ["edit", "list"]) == "list")
    #expect(Spelling.nearest(to: "undonee", among: ["undo", "undone"]) == "undone")
    #expect(Spelling.nearest(to: "xy", among: ["ab"]) == nil)
  }
}
