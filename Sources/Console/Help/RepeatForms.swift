/// The forms of repeats, as listed in the help and the manual.
enum RepeatForms {
  static let rules = [
    "--repeat accepts a phrase in one of these languages, or an RFC 5545 rule such as 'FREQ=WEEKLY;BYDAY=MO'. "
      + "The word 'every' is optional.",
    "The due date is the first date, even if it does not match the rule. "
      + "Without --due, the first date is today or, if today does not match the rule, the next day that does.",
    "The command 'done' closes the current date of a to-do, which then shows the next date. "
      + "Dates before the day on which the to-do is done are passed over, except that with 'each', "
      + "all of them must be closed. "
      + "With 'every!' and 'after done', the dates are counted from the day on which the to-do is done, "
      + "and the next date is the first one after the date that was closed.",
    "If a month does not have the day of the rule, its last day is used instead.",
    "'until DATE', --until DATE or '10 times' limits the repeats. The option '--repeat none' ends them after the "
      + "current date, and the command 'cancel' ends them before it.",
    "In the command 'edit', --due, --time, --due-zone and --start apply only to the current date, "
      + "unless --series is also given. "
      + "Other fields are the same for all dates, but --this changes the title or the note of only the current date.",
    "Lists mark repeating to-dos with \(TodoCells.repeats), and the command 'show' lists the next dates of a to-do.",
  ]

  /// Phrases of each language.
  static let examples: [(language: String, phrases: [String])] = [
    (
      "English",
      [
        "daily", "every weekday", "every 2 weeks", "every mon,thu", "every 15th",
        "every last friday", "every last day", "every 24 dec", "every 3 months", "every! 3 days",
        "every week after done", "each 1st until 2027-06-30", "daily 10 times",
      ]
    ),
    (
      "German",
      [
        "täglich", "jeden Montag", "werktags", "alle 2 Wochen", "jeden letzten Freitag",
        "jeden 24. Dezember", "alle 3 Tage nach Erledigung", "jeden Montag bis 30.6.2027",
      ]
    ),
    ("Chinese", ["每天", "每周一", "每两周", "每月15号", "每个工作日", "完成后3天", "每周一直到2027年6月30日"]),
  ]

  static var help: [String] {
    var lines: [String] = []
    for (language, phrases) in DateForms.packed(examples) {
      lines += [language] + phrases.map { "  " + $0 } + [""]
    }
    return lines + rules
  }
}
