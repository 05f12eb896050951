import Bytes
import Console
import Phrasing
import Platform
import Testing

/// `conflicts` prints a command for each side of a conflict, and the command chooses that side.
struct SideNameTests {
  /// The commands printed by `conflicts`, as words, each with its line.
  private func commands(_ stage: Stage) -> [[String]] {
    stage.answer("conflicts").split(separator: "\n").compactMap { line in
      line.firstRange(of: "daybook resolve ").map { words(of: line[$0.lowerBound...].dropFirst(8)) }
    }
  }

  /// Splits a command line with shell quotes into words.
  private func words(of line: Substring) -> [String] {
    var (words, quote, isOpen) = ([String](), Character?.none, false)
    for letter in line {
      if letter == quote {
        quote = nil
      } else if quote == nil, letter == "\"" || letter == "'" {
        quote = letter
        if !isOpen { words.append("") }
        isOpen = true
      } else if quote == nil, letter == " " {
        isOpen = false
      } else {
        if !isOpen { words.append("") }
        isOpen = true
        words[words.count - 1].append(letter)
      }
    }
    return words
  }

  /// Settles a conflict with each printed command in a separate book, and checks the result.
  private func check(
    _ values: [String], sourceLocation: SourceLocation = #_sourceLocation,
    in make: () throws -> Stage
  ) throws {
    for place in values.indices {
      let stage = try make()
      let commands = commands(stage)
      #expect(Set(commands).count == values.count, sourceLocation: sourceLocation)
      guard place < commands.count else { continue }
      let outcome = stage.run(commands[place], adjust: { _ in })
      #expect(outcome.code == .done, "\(outcome.error)", sourceLocation: sourceLocation)
      #expect(
        outcome.output.hasSuffix(": \(values[place]).\n"), "\(outcome.output)",
        sourceLocation: sourceLocation)
      #expect(
        stage.answer("conflicts") == "No conflicts.\n", sourceLocation: sourceLocation)
    }
  }

  @Test func `Resolve: if one device wrote both values, each side is named by its value`() throws {
    try check(["Grocery", "Groceries"]) {
      let stage = Stage()
      _ = stage.answer("add", "list", "Groceries")
      _ = stage.answer("add", "list", "Grocery")
      _ = stage.answer("merge", "Groceries", "Grocery", "--keep-both")
      return stage
    }
  }

  @Test func `Resolve: a value with shell characters is quoted`() throws {
    try check(["a; b's", "R&D"]) {
      let stage = Stage()
      _ = stage.answer("add", "list", "R&D")
      _ = stage.answer("add", "list", "a; b's")
      _ = stage.answer("merge", "R&D", "a; b's", "--keep-both")
      return stage
    }
  }

  @Test func `Resolve: a value that looks like an option is named by its event`() throws {
    try check(["-x", "mine"]) {
      let stage = Stage()
      _ = stage.answer("add", "list", "mine")
      _ = stage.answer("add", "list", "--", "-x")
      _ = stage.answer("merge", "--keep-both", "mine", "--", "-x")
      return stage
    }
  }

  @Test func `Resolve: a date and no date have separate commands`() throws {
    try check(["none", "2026-12-25"]) {
      let stage = Stage()
      _ = stage.answer("add", "todo", "Mop", "--due", "2026-12-24")
      let first = String(stage.answer("list", "todos").prefix { $0 != " " })
      _ = stage.answer("add", "todo", "Mop", "--due", "2026-12-25")
      let ids = stage.answer("list", "todos").split(separator: "\n").map {
        String($0.prefix { $0 != " " })
      }
      _ = stage.answer("edit", first, "--due", "")
      _ = stage.answer("merge", ids[0], ids[1], "--keep-both")
      return stage
    }
  }

  @Test func `Resolve: an event that wrote none of the values is refused`() throws {
    let stage = Stage()
    _ = stage.answer("add", "list", "Groceries")
    _ = stage.answer("add", "list", "Grocery")
    _ = stage.answer("merge", "Groceries", "Grocery", "--keep-both")
    let outcome = stage.run("resolve", "Grocery", "name", "--take", "laptop:99")
    #expect(outcome.code == .refused)
    #expect(
      outcome.error.hasPrefix("daybook: 'laptop:99' wrote none of the values. Choose one of:\n"))
  }
}
