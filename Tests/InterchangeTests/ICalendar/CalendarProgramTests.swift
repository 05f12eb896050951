import Domain
import Foundation
import Interchange
import Testing

/// Exported calendars, shown by other calendar programs.
struct CalendarProgramTests {
  private static let khal = "/usr/bin/khal"
  private static let calcurse = "/usr/bin/calcurse"

  private static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: program)
  }

  /// A folder with an exported calendar, where a program runs.
  private final class Desk {
    let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())").path()

    init() throws {
      let book = try ForeignBook(
        """
        {"t":1,"op":"add","kind":"birthday","id":"a","firstName":"Ada","lastName":"Lovelace","birthdate":"1816-12-10"}
        {"t":2,"op":"add","kind":"birthday","id":"b","firstName":"Leap","lastName":"Larry","birthdate":"1952-02-29"}
        {"t":3,"op":"add","kind":"birthday","id":"c","firstName":"Nobody","birthdate":"--12-11"}
        {"t":4,"op":"add","kind":"todo","id":"t","title":"Sweep; mop","priority":2,"due":"2026-12-01"}
        {"t":5,"op":"add","kind":"todo","id":"u","title":"Rest","done":true}
        """)
      try FileManager.default.createDirectory(
        atPath: folder + "/calendar", withIntermediateDirectories: true)
      try Data(try book.written(.iCalendar).utf8).write(to: URL(filePath: folder + "/ours.ics"))
      let settings = """
        [calendars]
        [[book]]
        path = \(folder)/calendar
        [locale]
        longdateformat = %Y-%m-%d
        dateformat = %Y-%m-%d
        [sqlite]
        path = \(folder)/khal.db

        """
      try Data(settings.utf8).write(to: URL(filePath: folder + "/khal.conf"))
    }

    deinit {
      // If this fails, only a temporary folder remains.
      try? FileManager.default.removeItem(atPath: folder)
    }

    func run(_ program: String, _ words: String...) throws -> [String] {
      let output = try Oracle.run(
        program: program, words,
        environment: ["HOME": folder, "TZ": "UTC", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"])
      return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  @Test(.enabled(if: isInstalled(khal), "khal is not installed"))
  func `Calendar programs: khal shows birthdays on our dates`() throws {
    let desk = try Desk()
    let settings = desk.folder + "/khal.conf"
    _ = try desk.run(Self.khal, "-c", settings, "import", "--batch", desk.folder + "/ours.ics")
    #expect(
      try desk.run(
        Self.khal, "-c", settings, "list", "--day-format", "", "--format", "{start-date} {title}",
        "2026-11-22", "2027-03-02") == [
          "2026-12-10 Ada Lovelace's 210th birthday", "2026-12-11 Nobody",
          "2027-02-28 Leap Larry's 75th birthday (29th of Feb.)",
        ])
  }

  @Test(.enabled(if: isInstalled(calcurse), "calcurse is not installed"))
  func `Calendar programs: calcurse imports birthdays and to-dos without skipping any`() throws {
    let desk = try Desk()
    let report = try desk.run(Self.calcurse, "-D", desk.folder, "-i", desk.folder + "/ours.ics")
    #expect(report.last == "0 apps / 3 events / 2 todos / 0 skipped")
    let todos = try desk.run(Self.calcurse, "-D", desk.folder, "-t")
    #expect(todos.contains { $0.hasSuffix(". Sweep; mop") })
    let days = try desk.run(
      Self.calcurse, "-D", desk.folder, "-Q", "--filter-type", "event,recur-event", "--from",
      "12/10/2026", "--to", "12/11/2026")
    #expect(days.contains { $0.contains("Ada Lovelace (10 Dec 1816)") })
  }
}
