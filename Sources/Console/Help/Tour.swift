/// Ten commands that introduce daybook, for `daybook help tour` and the beginning of the README.
enum Tour {
  private static let steps = [
    (#"daybook add birthday "Ada Lovelace" 1815-12-10"#, ""),
    (#"daybook add todo "Buy Eggos" --list Home --due tomorrow --priority high"#, ""),
    ("daybook", "today: what is due, and whose birthday is near"),
    ("daybook done eggos", ""),
    ("daybook undo", "any change can be undone, and redone"),
    (#"daybook add question "Lunch?" Noodles:3 Salad:2 Toast:1"#, ""),
    ("daybook pick lunch", "draws one, in proportion to the weights"),
    ("daybook log", "who changed what, when, and the value before"),
    (
      "daybook bundle daybook.bundle",
      "writes one file, which 'daybook sync' reads on another machine"
    ),
    ("daybook export -o daybook.ics", "also .vcf, .csv, todo.txt, …; 'import' reads them"),
  ]

  static var lines: [String] {
    steps.map { command, remark in
      guard !remark.isEmpty else { return command }
      return command + String(repeating: " ", count: max(1, 44 - command.count)) + "# \(remark)"
    }
  }
}
