import Bytes
import Console
import Phrasing
import Platform
import Testing

/// Completing a to-do that repeats in its original program but not here gives a warning.
struct SeriesEndTests {
  static let files: [(name: String, text: String, rule: String, kept: String)] = [
    (
      "a.ics",
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VTODO\r\nUID:r1\r\nSUMMARY:Bins\r\n"
        + "DUE;VALUE=DATE:20261130\r\nRRULE:FREQ=YEARLY;BYWEEKNO=49\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
      "RRULE:FREQ=YEARLY;BYWEEKNO=49", "RRULE:FREQ=YEARLY;BYWEEKNO=49"
    ),
    (
      "a.json",
      #"[{"description":"Bins","uuid":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","status":"recurring","#
        + #""due":"20261130T000000Z","recur":"12h","entry":"20261101T000000Z"}]"#,
      "recur:12h", #""recur":"12h""#
    ),
    ("todo.txt", "Bins due:2026-11-30 rec:2b\n", "rec:2b", "rec:2b"),
    (
      "a.csv", "title,due,Repeat\nBins,2026-11-30,at full moon\n", "Repeat: at full moon",
      "full moon"
    ),
  ]

  private func stage(_ name: String, _ text: String) throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    try stage.disk.replace(Path("/home/ada/\(name)"), with: Array(text.utf8))
    _ = stage.answer("import", name, "-q")
    return stage
  }

  @Test(arguments: files)
  func `Done: completing a recurring to-do is noted, and its rule is still exported`(
    name: String, text: String, rule: String, kept: String
  ) throws {
    for words in [["done", "bins"], ["edit", "bins", "--done", "yes"]] {
      let stage = try stage(name, text)
      let id = String(stage.answer("list", "todos").prefix { $0 != " " })
      let outcome = stage.run(words)
      #expect(outcome.code == .done)
      #expect(
        outcome.error
          == "daybook: Bins repeats in the program it came from (\(rule)), but not in daybook. "
          + "The rule is kept and exported. To set the next date, run "
          + "'daybook undone \(id)' and then 'daybook edit \(id) --due DATE'.\n")
      let format = ["a.ics": "ics", "a.json": "taskwarrior", "todo.txt": "todotxt", "a.csv": "csv"]
      #expect(stage.answer("export", "--format", format[name] ?? "").contains(kept))
      #expect(stage.run("undone", "bins").error == "")
    }
  }

  @Test func `Done: completing a to-do without a rule prints no warning`() throws {
    let stage = try stage("todo.txt", "Bins due:2026-11-30\n")
    #expect(stage.run("done", "bins").error == "")
  }
}
