import Console
import Phrasing
import Platform
import Testing

/// Import and export of other programs' files.
struct ForeignFileTests {
  private static let cards = """
    BEGIN:VCARD\r
    VERSION:3.0\r
    UID:u1\r
    FN:Ada Lovelace\r
    N:Lovelace;Ada;;;\r
    BDAY:1815-12-10\r
    TEL;TYPE=CELL:1\r
    END:VCARD\r
    BEGIN:VCARD\r
    VERSION:3.0\r
    FN:Alan Turing\r
    BDAY;VALUE=date:1604-06-23\r
    END:VCARD\r
    BEGIN:VCARD\r
    VERSION:3.0\r
    FN:No Birthday\r
    END:VCARD\r
    BEGIN:VCARD\r
    FN:Never Ended\r

    """

  private func stage(_ text: String, as name: String = "contacts.vcf") throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    try stage.disk.replace(Path("/home/ada/\(name)"), with: Array(text.utf8))
    return stage
  }

  @Test func `Import: a dry run announces what the import does`() throws {
    let stage = try stage(Self.cards)
    let before = stage.disk
    let trial = stage.run("import", "contacts.vcf", "--dry-run")
    #expect(
      trial.output == """
        new  birthday  Ada Lovelace  1815-12-10
        new  birthday  Alan Turing   --06-23
        Read as vCard: 2 new, 1 skipped (BEGIN:VCARD no. 4 (line 18): END:VCARD is missing). Nothing was written.
        1 entry without a birthday would be ignored.

        """)
    #expect(try before.status(Path("/home/ada/.local")) == nil)
    let done = stage.run("import", "contacts.vcf")
    #expect(
      done.output == """
        Read 3 records as vCard: added 2, skipped 1. To undo this import, run 'daybook undo'.
        Ignored 1 entry without a birthday.

        """)
    #expect(
      done.error == """
        daybook: Made a new book in /home/ada/.local/share/daybook/default.
        daybook: BEGIN:VCARD no. 4 (line 18) skipped: END:VCARD is missing.
        daybook: BEGIN:VCARD no. 2 (line 9): the year 1604 is a placeholder, so it was left out.

        """)
    #expect(stage.answer("list", "birthdays").contains("Alan Turing"))
  }

  @Test func `Import: an unchanged file is recognised, and edits to a file are applied`() throws {
    let stage = try stage(Self.cards)
    _ = stage.run("import", "contacts.vcf")
    #expect(
      stage.run("import", "contacts.vcf").output
        == "Nothing to import: this file has already been imported.\n")
    let later = Self.cards.replacing("1815-12-10", with: "1815-12-11")
    try stage.disk.replace(Path("/home/ada/later.vcf"), with: Array(later.utf8))
    #expect(
      stage.run("import", "later.vcf", "--dry-run").output.hasPrefix(
        "changed  birthday  Ada Lovelace  1815-12-11\nRead as vCard: 1 changed, 1 same, 1 skipped ("
      ))
    #expect(
      stage.run("import", "later.vcf").output.hasPrefix(
        "Read 3 records as vCard: edited 1, 1 unchanged"))
  }

  @Test func `Import: undo and redo treat an import as one step`() throws {
    let stage = try stage(Self.cards)
    _ = stage.run("import", "contacts.vcf")
    _ = stage.answer("undo")
    #expect(stage.answer("list", "birthdays") == stage.answer("list", "birthdays"))
    #expect(!stage.run("list", "birthdays").output.contains("Ada"))
    #expect(
      stage.run("import", "contacts.vcf").output.hasPrefix("Read 3 records as vCard: restored 2"))
    _ = stage.answer("delete", "ada")
    try stage.disk.replace(
      Path("/home/ada/more.vcf"), with: Array((Self.cards + "END:VCARD\r\n").utf8))
    #expect(stage.run("import", "more.vcf").output.contains("1 stays deleted"))
    #expect(!stage.answer("list", "birthdays").contains("Ada"))
  }

  @Test func `Import: an unedited export changes nothing, including foreign properties`() throws {
    let stage = try stage(Self.cards)
    _ = stage.run("import", "contacts.vcf")
    _ = stage.answer("add", "todo", "Sweep", "--list", "Home", "--due", "2026-12-01")
    let out = stage.run("export", "-o", "out.vcf")
    #expect(out.output == "Wrote 2 records as vCard to /home/ada/out.vcf.\n")
    #expect(
      out.error
        == "daybook: vCard has no place for the following, so it was left out: 1 list, 1 todo.\n")
    #expect(
      stage.answer("export", "--format", "vcard", "--kind", "birthdays").contains(
        "\r\nTEL;TYPE=CELL:1\r\n"))
    #expect(
      stage.answer("import", "out.vcf").hasPrefix("Read 2 records as vCard: 2 unchanged"))
    #expect(stage.answer("export", "-o", "all.ics").hasPrefix("Wrote 3 records as iCalendar"))
    #expect(stage.answer("import", "all.ics").hasPrefix("Read 3 records as iCalendar: 3 unchanged"))
    #expect(stage.answer("export", "-o", "all.csv").hasPrefix("Wrote 4 records as CSV"))
    #expect(stage.answer("import", "all.csv").hasPrefix("Read 4 records as CSV: 4 unchanged"))
  }

  @Test func `Import: a record that resembles an existing one is reported`() throws {
    let stage = try stage(Self.cards)
    _ = stage.answer("add", "birthday", "Ada Lovelace", "1815-12-10")
    #expect(
      stage.run("import", "contacts.vcf").output.hasSuffix(
        "1 record looks like a duplicate; 'daybook duplicates' shows how to merge duplicates.\n"
      ))
    // A second import does not report the duplicate again, but reports the skipped card.
    #expect(
      stage.run("import", "contacts.vcf").error
        == "daybook: BEGIN:VCARD no. 4 (line 18) skipped: END:VCARD is missing.\n")
    // The import of a second file does not report earlier duplicates.
    let other = Self.cards.replacing("Ada", with: "Eve").replacing("Lovelace", with: "Brown")
      .replacing("u1", with: "u2")
    try stage.disk.replace(Path("/home/ada/other.vcf"), with: Array(other.utf8))
    #expect(!stage.run("import", "other.vcf").output.contains("look"))
  }

  @Test func `Import: --strict imports everything or nothing`() throws {
    let stage = try stage(Self.cards)
    let outcome = stage.run("import", "contacts.vcf", "--strict")
    #expect(outcome.code == .refused)
    #expect(
      outcome.error.hasSuffix(
        "BEGIN:VCARD no. 4 (line 18): END:VCARD is missing. Nothing was imported.\n"))
    #expect(stage.run("list", "birthdays").code == .refused)
  }

  @Test func `Import: the log leaves out data kept for other programs`() throws {
    let stage = try stage("Kind,Title,Done\ntodo,Sweep,no\n", as: "todos.csv")
    #expect(stage.answer("import", "todos.csv").contains("added 1"))
    let log = stage.answer("log", "--limit", "1")
    #expect(log.hasSuffix("added  todo Sweep: title Sweep, done no\n"))
    #expect(stage.answer("show", "sweep").contains("csv.base"))
  }

  @Test func `Import: --dates settles ambiguous dates`() throws {
    let stage = try stage("Name,Birthday\nAda,3/4/1999\n", as: "people.csv")
    let open = stage.run("import", "people.csv")
    #expect(open.output == "Read 1 record as CSV: skipped 1.\n")
    #expect(
      open.error == """
        daybook: line 2 skipped: Birthday '3/4/1999' could be 1999-04-03 or 1999-03-04; choose with --dates dmy or \
        --dates mdy.

        """)
    #expect(stage.answer("import", "people.csv", "--dates", "dmy").contains("added 1"))
    #expect(stage.run("import", "people.csv", "--dates", "ymd").code == .refused)
  }

  @Test func `Import: a single date that settles ambiguous dates is named`() throws {
    let stage = try stage("Name,Birthday\nAda,3/4/1999\nBo,2/29/2000\n", as: "people.csv")
    #expect(
      stage.run("import", "people.csv", "-n").error.hasSuffix(
        """
        daybook: line 3: Birthday '2/29/2000' has the month first, so all dates in the file were read in this way; \
        --dates dmy sets the other order.

        """))
    #expect(stage.answer("import", "people.csv").contains("added 2"))
    #expect(stage.answer("list", "birthdays").contains("1999-03-04"))
  }

  @Test func `Import: --zone determines local days`() throws {
    let task = """
      BEGIN:VCALENDAR
      BEGIN:VTODO
      UID:a
      SUMMARY:Sweep
      DUE:20261120T230000Z
      END:VTODO
      END:VCALENDAR
      """
    let stage = try stage(task, as: "tasks.ics")
    _ = stage.answer("import", "tasks.ics", "--zone", "+02:00")
    #expect(stage.answer("list", "todos").contains("due Sat 2026-11-21 01:00 (tomorrow)"))
    for zone in ["Europe/Berlin", "2", "+99", "+0160"] {
      #expect(stage.run("import", "tasks.ics", "--zone", zone).code == .refused, "\(zone)")
    }
  }

  @Test func `Import: JSON has the complete result`() throws {
    let stage = try stage(Self.cards)
    #expect(
      stage.run("import", "contacts.vcf", "--json").output == """
        {
          "format": "vcf",
          "program": null,
          "columns": [],
          "dryRun": false,
          "known": false,
          "added": 2,
          "edited": 0,
          "deleted": 0,
          "restored": 0,
          "madeLists": 0,
          "restoredLists": 0,
          "same": 0,
          "keptAsText": 0,
          "outdated": 0,
          "keptDeleted": 0,
          "unsettled": [],
          "skipped": [
            {
              "place": "BEGIN:VCARD no. 4 (line 18)",
              "reason": "END:VCARD is missing"
            }
          ],
          "moreSkipped": 0,
          "notes": [
            {
              "place": "BEGIN:VCARD no. 2 (line 9)",
              "note": "the year 1604 is a placeholder, so it was left out"
            }
          ],
          "moreNotes": 0
        }

        """)
  }

  @Test func `Import: if there are very many faults, the first are kept and all are counted`()
    throws
  {
    let rows = String(repeating: ",no\n", count: 10_003)
    let stage = try stage("Title,Done\n" + rows, as: "todos.csv")
    let outcome = stage.run("import", "todos.csv")
    #expect(outcome.code == .refused)
    #expect(outcome.output == "Read 10003 records as CSV: skipped 10003.\n")
    #expect(
      outcome.error == """
        daybook: 10000 skipped (line 2, line 3, line 4, …): a title is missing.
        daybook: 3 more were skipped.

        """)
    let told = stage.run("import", "todos.csv", "--json", "--dry-run").output
    #expect(told.contains("\"moreSkipped\": 3,"))
    #expect(told.split(separator: "\n").count { $0.contains("\"place\"") } == 10_000)
    let lines = String(repeating: "{}\n", count: 10_003)
    try stage.disk.replace(Path("/home/ada/log.jsonl"), with: Array(lines.utf8))
    let log = stage.run("import", "log.jsonl", "--format", "ops")
    #expect(log.output == "Read 10003 lines: skipped 10003.\n")
  }

  @Test func `Import: messages about a line are short and name the limit`() throws {
    let name = String(repeating: "n", count: 100_000)
    let start = #"{"op":"edit","kind":"todo","id":"a","set":"#
    let lines = [
      #"\#(start){"\#(name)":1}}"#, #"\#(start){"\#(name)":1,"\#(name)":2}}"#,
      start + String(repeating: "[", count: 100),
      #"\#(start)"\#(String(repeating: "x", count: 2 << 20))"}"#,
    ]
    let stage = try stage(lines.joined(separator: "\n"), as: "log.jsonl")
    let cut = String(repeating: "n", count: 80) + "…"
    #expect(
      stage.run("import", "log.jsonl").error.split(separator: "\n").dropFirst() == [
        "daybook: line 1 skipped: a todo has no field '\(cut)'.",
        "daybook: line 2 skipped: it is not JSON: '\(cut)' appears twice.",
        "daybook: line 3 skipped: it is not JSON: nested more than 64 levels deep at byte 106.",
        "daybook: line 4 skipped: it is longer than 1048576 bytes, the limit for an operation; look for "
          + "a missing line break.",
      ])
  }

  @Test func `Import: a file above the size limit is refused unread`() throws {
    let stage = try stage("BEGIN:VCARD\n", as: "large.vcf")
    let file = try OpenFile(Path("/home/ada/large.vcf"), .write, on: stage.disk)
    try file.truncate(to: 64 << 20 + 1)
    #expect(
      stage.run("import", "large.vcf").error
        == "daybook: large.vcf cannot be imported: the file is larger than 67108864 bytes; --large "
        + "allows 16 times as much.\n")
  }

  @Test func `Import: a file with the wrong format is refused, and an empty one is accepted`()
    throws
  {
    let stage = try stage("Dear diary,\n", as: "diary.vcf")
    #expect(
      stage.run("import", "diary.vcf").error
        == "daybook: diary.vcf cannot be imported: nothing in it is vCard.\n")
    try stage.disk.replace(Path("/home/ada/empty"), with: [])
    #expect(stage.answer("import", "empty") == "Nothing to import: the file is empty.\n")
    let realm =
      Array(repeating: UInt8(0), count: 16) + Array("T-DB".utf8) + Array(repeating: 0, count: 20)
    try stage.disk.replace(Path("/home/ada/default.realm"), with: realm)
    #expect(
      stage.run("import", "default.realm").error
        == "daybook: default.realm cannot be imported: it is a Realm database, which only Realm's "
        + "own software can read. Instead, import a CSV file, or the store of a version of the app "
        + "that uses Core Data.\n")
  }

  @Test func `Export: --list exports one list with its to-dos only`() throws {
    let stage = Stage()
    for (title, list) in [("Mop", "Home"), ("Sweep", "Home"), ("Call", "Work")] {
      _ = stage.answer("add", "todo", title, "--list", list)
    }
    _ = stage.answer("add", "todo", "Think")
    _ = stage.answer("add", "birthday", "Ada Lovelace")
    #expect(
      stage.answer("export", "--list", "Home", "--format", "todo.txt").split(separator: "\n").map {
        $0.split(separator: " ")[1...2].joined(separator: " ")
      } == ["Mop +Home", "Sweep +Home"])
    let cards = stage.run("export", "--list", "home", "--format", "vcard")
    #expect(cards.output == "")
    #expect(
      cards.error.contains(
        "vCard has no place for the following, so it was left out: 1 list, 2 todos."))
    // A second book imports the whole list.
    #expect(stage.answer("export", "--list", "Home", "-o", "home.jsonl").hasPrefix("Wrote 3 "))
    _ = stage.answer("-C", "other", "import", "home.jsonl")
    #expect(
      stage.answer("-C", "other", "list", "todos", "--plain").split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)[3...4].joined(separator: " ")
      }.sorted() == ["Mop Home", "Sweep Home"])
    #expect(stage.run("export", "--list", "Nowhere").code == .refused)
    #expect(stage.run("export", "--list", "Home", "--events").code == .usage)
  }

  @Test func `Export: calendars may have alarms and ages`() throws {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace", "1815-12-10")
    #expect(stage.answer("export", "--format", "ics", "--alarms").contains("TRIGGER:PT9H"))
    let settings = Path("/home/ada/.config/daybook/config")
    try stage.disk.makeDirectories(settings.parent)
    try stage.disk.replace(settings, with: Array("remind.lead = 3\n".utf8))
    let alarms = stage.answer("export", "--format", "ics", "--alarms").split(separator: "\r\n")
    #expect(alarms.filter { $0.hasPrefix("TRIGGER") } == ["TRIGGER:-P2DT15H"])
    let ages = stage.answer("export", "--format", "ics", "--ages", "2")
    #expect(ages.contains("SUMMARY:Ada Lovelace turns 211\r\n"))
    #expect(ages.contains("SUMMARY:Ada Lovelace turns 212\r\n"))
    #expect(stage.run("export", "--format", "ics", "--ages", "0").code == .refused)
    #expect(stage.run("export", "--format", "ics", "--events").code == .refused)
    #expect(stage.run("export", "--format", "plist").code == .refused)
    #expect(stage.run("export", "--kind", "people").code == .refused)
  }
}
