import Phrasing

/// All commands in Markdown, for the documentation of the library: made from the table of verbs.
enum CommandReference {
  static func lines(_ groups: [(title: String, verbs: [Verb])] = Verb.groups) -> [String] {
    [
      "# The commands of the program", "",
      "All that `daybook` takes; made by `daybook manual commands` from its table of commands.", "",
      "## Overview", "",
      "An ID is a short id as shown, a full id, or a part of the title that no other record has.",
      "With `at TIME` before them, these answer as they would have then: \(Help.pastVerbs).", "",
    ] + groups.flatMap(lines) + ["## Options of every command", ""]
      + table(Globals.forms) + ["## Exit codes", ""]
      + table("Code", ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
  }

  private static func lines(_ group: (title: String, verbs: [Verb])) -> [String] {
    ["## \(group.title)", ""] + group.verbs.flatMap(lines)
  }

  private static func lines(_ verb: Verb) -> [String] {
    let options = verb.forms.compactMap { form in
      if case .option(let option) = form { option } else { nil }
    }
    var lines = ["### \(verb.path)", "", verb.summary, ""]
    lines += block(["daybook \(verb.usage)"])
    if !options.isEmpty { lines += table(options) }
    if verb.forms.contains(.fields) {
      lines += ["`--FIELD` is one of these, by what the record is.", ""]
      lines += table("Record", FieldOptions.byKind.map { ($0.kind, "`\($0.options)`") })
      lines += FieldOptions.advice + [""]
    }
    if !verb.examples.isEmpty { lines += block(verb.examples) }
    return lines
  }

  private static func block(_ lines: [String]) -> [String] { ["```sh"] + lines + ["```", ""] }

  private static func table(_ options: [OptionForm]) -> [String] {
    table(
      "Option",
      options.map { option in
        let letter = option.letter.map { "`-\($0)`, " } ?? ""
        return ("\(letter)`--\(option.name)\(option.valueWords)`", option.meaning)
      })
  }

  private static func table(_ head: String, _ rows: [(String, String)]) -> [String] {
    ["| \(head) | Meaning |", "|---|---|"]
      + rows.map { "| \(escaped($0.0)) | \(escaped($0.1)) |" } + [""]
  }

  /// Text as a cell of a table.
  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
