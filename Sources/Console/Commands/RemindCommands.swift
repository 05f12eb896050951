import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum RemindCommands {
  static let all = [remind]

  private static let remind = CommandSpec(
    "remind",
    "Show due reminders of birthdays and to-dos, each only once; meant to be run by cron or a timer.",
    traits: [.leavesBook, .passesOn],
    flag("again", "Also show reminders that have already been shown."),
    flag("notify", "Show a desktop notification, or text if that fails."),
    flag("cron", "Print a line for crontab without installing anything."),
    flag("install", "Install a systemd timer that checks for due reminders every five minutes."),
    flag("uninstall", "Remove that timer."), flag("yes", "Do not ask for confirmation."),
    examples: [
      "daybook remind", "daybook remind --again", "daybook remind --install",
      "daybook remind --cron",
    ],
    notes: [
      ReminderHours.note,
      "If several dates of a repeating to-do have come and are still open, only the latest of them has a reminder, "
        + "which states the number of the others.",
      "'daybook help settings' shows how to change the lead times of reminders.",
    ]
  ) { context, again, notifies, isCron, installs, uninstalls, isSure in
    let asked = [("--cron", isCron), ("--install", installs), ("--uninstall", uninstalls)]
      .filter(\.1).map(\.0)
    if asked.count > 1 { throw UsageFault.contradiction(asked[0], asked[1]) }
    switch asked.first {
    case "--cron": context.output.answer([try ReminderTimer(in: context).cronLine])
    case "--install": try TimerInstaller(context: context).install(isSure: isSure)
    case "--uninstall": try TimerInstaller(context: context).uninstall(isSure: isSure)
    default: try RemindToday(context: context).run(again: again, notifies: notifies)
    }
  }
}

/// Shows each due reminder only once.
private struct RemindToday {
  let context: CommandContext
  private var output: Output { context.output }

  /// The maximum number of overdue to-dos to list individually.
  private static let mostOverdue = 20
  private static let memoryLimit = 1 << 24

  func run(again: Bool, notifies: Bool) throws {
    let snapshot = try context.snapshot()
    let dues = LocalDues(context.machine.timekeeper)
    guard let folder = context.environment.stateFolder else {
      throw ConsoleError.noUserFolder(
        "the list of reminders that were shown", variable: .stateHome)
    }
    guard let today = dues.today, let day = dues.birthdayDay else { return }
    let path = folder / "reminded" / snapshot.book.id.hex
    try context.machine.disk.makeDirectories(path.parent)
    // Two simultaneous runs would show the same reminders and write the same file.
    guard let lock = try context.machine.disk.lock(path.parent / "lock") else {
      throw DaybookError.busy(holder: nil)
    }
    // A failure to close is ignored, because the end of the process releases the lock.
    defer { try? context.machine.disk.close(lock.token) }
    let known = try remembered(path)
    var memory = known
    let rows = try todos(today, snapshot)
    let current =
      BirthdayReminding(
        day: day, today: today, last: memory.last, preferences: context.preferences
      ).reminders(try snapshot.model.birthdays.birthdaysWithDay())
      + TodoReminding(
        dues: dues, leads: context.preferences.todoLeads,
        series: try snapshot.seriesStates(of: rows.filter { mayHaveLaterDates($0, today) })
      ).reminders(rows)
    let told = current.filter { again || !memory.includes($0, on: day) }
    tell(told, notifies: notifies)
    // Reminders are saved after they are shown, because a repeated reminder is better than a lost one.
    memory.remember(told.flatMap(\.marks), among: current.flatMap(\.marks), on: day)
    // A timer runs often, and most of its runs have nothing to save.
    guard memory != known else { return }
    try context.machine.disk.replace(path, with: Array(memory.text.utf8))
  }

  /// The open to-dos whose reminders may be due by now, except hidden to-dos.
  private func todos(_ today: CivilDate, _ snapshot: Snapshot) throws -> [TodoRow] {
    // The longest lead time is 366 days, and another zone can be a day ahead.
    let last = today.adding(days: 368)?.packed ?? .max
    return try snapshot.model.todos.todos(
      TodoFilter(includesClosed: false, due: .within(0...last), hidden: .excluded(on: today)))
  }

  /// Whether a later date of a to-do may also have a reminder, because the current date has come.
  private func mayHaveLaterDates(_ row: TodoRow, _ today: CivilDate) -> Bool {
    // In other zones, today can be a different day.
    guard row.rule != nil, let due = row.due, let tomorrow = today.adding(days: 1) else {
      return false
    }
    return due <= tomorrow
  }

  private func remembered(_ path: Path) throws -> ReminderMemory {
    guard try context.machine.disk.status(path) != nil else { return ReminderMemory() }
    let bytes = try context.machine.disk.contents(of: path, limit: Self.memoryLimit)
    if let memory = ReminderMemory(String(decoding: bytes, as: UTF8.self)) { return memory }
    output.note(
      "cannot read the earlier reminders in \(path.string.visible), so they are shown again."
    )
    return ReminderMemory()
  }

  private func tell(_ reminders: [Reminder], notifies: Bool) {
    if output.isJSON { return output.answer(.array(reminders.map(\.json))) }
    let late = reminders.filter { $0.stage == .overdue }.count - Self.mostOverdue
    var lines = (late > 0 ? Array(reminders.dropLast(late)) : reminders).map(\.sentence)
    if late > 0 {
      lines.append(
        "and \(late) more \(late == 1 ? "is" : "are") overdue; 'daybook list todos --overdue' lists all of them."
      )
    }
    guard !lines.isEmpty, !(notifies && context.environment.notify(lines)) else { return }
    output.answer(lines)
  }
}

extension Snapshot {
  /// The states of the series among the given to-dos, by the ids of the to-dos.
  fileprivate func seriesStates(of rows: [TodoRow]) throws -> [UniqueID: SeriesState] {
    guard !rows.isEmpty else { return [:] }
    let causality = try model.logs.causality()
    var states: [UniqueID: SeriesState] = [:]
    for row in rows {
      states[row.head.id] = try model.repeats.recurrence(of: row.head.key, causality: causality)?
        .state
    }
    return states
  }
}

extension CommandEnvironment {
  /// Shows lines as a desktop notification.
  ///
  /// - Returns: Whether `notify-send` succeeded.
  fileprivate func notify(_ lines: [String]) -> Bool {
    // Some desktops interpret the text as markup similar to HTML.
    let text = lines.joined(separator: "\n")
      .replacing(scalars: ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
    return process.launch(["notify-send", "--app-name=daybook", "--", "daybook", text])
  }
}

extension Reminder {
  /// The reminder as one sentence.
  var sentence: String {
    switch subject {
    case .birthday(let row, let next):
      let name = row.name.isEmpty ? "Somebody" : row.name.visible
      let born = next.observedRule == nil ? "" : " (born on 29 February)"
      return
        "\(name) \(Self.deed(next.turns, isPast: inDays < 0)) \(Self.when(day, inDays))\(born)."
    case .todo(let row, let due):
      let list = row.listName.map { ", in list \($0.visible)" } ?? ""
      let what = (row.title ?? "").visible + list + missedWords
      if stage == .overdue, inDays < 0 {
        return "Overdue since \(day.dated)\(due.suffix): \(what)."
      }
      let time = due.time == nil ? "" : " at\(due.suffix)"
      return "Due \(Self.when(day, inDays))\(time): \(what)."
    }
  }

  private var missedWords: String {
    missed == 0 ? "" : "; \(missed.counted("earlier date")) missed"
  }

  private static func deed(_ turns: Int?, isPast: Bool) -> String {
    guard let turns, turns > 0 else { return isPast ? "had a birthday" : "has a birthday" }
    return isPast ? "turned \(turns)" : "turns \(turns)"
  }

  private static func when(_ day: CivilDate, _ inDays: Int) -> String {
    let distance = CivilDate.words(inDays: inDays)
    return inDays == 0 ? distance : "\(distance), on \(day.dated)"
  }

  fileprivate var json: JSON {
    var members = [JSON.Member("id", .string(head.id.uuid))]
    switch subject {
    case .birthday(let row, let next):
      members += [
        JSON.Member("kind", .string(Kind.birthday.name)), JSON.Member("title", .string(row.name)),
        JSON.Member("date", .string(day.iso)), JSON.Member("inDays", .integer(Int64(inDays))),
        JSON.Member("turns", next.turns.map { .integer(Int64($0)) } ?? .null),
      ]
    case .todo(let row, _):
      members += [
        JSON.Member("kind", .string(Kind.todo.name)),
        JSON.Member("title", .string(row.title ?? "")), JSON.Member("date", .string(day.iso)),
        JSON.Member("inDays", .integer(Int64(inDays))), JSON.Member("turns", .null),
      ]
    }
    return .object(members + [JSON.Member("stage", .string(stage.word))] + dueMembers)
  }

  /// The local time and the instant at which a to-do is due and, if it repeats, the date.
  private var dueMembers: [JSON.Member] {
    var due: LocalDue?
    if case .todo(_, let local) = subject { due = local }
    return [
      JSON.Member("time", .words(due?.time?.text)),
      JSON.Member("dueAt", .instant(due?.moment?.milliseconds)),
      JSON.Member("slot", .words(slot?.iso)), JSON.Member("missed", .integer(Int64(missed))),
    ]
  }
}
