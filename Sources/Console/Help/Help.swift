import Phrasing

/// The help, made from the command table.
struct Help {
  private let table: CommandTable

  init(_ table: CommandTable) { self.table = table }

  /// The screen of twelve lines for a user who has no book yet.
  static let welcome = [
    "daybook keeps birthdays, to-dos and questions in files of your own,",
    "and syncs them between machines without a server.",
    "",
    "Begin with one of these; whichever you run first creates the book:",
    "",
    "  daybook add birthday \"Ada Lovelace\" 1815-12-10",
    "  daybook add todo \"Buy Eggos\" --list Home --priority high",
    "  daybook add question \"Lunch?\" Noodles:3 Salad:2 Toast:1",
    "",
    "Then 'daybook' alone shows what is due, and 'daybook undo' undoes a change.",
    "See a demonstration: daybook demo",
    "All commands: daybook help",
  ]

  /// The help topics that are not commands.
  static let topics = ["tour", "dates", "repeats", "exit-codes", "environment", "settings", "json"]

  func lines(about words: [String]) throws(UsageFault) -> [String] {
    if words.isEmpty { return overview }
    if words == ["tour"] { return Tour.lines }
    if words == ["dates"] { return DateForms.help }
    if words == ["repeats"] { return RepeatForms.help }
    if words == ["exit-codes"] { return Self.exitCodes }
    if words == ["environment"] { return Self.environment }
    if words == ["settings"] { return Self.settings }
    if words == ["json"] { return AnswerShapes.lines }
    let meant = words.count == 1 ? CommandTable.aliases[words[0]] ?? words : words
    let path = meant.joined(separator: " ")
    if path == "at" { return past }
    let exact = table.all.filter { $0.path == path }
    let commands = exact.isEmpty ? table.all.filter { $0.words.first == path } : exact
    guard !commands.isEmpty else {
      if let advice = CommandAdvice.sentence(for: path) { throw .otherWord(path, advice: advice) }
      let meant = words.count == 1 ? table.command(meant: path) : nil
      throw .unknownCommand(
        path, suggestion: meant ?? Spelling.nearest(to: path, among: table.all.map(\.path))
      )
    }
    return Array(commands.map(Self.lines).joined(separator: [""]))
  }

  static func lines(about command: CommandSpec) -> [String] {
    var lines = command.examples.map { "  " + $0 } + [""]
    lines += ["\(command.path): \(command.summary)", "", "usage: daybook \(command.usage)"]
    let options: [OptionForm] = command.forms.compactMap { form in
      if case .option(let option) = form { option } else { nil }
    }
    if !options.isEmpty { lines += [""] + Table.lines(options.map(row)) }
    if !command.notes.isEmpty { lines += [""] + command.notes }
    if command.takesTokens {
      lines += [""] + Table.lines(TitleWords.forms.map { ["  \($0.0)", $0.1] })
      lines += [""] + TitleWords.advice
    }
    if command.forms.contains(.records) { lines += [""] + Form.filterAdvice }
    if command.forms.contains(.fields) {
      let fields = FieldOptions.byKind.map { ["  \($0.kind)", $0.options] }
      lines +=
        ["", "--FIELD is one of these, depending on the kind of record:"] + Table.lines(fields)
      lines += [""] + FieldOptions.advice
    }
    return lines
  }

  private static func row(_ option: OptionForm) -> [String] {
    let letter = option.letter.map { "-\($0), " } ?? ""
    return ["  \(letter)--\(option.name)\(option.valueWords)", option.meaning]
  }

  private var overview: [String] {
    var lines = ["usage: daybook [-C DIR] COMMAND …"]
    for group in table.groups {
      lines += ["", group.title]
      lines += Table.lines(group.commands.map { ["  \($0.path)", $0.summary] })
      if group.title == "Past" {
        lines.append(
          "  at TIME [COMMAND …]  Show the agenda, or the output of a command, as it was then.")
      }
    }
    lines += ["", "For all commands"] + Table.lines(Globals.forms.map(Self.row))
    return lines + [
      "",
      "ID stands for a short id (as shown in lists), a full id, or any part of a title that no other title contains.",
      "Short forms: 'ls' means 'list', 'rm' means 'delete', 'bd' means 'add birthday', --in means --list, "
        + "and 'add TITLE' means 'add todo TITLE'.",
      "'daybook help tour' shows a tour in ten lines. Other topics are dates, repeats, exit-codes, environment, "
        + "settings and json.",
    ]
  }

  private var past: [String] {
    [
      "  daybook at 2026-01-01",
      "  daybook at 2026-01-01 list todos",
      "  daybook at \"2026-11-22 18:30\" list todos",
      "  daybook at 2015-01-01T00:00:00Z list birthdays --json",
      "",
      "at: Show the book as it was at a given time; without a command, show the agenda as it was then.",
      "",
      "usage: daybook at TIME [COMMAND …]", "",
      "TIME is a day, a time or an instant. A day means its end, or now if it is today; a minute means its start. "
        + "A weekday, or a date without a year, means the most recent one. "
        + "A time alone, such as 18:30, means that time today; '10 minutes ago', 'yesterday 9:00' and 'now' also work. "
        + "'daybook help dates' lists the forms of a day.",
      "",
      "COMMAND is one of: \(table.pastCommands).",
    ]
  }

  /// The help on environment variables, including `TZ`.
  private static var environment: [String] {
    Table.lines(
      Variable.allCases.map { [$0.rawValue, $0.meaning] }
        + [["TZ", "The local time zone, such as Europe/Berlin."]])
      + ["", sharedVariables]
  }

  /// The variables that daybook shares with the programs of AWS.
  static let sharedVariables =
    "For peers at s3://, daybook uses the environment variables of the AWS tools. "
    + "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN contain the access key. "
    + "AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE name the files to read otherwise, "
    + "and AWS_PROFILE selects a profile in these files. "
    + "AWS_REGION or AWS_DEFAULT_REGION sets the region, "
    + "and AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL sets the endpoint. "
    + "SSL_CERT_FILE names the file of trusted certificates."

  private static let settings = [
    "Settings are lines in the file daybook/config in the folder XDG_CONFIG_HOME, by default ~/.config; 'daybook where' shows the path.",
    "All are optional. Text after a # is ignored.", "",
    "  leap-rule = february-28   # or march-1: when people born on 29 February celebrate in common years; "
      + "'edit ID --leap-rule march-1' sets it for one person",
    "  remind.lead = 7,1,0       # how many days before a birthday to remind you of it, or 'none'; "
      + "'edit ID --lead 14,0' sets it for one person",
    "  remind.todo = 0           # when to remind you of a to-do: how long before it is due, such as 1d,2h,0, or 'none'; "
      + "'edit ID --remind 1h' sets it for one to-do",
    "",
    ReminderHours.note,
  ]

  private static var exitCodes: [String] {
    Table.lines(ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] })
  }
}
