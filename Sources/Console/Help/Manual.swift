import Phrasing

/// The manual pages, in mdoc; that of the program is made from the command table.
enum Manual {
  static func program(_ table: CommandTable) -> [String] {
    head(
      "DAYBOOK", section: 1, name: "daybook", "birthdays, to-dos and questions, on several machines"
    )
      + synopsis + description + commands(table.groups) + options + environment + files + exitCodes
      + examples(table)
      + [
        ".Sh SEE ALSO", ".Xr crontab 1 ,", ".Xr daybook-journal 5 ,", ".Xr systemd.timer 5",
      ]
  }

  static let names = ["daybook.1", "daybook-journal.5"]

  // MARK: Parts

  static func head(_ title: String, section: Int, name: String, _ line: String) -> [String] {
    [
      ".\\\" Made by 'daybook manual' from its table of commands.", ".Dd November 22, 2026",
      ".Dt \(title) \(section)", ".Os", ".Sh NAME", ".Nm \(name)", ".Nd \(escaped(line))",
    ]
  }

  private static let synopsis = [
    ".Sh SYNOPSIS", ".Nm", ".Op Fl C Ar DIR", ".Ar COMMAND", ".Op Ar …", ".Nm", ".Cm at Ar TIME",
    ".Ar COMMAND", ".Op Ar …",
  ]

  private static let description =
    [".Sh DESCRIPTION", ".Nm"]
    + paragraphs([
      "keeps birthdays, to-do lists, and questions with weighted choices, in files of your own. "
        + "Every change is an event in a log to which is only ever added; any number of machines "
        + "bring their logs together by a file, a folder or a connection, and show the same.",
      "Without a command it shows what is due today and who has a birthday soon. A record is named "
        + "by a short id as shown, a full id, or a part of its title that no other has.",
    ])

  private static func commands(_ groups: [CommandTable.Group]) -> [String] {
    [".Sh COMMANDS"]
      + groups.flatMap { group in
        [".Ss \(group.title)", ".Bl -tag -width Ds"] + group.commands.flatMap(item) + [".El"]
      }
  }

  private static func item(_ command: CommandSpec) -> [String] {
    let options = command.forms.compactMap { form -> OptionForm? in
      if case .option(let option) = form { option } else { nil }
    }
    let operands = command.forms.filter { form in
      if case .option = form { false } else { true }
    }
    let usage = ([command.path] + operands.map(\.usage)).joined(separator: " ")
    var lines = [".It Ic \(quoted(usage))"] + sentences(command.summary)
    if command.forms.contains(.fields) {
      lines += [".Pp", "\\-\\-FIELD is one of these, by what the record is:", ".Bl -tag -width Ds"]
      lines += FieldOptions.byKind.flatMap { [".It \($0.kind)", escaped($0.options)] } + [".El"]
      lines += [".Pp"] + FieldOptions.advice.flatMap(sentences)
    }
    if !options.isEmpty { lines += [".Bl -tag -width Ds"] + options.flatMap(item) + [".El"] }
    return lines
  }

  private static func item(_ option: OptionForm) -> [String] {
    let letter = option.letter.map { "-\($0), " } ?? ""
    return [".It Ic \(quoted("\(letter)--\(option.name)\(option.valueWords)"))"]
      + sentences(option.meaning)
  }

  private static let options =
    [".Sh OPTIONS", "These go with every command.", ".Bl -tag -width Ds"]
    + Globals.forms.flatMap(item) + [".El"]

  private static let environment =
    [".Sh ENVIRONMENT", ".Bl -tag -width Ds"]
    + Variable.allCases.flatMap { [".It Ev \($0.rawValue)"] + sentences($0.meaning) }
    + [".It Ev TZ", "The time zone, by which it is told which day it is.", ".El"]

  private static let files = [
    ".Sh FILES", ".Bl -tag -width Ds", ".It Pa ~/.local/share/daybook/default/",
    "The book; see", ".Xr daybook-journal 5 .", ".It Pa ~/.local/state/daybook/",
    "What this device remembers for itself.", ".It Pa ~/.config/daybook/config",
    "Settings, of which none is needed:", ".Bd -literal -offset indent",
    "leap-rule = february-28   # or march-1", "remind.lead = 7,1,0       # days, or none", ".Ed",
    ".El",
  ]

  private static let exitCodes =
    [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
    + ExitCode.allCases.flatMap { [".It \($0.rawValue)"] + sentences($0.meaning) } + [".El"]

  private static func examples(_ table: CommandTable) -> [String] {
    [".Sh EXAMPLES", ".Bd -literal -offset indent"]
      + table.all.compactMap(\.examples.first).map(escaped) + [".Ed"]
  }

  // MARK: Text

  /// Text for mdoc: one sentence per line, escaped so that no line is a request.
  static func sentences(_ text: String) -> [String] {
    text.replacing(". ", with: ".\n").split(separator: "\n").map { escaped(String($0)) }
  }

  static func paragraphs(_ texts: [String]) -> [String] {
    Array(texts.map(sentences).joined(separator: [".Pp"]))
  }

  static func escaped(_ text: String) -> String {
    let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
  }

  /// Text, quoted and escaped as one argument of a macro.
  static func quoted(_ text: String) -> String {
    "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
  }
}

enum ManualCommands {
  static let manual = CommandSpec(
    "manual",
    "Print the manual page of daybook, with 'journal' that of its files, or with 'commands' all in Markdown.",
    traits: [.needsNoBook, .leavesBook],
    optionalText("PAGE"),
    examples: [
      "daybook manual > daybook.1", "daybook manual journal > daybook-journal.5",
    ]
  ) { context, page in
    switch page {
    case nil, "daybook": context.output.answer(context.host.manual())
    case "journal", "daybook-journal": context.output.answer(Manual.journal)
    case "commands": context.output.answer(context.host.reference())
    case .some(let words):
      throw ConsoleError.badValue("the page", words, "Say nothing, journal or commands.")
    }
  }
}
