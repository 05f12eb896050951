enum HelpCommands {
  static let all = [demo, help, CompletionCommands.completions, ManualCommands.manual]

  private static let demo = CommandSpec(
    "demo",
    "Demonstrate daybook with two simulated machines in a temporary folder, and check every step.",
    traits: [.needsNoBook, .leavesBook],
    examples: [
      "daybook demo", "daybook demo --quiet",
    ]
  ) { context in
    try Demo.run(in: context)
  }

  private static let help = CommandSpec(
    "help",
    "Show help on a command or on a topic: tour, dates, repeats, exit-codes, environment, settings or json.",
    traits: [.needsNoBook, .leavesBook, .isPaged],
    texts("COMMAND"),
    examples: ["daybook help add todo", "daybook help exit-codes", "daybook help settings"]
  ) { context, words in
    context.output.explain(try context.host.help(words))
  }
}
