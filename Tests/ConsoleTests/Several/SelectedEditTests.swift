import Bytes
import Phrasing
import Testing

@testable import Console

/// `edit FILTER set CHANGES`.
struct SelectedEditTests {
  private func arguments(_ words: String...) throws -> Arguments {
    try CommandLineParser.parse(["edit"] + words).arguments
  }

  private func fault(_ words: String...) -> UsageFault? {
    do throws(UsageFault) {
      _ = try CommandLineParser.parse(["edit"] + words)
      return nil
    } catch {
      return error
    }
  }

  /// The options, as they would be typed.
  private func typed(_ options: [(name: String, value: String)]) -> [String] {
    options.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }
  }

  @Test func `Selected edit: options before set select, and options after it change`() throws {
    let line = try arguments(
      "--list", "Home", "--done", "--tag=a", "--tag", "set", "set", "--due", "tomorrow", "+late",
      "-old", "--list", "set", "--done", "no", "--note", "+x")
    #expect(typed(line.filters) == ["list=Home", "done", "tag=a", "tag=set"])
    #expect(
      typed(line.options) == [
        "due=tomorrow", "tags=+late", "tags=-old", "list=set", "done=no", "note=+x",
      ])
    #expect(line.operands == [])
  }

  @Test func `Selected edit: without set, options are fields`() throws {
    let line = try arguments("k7", "--list", "Home", "--done", "yes", "+a,b", "-c", "m2")
    #expect(line.operands == ["k7", "m2"] && line.filters.isEmpty)
    #expect(typed(line.options) == ["list=Home", "done=yes", "tags=+a", "tags=+b", "tags=-c"])
    #expect(try arguments("k7", "m2", "set", "--due", "fri").operands == ["k7", "m2"])
  }

  @Test func `Selected edit: quotes and two dashes protect words that look like changes`() throws {
    #expect(try arguments("--due", "fri", "--", "set").operands == ["set"])
    #expect(try arguments("--due", "fri", "--", "+a", "-b").operands == ["+a", "-b"])
    #expect(try arguments("+1 day", "--due", "fri").operands == ["+1 day"])
    #expect(try typed(arguments("k7", "-2026", "-x").options) == ["tags=-2026", "tags=-x"])
    #expect(try CommandLineParser.parse(["edit", "k7", "-q", "+a"]).globals.isQuiet)
  }

  @Test func `Selected edit: a misplaced word or option is refused`() {
    let usage =
      "edit ID … | FILTER set [--yes] [-n] [--this] [--series] --FIELD VALUE … +TAG … -TAG … [--because TEXT]"
    #expect(fault("--list", "Home", "set", "x") == .extraOperand("x", usage: usage))
    #expect(fault("k7", "-due", "fri") == .unknownOption("-due", suggestion: "--due"))
    #expect(
      fault("--tags", "a", "set", "--due", "fri") == .unknownOption("--tags", suggestion: "--tag"))
    #expect(fault("k7", "set", "--overdue") != nil)
  }

  @Test func `Selected edit: the example of the specification`() throws {
    let stage = Stage.house()
    let outcome = stage.run(
      ["edit", "--list", "Home", "--overdue", "set", "--due", "tomorrow", "+late"],
      answering: { "y" })
    #expect(
      outcome.error == "Edit 1 to-do: due Sat 2026-11-21 (tomorrow), +late? [y/N] ")
    #expect(
      outcome.output.hasSuffix("Edited 1 to-do: due Sat 2026-11-21 (tomorrow), +late.\n"))
    #expect(try stage.titles("--tag", "late", "--due", "2026-11-21") == ["Mop"])
    _ = stage.answer("undo")
    #expect(try stage.titles("--tag", "late") == [])
    #expect(try stage.titles("--overdue") == ["Mop", "Post"])
  }

  @Test func `Selected edit: an empty tag clears all tags`() throws {
    let stage = Stage.house()
    _ = stage.answer("edit", "Mop", "+a", "+b")
    _ = stage.answer("edit", "--open", "set", "-t", "", "--yes")
    #expect(try stage.titles("--any-tag", "a,b") == [])
    _ = stage.answer("edit", "Mop", "+a")
    _ = stage.answer("edit", "Mop", "--tag", "", "--tag", "c")
    #expect(try stage.titles("--tag", "c") == ["Mop"])
    #expect(try stage.titles("--tag", "a") == [])
  }

  @Test func `Selected edit: values that fit no to-do are refused before anything is shown`() throws
  {
    let stage = Stage.house()
    #expect(
      stage.run("edit", "--overdue", "set", "--title", "x", "--weight", "3", "--yes").error
        .hasPrefix("daybook: a todo has no --weight."))
    #expect(
      stage.run("edit", "--overdue", "set", "--priority", "urgent", "--yes")
        == .init(
          code: .refused, output: "",
          error: "daybook: the priority cannot be 'urgent'. Use low, normal or high.\n"))
    #expect(
      stage.run("edit", "--overdue", "set").error
        .hasPrefix("daybook: --FIELD VALUE after 'set' is missing.\nusage: daybook edit ID … | "))
    #expect(stage.run("edit", "mop", "sweep").code == .usage)
  }

  @Test func `Selected edit: to-dos that have the values already are counted`() throws {
    let stage = Stage.house()
    let told = stage.answer("edit", "--overdue", "set", "--priority", "high", "--yes")
    #expect(told.hasSuffix("Edited 1 to-do: priority high. 1 was already as requested.\n"))
    let again = stage.answer("edit", "--overdue", "set", "--priority", "high", "--yes")
    #expect(again.hasSuffix("Nothing to change: they are already as requested.\n"))
    let listed = stage.answer("edit", "--due", "none", "set", "--list", "Work", "--yes")
    #expect(listed.hasSuffix("Edited 2 to-dos: list Work.\n"))
  }

  @Test func `Selected edit: set and the values of both parts are completed`() {
    let stage = Stage.house()
    func words(_ words: String...) -> [String] {
      stage.run(["__complete", "edit"] + words).output.split(separator: "\n").map {
        $0.split(separator: "\t").first.map(String.init) ?? ""
      }
    }
    #expect(words("--list", "").sorted() == ["Home", "Work"])
    #expect(words("--overdue", "") == ["set"])
    #expect(words("--overdue", "set", "--priority", "") == ["low", "normal", "high"])
    #expect(words("--done", "s") == ["set"])
  }
}
