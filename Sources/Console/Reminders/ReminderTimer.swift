import Bytes
import Phrasing
import Platform

/// A timer that runs this program every five minutes: a line for cron, or two units for systemd.
struct ReminderTimer {
  /// The paths of the program and of the book, which the environment of a timer does not contain.
  let program: Path
  let book: Path
  /// The folder in which systemd looks for the user's units.
  let folder: Path

  static let mark =
    "# Written by 'daybook remind --install'; 'daybook remind --uninstall' removes it."
  static let names = ["daybook-remind.service", "daybook-remind.timer"]

  var cronLine: String {
    // In a crontab, a percent sign ends the command.
    let words = [program.string.quoted, "-C", book.string.quoted, "remind"]
    return "*/5 * * * * " + words.joined(separator: " ").replacing(scalars: ["%": "\\%"])
  }

  /// The paths and the contents of the units.
  var units: [(path: Path, text: String)] {
    let command = [program.string, "-C", book.string, "remind", "--notify"].map(Self.quoted)
    let service = """
      \(Self.mark)
      [Unit]
      Description=Reminders of birthdays and to-dos

      [Service]
      Type=oneshot
      ExecStart=\(command.joined(separator: " "))

      """
    let timer = """
      \(Self.mark)
      [Unit]
      Description=Reminders of birthdays and to-dos every five minutes

      [Timer]
      OnCalendar=*:0/5
      Persistent=true
      AccuracySec=10s

      [Install]
      WantedBy=timers.target

      """
    return zip(Self.names, [service, timer]).map { (folder / $0, $1) }
  }

  /// Quotes a word for systemd, which then treats it as one word.
  private static func quoted(_ word: String) -> String {
    let plain = word.replacing(scalars: ["%": "%%", "$": "$$"])
    let isPlain = plain.allSatisfy { $0.isLetter || $0.isNumber || "-_.:/%$".contains($0) }
    if isPlain { return plain }
    return "\"" + plain.replacing(scalars: ["\\": "\\\\", "\"": "\\\""]) + "\""
  }
}

extension ReminderTimer {
  /// The timer of the user who runs a command.
  init(in context: CommandContext) throws(ConsoleError) {
    guard let configuration = context.environment.configurationFolder else {
      throw .noUserFolder("the folder for timers", variable: .configurationHome)
    }
    self.init(
      program: context.environment.process.program(), book: context.opener.folder,
      folder: configuration / "systemd" / "user")
  }
}

/// Installs and removes the timer for reminders.
struct TimerInstaller {
  let context: CommandContext
  private var output: Output { context.output }

  private static let unitLimit = 1 << 16

  func install(isSure: Bool) throws {
    let timer = try ReminderTimer(in: context)
    for unit in timer.units { _ = try isOwn(unit.path) }
    for (path, text) in timer.units where !context.invocation.globals.isQuiet {
      output.answer([output.paint.heading(path.string.visible)])
      output.answer(text.split(separator: "\n").map { "  " + String($0).visible })
    }
    try output.require(isSure, "Write these two files?")
    try context.machine.disk.makeDirectories(timer.folder)
    for (path, text) in timer.units {
      try context.machine.disk.replace(path, with: Array(text.utf8))
    }
    let begins = [["daemon-reload"], ["enable", "--now", ReminderTimer.names[1]]]
    guard begins.allSatisfy(systemctl) else {
      return output.say(
        "Wrote both files. To start the timer, run: systemctl --user daemon-reload && "
          + "systemctl --user enable --now \(ReminderTimer.names[1])")
    }
    output.say("Wrote both files and started the timer.")
    output.say("To run the timer even when you are not logged in, also run: loginctl enable-linger")
  }

  func uninstall(isSure: Bool) throws {
    let timer = try ReminderTimer(in: context)
    let present = try timer.units.map(\.path).filter(isOwn)
    if present.isEmpty { return output.say("The timer is not installed.") }
    try output.require(
      isSure, "Remove \(present.map(\.string.visible).joined(separator: " and "))?")
    // The command fails if the timer has never run or the machine has no systemd; neither matters here.
    _ = systemctl(["disable", "--now", ReminderTimer.names[1]])
    for path in present {
      try context.machine.disk.remove(path)
      output.say("Removed \(path.string.visible).")
    }
    _ = systemctl(["daemon-reload"])
  }

  private func systemctl(_ words: [String]) -> Bool {
    context.environment.process.launch(["systemctl", "--user"] + words)
  }

  /// Whether the file at the path exists and was written by daybook.
  ///
  /// - Throws: ``ConsoleError/notOurs(_:)`` if daybook did not write the file.
  private func isOwn(_ path: Path) throws -> Bool {
    guard try context.machine.disk.status(path) != nil else { return false }
    let text = String(
      decoding: try context.machine.disk.contents(of: path, limit: Self.unitLimit), as: UTF8.self)
    guard text.hasPrefix(ReminderTimer.mark) else { throw ConsoleError.notOurs(path) }
    return true
  }
}
