extension Verb {
  static let meta = [demo, help, completions, manual]

  private static let demo = Verb(
    "demo", "Play a story of two machines in a temporary folder, and check every step.",
    examples: [
      "daybook demo", "daybook demo --quiet",
    ]
  ) { context in
    try Demo.run(in: context)
  }

  private static let help = Verb(
    "help", "Tell about a command, or about exit-codes, environment, settings or json.",
    texts("COMMAND"),
    examples: ["daybook help add todo", "daybook help exit-codes", "daybook help settings"]
  ) { context, words in
    context.answer(try Help.lines(about: words))
  }
}
