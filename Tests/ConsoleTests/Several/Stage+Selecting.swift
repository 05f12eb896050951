import Bytes
import Console
import Phrasing
import Testing

extension Stage {
  /// Runs a command on a terminal whose user gives an answer to each question.
  func run(
    _ words: [String], answering answer: @escaping @Sendable () -> String?
  ) -> Outcome {
    run(
      words,
      adjust: { environment in
        environment.streams.isInputTerminal = true
        environment.streams.readAnswer = answer
      })
  }

  /// Returns the answer to a command with `--json`.
  func json(_ words: String...) throws -> [JSON] {
    let outcome = run(words + ["--json"])
    #expect(outcome.code == .done, "\(outcome.error)")
    return try #require(try JSON(parsing: Array(outcome.output.utf8)).array)
  }

  /// Returns the titles of the to-dos that options select, in alphabetical order.
  func titles(_ options: String...) throws -> [String] {
    // Overdue to-dos are open, so `--overdue` cannot be combined with `--all`.
    let all = options.contains("--overdue") ? [] : ["--all"]
    let outcome = run(["list", "todos", "--sort", "title", "--json"] + all + options)
    let records = try JSON(parsing: Array(outcome.output.utf8)).array
    return try #require(records).compactMap { $0["title"]?.string }
  }

  /// Returns the titles of the to-dos that are done, in alphabetical order.
  func done() throws -> [String] {
    let outcome = run("list", "todos", "--done", "--sort", "title", "--json")
    let records = try JSON(parsing: Array(outcome.output.utf8)).array
    return try #require(records).compactMap { $0["title"]?.string }
  }

  /// Returns the number of events of the book.
  func eventCount() throws -> Int64? {
    try JSON(parsing: Array(answer("status", "--json").utf8))["events"]?.integer
  }

  /// The to-dos Mop and Sweep of the list Home, Post of the list Work, and Rest of no list; Mop and Post are overdue.
  static func house(input: String = "") -> Stage {
    let stage = Stage(input: input)
    _ = stage.answer("add", "todo", "Mop", "--list", "Home", "--due", "2026-11-01")
    _ = stage.answer("add", "todo", "Sweep", "--list", "Home", "--tag", "wet")
    _ = stage.answer(
      "add", "todo", "Post", "--list", "Work", "--due", "2026-11-02", "--priority", "high")
    _ = stage.answer("add", "todo", "Rest")
    return stage
  }

  /// Returns the lines of an output without the ids at their beginnings.
  static func withoutIDs(_ output: String) -> [String] {
    output.split(separator: "\n").map { line in
      line.split(separator: " ", maxSplits: 1).dropFirst().joined()
        .split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
  }
}
