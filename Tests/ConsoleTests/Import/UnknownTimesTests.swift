import Console
import SimulatedPlatform
import Testing

/// Imports do not invent times, and they keep the past of existing records.
struct UnknownTimesTests {
  @Test(arguments: [
    ("t.csv", "Name,Status,Created time\nTrip,Done,\"November 1, 2026 9:12 AM\"\n"),
    (
      "t.json",
      #"[{"uuid":"00000000-0000-4000-8000-000000000001","status":"completed","#
        + #""entry":"20261101T091200Z","description":"Trip"}]"# + "\n"
    ),
    (
      "t.ics",
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Trip\r\n\
      CREATED:20261101T091200Z\r\nSTATUS:COMPLETED\r\nEND:VTODO\r\nEND:VCALENDAR\r\n
      """
    ),
  ])
  func `Unknown times: a completion without a time is dated at the import`(
    name: String, text: String
  ) throws {
    let stage = Stage()
    try stage.put(text, as: name)
    _ = stage.answer("import", name)
    let shown = stage.answer("show", "Trip")
    #expect(shown.contains("2026-11-01 09:12") && !shown.contains("completed-at"), "\(shown)")
    #expect(stage.answer("list", "todos", "--done").contains("[x]"))
    #expect(stage.answer("at", "2026-11-02", "list", "todos").contains("[ ]"))
    try stage.put(text + (name == "t.csv" ? "Other,,\n" : "\n"), as: name)
    #expect(stage.answer("import", name).contains("1 unchanged"))
  }

  @Test func `Unknown times: a change to an existing record is dated at the import`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "milk", "--note", "n1")
    _ = stage.answer("export", "-o", "f.jsonl")
    try stage.put(try stage.text(of: "f.jsonl").replacing("n1", with: "n3"), as: "f.jsonl")
    stage.machine.timekeeper.advance(milliseconds: 7 * 86_400_000)
    _ = stage.answer("import", "f.jsonl")
    #expect(stage.answer("at", "2026-11-22", "show", "milk").contains("n1"))
    #expect(stage.answer("log", "--since", "2026-11-25").contains("n1 → n3"))
  }

  @Test func `Unknown times: the book's own table contains no changes`() throws {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch", "soup:2", "rice:1")
    _ = stage.answer("export", "-o", "b.csv")
    #expect(
      stage.answer("import", "b.csv") == "Read 3 records as CSV: 3 unchanged.\n")
  }

  @Test func `Export: details kept from other formats are counted as left out`() throws {
    let stage = Stage()
    try stage.put(
      """
      BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lee;Bob;;;\r\nFN:Bob Lee\r\nBDAY:1990-01-01\r\n\
      EMAIL:b@x.org\r\nTEL:+1\r\nEND:VCARD\r\n
      """, as: "b.vcf")
    _ = stage.answer("import", "b.vcf")
    let left = "2 details kept from files of other formats"
    #expect(stage.run("export", "-o", "b.csv").error.contains(left))
    #expect(stage.run("export", "--format", "ics", "-o", "b.ics").error.contains(left))
    #expect(!stage.run("export", "--format", "vcf", "-o", "c.vcf").error.contains("details"))
    // The yearly recurrence of a birthday is not reported as a detail of a calendar.
    let other = Stage()
    try other.put(
      """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Bob's birthday\r\n\
      DTSTART;VALUE=DATE:19900101\r\nRRULE:FREQ=YEARLY\r\nCATEGORIES:BIRTHDAY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
      """, as: "b.ics")
    #expect(other.answer("import", "b.ics").contains("added 1"))
    #expect(!other.run("export", "--format", "vcf", "-o", "b.vcf").error.contains("detail"))
  }
}
