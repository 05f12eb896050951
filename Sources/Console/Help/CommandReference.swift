import Phrasing

/// The reference of all commands in Markdown, made from the command table.
enum CommandReference {
  static func lines(_ commands: CommandTable) -> [String] {
    [
      "# The commands of the program", "",
      "This page lists all `daybook` commands. `daybook manual commands` generates it from the command table.",
      "",
      "## Overview", "",
      "ID stands for a short id (as shown in lists), a full id, or any part of a title that no other title contains.",
      "After `at TIME`, the following commands show the book as it was then: \(commands.pastCommands).",
      "`at TIME` alone shows the agenda for that day.",
      "",
    ] + commands.groups.flatMap(lines) + ["## Options for all commands", ""]
      + table(Globals.forms) + ["## Exit codes", ""]
      + table("Code", "Meaning", ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
  }

  private static func lines(_ group: CommandTable.Group) -> [String] {
    ["## \(group.title)", ""] + group.commands.flatMap(lines)
  }

  private static func lines(_ command: CommandSpec) -> [String] {
    let options = command.forms.compactMap { form in
      if case .option(let option) = form { option } else { nil }
    }
    var lines = ["### \(command.path)", "", command.summary, ""]
    lines += block(["daybook \(command.usage)"])
    if !options.isEmpty { lines += table(options) }
    if command.takesTokens {
      lines += table("Argument", "Meaning", TitleWords.forms.map { ("`\($0.0)`", $0.1) })
      lines += TitleWords.advice + [""]
    }
    if command.forms.contains(.records) { lines += Form.filterAdvice + [""] }
    if command.forms.contains(.fields) {
      lines += ["`--FIELD` is one of these, depending on the kind of record:", ""]
      lines += table("Record", "Fields", FieldOptions.byKind.map { ($0.kind, "`\($0.options)`") })
      lines += FieldOptions.advice + [""]
    }
    if !command.examples.isEmpty { lines += block(command.examples) }
    return lines
  }

  private static func block(_ lines: [String]) -> [String] { ["```sh"] + lines + ["```", ""] }

  private static func table(_ options: [OptionForm]) -> [String] {
    table(
      "Option", "Meaning",
      options.map { option in
        let letter = option.letter.map { "`-\($0)`, " } ?? ""
        return ("\(letter)`--\(option.name)\(option.valueWords)`", option.meaning)
      })
  }

  private static func table(
    _ left: String, _ right: String, _ rows: [(String, String)]
  ) -> [String] {
    ["| \(left) | \(right) |", "|---|---|"]
      + rows.map { "| \(escaped($0.0)) | \(escaped($0.1)) |" } + [""]
  }

  /// Returns the text, escaped for a table cell.
  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
