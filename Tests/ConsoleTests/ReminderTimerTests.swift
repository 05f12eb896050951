import Foundation
import Phrasing
import Platform
import Testing

@testable import Console

struct ReminderTimerTests {
  private static let folder = Path("/home/ada/.config/systemd/user")

  private static func timer(_ program: String, _ book: String) -> ReminderTimer {
    ReminderTimer(program: Path(program), book: Path(book), folder: folder)
  }

  @Test func `Reminder timer: the cron line quotes the program and the book`() {
    let stage = Stage()
    #expect(
      stage.answer("remind", "--cron")
        == "*/5 * * * * daybook -C /home/ada/.local/share/daybook/default remind\n")
    #expect(
      Self.timer("/opt/a b/daybook", "/home/100% me/it's").cronLine
        == #"*/5 * * * * "/opt/a b/daybook" -C "/home/100\% me/it's" remind"#)
  }

  @Test func `Reminder timer: the systemd unit quotes the program and the book`() throws {
    let service = try #require(
      Self.timer("/opt/a b/daybook", #"/home/100% $me/it's "mine"\x"#).units.first?.text)
    #expect(
      service.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }
        == #"ExecStart="/opt/a b/daybook" -C "/home/100%% $$me/it's \"mine\"\\x" remind --notify"#)
  }

  @Test func `Reminder timer: --yes writes the units and --uninstall removes them`() throws {
    let stage = Stage()
    let asked = stage.run("remind", "--install")
    #expect(asked.code == .refused)
    #expect(asked.output.contains("  OnCalendar=*:0/5\n  Persistent=true\n"))
    #expect(try stage.disk.status(Self.folder) == nil)
    let outcome = stage.run("remind", "--install", "--yes")
    #expect(outcome.code == .done)
    #expect(outcome.output.contains("systemctl --user enable --now daybook-remind.timer\n"))
    #expect(try stage.disk.list(Self.folder) == ReminderTimer.names.sorted())
    #expect(
      stage.run("remind", "--install", "--yes", "-q") == .init(code: .done, output: "", error: ""))
    #expect(
      stage.answer("remind", "--uninstall", "--yes").hasPrefix(
        "Removed /home/ada/.config/systemd/user/daybook-remind.service.\n"))
    #expect(try stage.disk.list(Self.folder) == [])
    #expect(stage.answer("remind", "--uninstall") == "The timer is not installed.\n")
  }

  @Test func `Reminder timer: a file not written by daybook is left unchanged`() throws {
    let stage = Stage()
    let path = Self.folder / ReminderTimer.names[1]
    try stage.disk.makeDirectories(Self.folder)
    try stage.disk.replace(path, with: Array("[Timer]\n".utf8))
    for words in [["--install", "--yes"], ["--uninstall", "--yes"]] {
      #expect(
        stage.run(["remind"] + words)
          == .init(
            code: .refused, output: "",
            error:
              "daybook: \(path) was not written by daybook. Nothing was changed; move it away first.\n"
          ))
    }
    #expect(try stage.disk.contents(of: path, limit: 100) == Array("[Timer]\n".utf8))
    #expect(stage.run("remind", "--install", "--cron").code == .usage)
  }

  private static let verifier = URL(filePath: "/usr/bin/systemd-analyze")

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: verifier.path()), "no systemd-analyze here"),
    arguments: [("/bin/true", "/home/ada/book"), ("/bin/true", "/home/100% $me/it's \"mine\"\\x")])
  func `Reminder timer: systemd accepts the units`(program: String, book: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // An error is ignored: the system cleans up temporary folders.
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = try Self.timer(program, book).units.map { path, text in
      let file = folder.appending(path: path.name)
      try Data(text.utf8).write(to: file)
      return file.path()
    }
    let process = Process()
    process.executableURL = Self.verifier
    process.arguments = ["verify", "--user"] + paths
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let told = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: told, as: UTF8.self)
    #expect(!text.contains("daybook-remind"), "\(text)")
  }
}
