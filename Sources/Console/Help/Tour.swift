/// Ten commands that introduce daybook in `daybook help tour` and in the README.
enum Tour {
  private static let steps = [
    (#"daybook add birthday "Ada Lovelace" 1815-12-10"#, ""),
    (#"daybook add todo "Buy Eggos" --list Home --due tomorrow --priority high"#, ""),
    ("daybook", "shows what is due, and the next birthdays"),
    ("daybook done eggos", ""),
    ("daybook undo", "undoes the change; 'daybook redo' redoes it"),
    (#"daybook add question "Lunch?" Noodles:3 Salad:2 Toast:1"#, ""),
    ("daybook pick lunch", "draws one, in proportion to the weights"),
    ("daybook log", "shows who changed what, and when"),
    ("daybook bundle daybook.bundle", "writes a file for 'daybook sync' elsewhere"),
    ("daybook export -o daybook.ics", "also .vcf, .csv, …; 'import' reads them"),
  ]

  /// The column in which remarks begin.
  private static let column = 32

  static var lines: [String] {
    steps.map { command, remark in
      guard !remark.isEmpty else { return command }
      return command + String(repeating: " ", count: max(1, column - command.count)) + "# \(remark)"
    }
  }
}
