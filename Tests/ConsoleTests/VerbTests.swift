import Phrasing
import Testing

@testable import Console

struct VerbTests {
  @Test func `every command has a path of its own, and none hides another`() throws {
    let paths = Verb.all.map(\.path)
    #expect(Set(paths).count == paths.count)
    for verb in Verb.all {
      #expect((1...2).contains(verb.words.count))
      // One that begins with the word of another is found all the same.
      for rest in [[], ["x"], ["--json"]] {
        let understood = try Words.parse(verb.words + rest)
        #expect(understood.verb?.path == verb.path)
      }
      let isBeginning = Verb.all.contains { $0.words.count == 2 && $0.words[0] == verb.path }
      #expect(!isBeginning || verb.path == "bundle", "\(verb.path) is the beginning of others")
    }
  }

  @Test func `commands that begin with the same word are of one family`() {
    for verb in Verb.all {
      let alike = Verb.all.filter { $0.words[0] == verb.words[0] }
      let family = Verb.family(of: verb.words[0]).filter { $0.words[0] == verb.words[0] }
      #expect(family.map(\.path) == alike.map(\.path))
    }
    #expect(Verb.family(of: "fly").isEmpty)
  }

  @Test func `every command is in the help, with examples that are understood`() throws {
    let overview = try Help.lines(about: [String]())
    for verb in Verb.all {
      #expect(overview.contains { $0.hasPrefix("  \(verb.path) ") }, "\(verb.path)")
      let lines = try Help.lines(about: verb.words)
      #expect(lines.contains("usage: daybook \(verb.usage)"))
      #expect(verb.examples.count >= 2, "\(verb.path)")
      for example in verb.examples {
        let words = try #require(Shell.words(example))
        #expect(words.first == "daybook")
        _ = try Words.parse(Array(words.dropFirst()))
      }
    }
  }

  @Test func `no option of a command is also an option of all`() {
    for verb in Verb.all {
      let shared = Set(verb.optionNames).intersection(Globals.forms.map(\.name))
      #expect(shared.isEmpty, "\(verb.path)")
    }
  }

  @Test func `help knows aliases, beginnings, and codes`() throws {
    #expect(try Help.lines(about: ["rm"]) == Help.lines(about: ["delete"]))
    #expect(try Help.lines(about: ["add"]).count > 20)
    #expect(try Help.lines(about: ["exit-codes"]).count == ExitCode.allCases.count)
    #expect(throws: UsageFault.unknownCommand("dlete", suggestion: "delete")) {
      try Help.lines(about: ["dlete"])
    }
  }

  @Test func `the welcome has twelve lines`() { #expect(Help.welcome.count == 12) }
}
