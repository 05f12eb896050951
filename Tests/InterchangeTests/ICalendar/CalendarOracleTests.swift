import Domain
import Foundation
import Interchange
import Testing

/// Exported calendars and cards, read by independent libraries.
struct CalendarOracleTests {
  /// The Python with the required modules, if it is not the system's Python.
  private static let python =
    ProcessInfo.processInfo.environment["DAYBOOK_PYTHON"] ?? "/usr/bin/python3"

  static func run(_ script: String, input: String) throws -> String {
    let process = Process()
    let (standardInput, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: python)
    process.arguments = ["-c", script]
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let found = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return String(decoding: found, as: UTF8.self)
  }

  static func has(_ modules: String) -> Bool {
    // Any failure means that the modules are not installed.
    (try? run("import \(modules)", input: "")) != nil
  }

  /// Lists the occurrences of all events from 2023 to 2032.
  private static let expanding = """
    import sys
    from datetime import datetime
    from dateutil.rrule import rrulestr
    lines = sys.stdin.read().replace("\\r\\n ", "").split("\\r\\n")
    start = None
    for line in lines:
        if line.startswith("DTSTART"): start = datetime.strptime(line.split(":")[1], "%Y%m%d")
        if line.startswith("RRULE"): rule = rrulestr(line.split(":")[1], dtstart=start)
        if line == "END:VEVENT":
            days = rule.between(datetime(2023, 1, 1), datetime(2032, 12, 31), inc=True)
            print(" ".join(day.strftime("%Y-%m-%d") for day in days))
    """

  @Test(.enabled(if: has("dateutil"), "python3-dateutil is not installed"))
  func `Calendar oracle: dateutil finds our birthday dates under both leap rules`() throws {
    for rule in [LeapRule.february28, .march1] {
      for date in ["1952-02-29", "--02-29", "1815-12-31", "2000-01-01", "--03-01", "1999-02-28"] {
        var settings = ExportSettings.test
        settings.leapRule = rule
        let book = try ForeignBook(
          #"{"op":"add","kind":"birthday","id":"a","firstName":"A","birthdate":"\#(date)"}"#)
        let found = try Self.run(Self.expanding, input: try book.written(.iCalendar, settings))
        let birthdate = try CivilDate.parse(date)
        let ours = (2023...2032).compactMap { birthdate.occurrence(in: $0, rule: rule)?.iso }
        #expect(found == ours.joined(separator: " ") + "\n", "\(date) \(rule)")
      }
    }
  }

  @Test(.enabled(if: has("icalendar"), "python3-icalendar is not installed"))
  func `Calendar oracle: icalendar reads our export`() throws {
    let script = """
      import sys, icalendar
      calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
      for part in calendar.subcomponents:
          print(part.name, part["SUMMARY"], part.get("CATEGORIES").to_ical().decode())
      """
    let book = try ForeignBook(
      """
      {"t":1,"op":"add","kind":"birthday","id":"a","firstName":"Zoë","lastName":"O, P","birthdate":"1990-05-06"}
      {"op":"add","kind":"list","id":"l","name":"Home"}
      {"t":2,"op":"add","kind":"todo","id":"t","title":"Sweep; mop","list":"l","due":"2026-12-01"}
      """)
    #expect(
      try Self.run(script, input: try book.written(.iCalendar))
        == "VEVENT Zoë O, P (6 May 1990) BIRTHDAY\nVTODO Sweep; mop Home\n")
  }

  @Test(.enabled(if: has("vobject"), "python3-vobject is not installed"))
  func `Calendar oracle: vobject reads our export`() throws {
    let script = """
      import sys, vobject
      for card in vobject.readComponents(sys.stdin.read()):
          print(card.fn.value, card.n.value.family, card.bday.value, card.note.value.split(chr(10)))
      """
    let book = try ForeignBook(
      """
      {"op":"add","kind":"birthday","id":"a","firstName":"Zoë","lastName":"O, P","birthdate":"1990-05-06",\
      "note":"a; b\\nc"}
      """)
    #expect(
      try Self.run(script, input: try book.written(.vCard))
        == "Zoë O, P O, P 1990-05-06 ['a; b', 'c']\n")
  }
}
