import Phrasing
import Testing

@testable import Console

struct CommandCatalogTests {
  @Test func `Command catalog: each command has a unique path by which it is found`() throws {
    let paths = CommandCatalog.all.map(\.path)
    #expect(Set(paths).count == paths.count)
    for command in CommandCatalog.all {
      #expect((1...2).contains(command.words.count))
      // A command is found even if its first word is also a command.
      for rest in [[], ["x"], ["--json"]] {
        let understood = try CommandLineParser.parse(command.words + rest)
        #expect(understood.command?.path == command.path)
      }
      let isBeginning = CommandCatalog.all.contains {
        $0.words.count == 2 && $0.words[0] == command.path
      }
      #expect(
        !isBeginning || ["bundle", "keys"].contains(command.path),
        "\(command.path) is the beginning of others")
    }
  }

  @Test func `Command catalog: commands with the same first word form one family`() {
    for command in CommandCatalog.all {
      let alike = CommandCatalog.all.filter { $0.words[0] == command.words[0] }
      let family = CommandCatalog.family(of: command.words[0]).filter {
        $0.words[0] == command.words[0]
      }
      #expect(family.map(\.path) == alike.map(\.path))
    }
    #expect(CommandCatalog.family(of: "fly").isEmpty)
  }

  @Test func `Command catalog: help lists every command with examples that parse`() throws {
    let overview = try Help(CommandCatalog.table).lines(about: [String]())
    for command in CommandCatalog.all {
      #expect(overview.contains { $0.hasPrefix("  \(command.path) ") }, "\(command.path)")
      let lines = try Help(CommandCatalog.table).lines(about: command.words)
      #expect(lines.contains("usage: daybook \(command.usage)"))
      #expect(command.examples.count >= 2, "\(command.path)")
      for example in command.examples {
        let words = try #require(Shell.words(example))
        #expect(words.first == "daybook")
        _ = try CommandLineParser.parse(Array(words.dropFirst()))
      }
    }
  }

  @Test func `Command catalog: command options and global options have different names`() {
    for command in CommandCatalog.all {
      let shared = Set(command.optionNames).intersection(Globals.forms.map(\.name))
      #expect(shared.isEmpty, "\(command.path)")
    }
  }

  @Test func `Command catalog: help accepts aliases, first words and exit-codes`() throws {
    #expect(
      try Help(CommandCatalog.table).lines(about: ["rm"])
        == Help(CommandCatalog.table).lines(about: ["delete"]))
    #expect(try Help(CommandCatalog.table).lines(about: ["add"]).count > 20)
    #expect(
      try Help(CommandCatalog.table).lines(about: ["exit-codes"]).count == ExitCode.allCases.count)
    #expect(throws: UsageFault.unknownCommand("dlete", suggestion: "delete")) {
      try Help(CommandCatalog.table).lines(about: ["dlete"])
    }
  }

  @Test func `Command catalog: the welcome has twelve lines`() { #expect(Help.welcome.count == 12) }
}
