import Console
import Phrasing
import Platform
import Testing

/// Exit codes and messages of imports.
struct ImportExitTests {
  private func stage(_ text: String, as name: String) throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    try stage.disk.replace(Path("/home/ada/\(name)"), with: Array(text.utf8))
    return stage
  }

  /// Files from which nothing is imported.
  static let vain: [(name: String, text: String)] = [
    ("todos.csv", "Title,Due,Done\n,2026-12-01,no\n,2026-12-02,no\n"),
    ("people.csv", "Name,Birthday\nAda,3/4/1999\n"),
    ("contacts.vcf", "BEGIN:VCARD\nFN:Ada\n"),
    ("friends.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nEND:VCARD\n"),
    ("tasks.json", #"[{"description":"no uuid","status":"pending"}]"#),
    ("log.jsonl", "{}\n"),
    ("Items.plist", "({done = 1;})"),
  ]

  @Test(arguments: vain)
  func `Import exit: a file without any imported record exits 1`(
    name: String, text: String
  ) throws {
    let stage = try stage(text, as: name)
    #expect(stage.run("import", name, "-n").code == .refused)
    #expect(stage.run("import", name, "--json").code == .refused)
    #expect(stage.run("import", name, "-q").code == .refused)
  }

  static let fine: [(name: String, text: String)] = [
    ("todos.csv", "Title,Done\nA,perhaps\nB,no\n"), ("empty.csv", "Title,Done\n"),
    ("todo.txt", "\n\n"), ("none", ""),
  ]

  @Test(arguments: fine)
  func `Import exit: a file with values that were kept as text, or an empty one, exits 0`(
    name: String, text: String
  ) throws {
    let stage = try stage(text, as: name)
    #expect(stage.run("import", name, "-n").code == .done)
    #expect(stage.run("import", name).code == .done)
    #expect(stage.run("import", name).code == .done)
  }

  static let partial: [(name: String, text: String)] = [
    ("todos.csv", "Title,Done\nA,no\n,no\n"),
    ("contacts.vcf", "BEGIN:VCARD\nFN:Ada\nBDAY:1815-12-10\nEND:VCARD\nBEGIN:VCARD\nFN:Bob\n"),
    ("log.jsonl", #"{"op":"add","kind":"list","id":"a","name":"Home"}"# + "\n{}\n"),
    ("cut.ics", "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:A\nEND:VTODO\n"),
  ]

  @Test(arguments: partial)
  func `Import exit: a file of which a record is skipped exits 1, even when it is imported again`(
    name: String, text: String
  ) throws {
    let stage = try stage(text, as: name)
    for words in [["-n"], [], [], ["--json"]] {
      #expect(stage.run(["import", name] + words).code == .refused, "\(words)")
    }
    #expect(stage.run("log").output.split(separator: "\n").count == 1)
  }

  @Test func `Import exit: a calendar without its end is imported, and is not counted as a record`()
    throws
  {
    let stage = try stage(Self.partial[3].text, as: "cut.ics")
    let note =
      "daybook: BEGIN:VCALENDAR no. 1 (line 1): END:VCALENDAR is missing, so the file may lack some of its records.\n"
    let strict = stage.run("import", "cut.ics", "--strict", "-n")
    #expect(strict.code == .refused && strict.error.contains("(line 1): its end is missing"))
    #expect(stage.run("import", "cut.ics", "-n").error == note)
    let told = stage.run("import", "cut.ics")
    #expect(told.error.hasSuffix(note))
    #expect(
      told.output
        == "Read 1 record as iCalendar: added 1. To undo this import, run 'daybook undo'.\n")
    #expect(stage.run("import", "cut.ics").error == note)
  }

  @Test func `Import exit: records that are unchanged or stay deleted exit 0`() throws {
    let stage = try stage("Title\nA\n", as: "todos.csv")
    _ = stage.answer("import", "todos.csv")
    try stage.disk.replace(Path("/home/ada/more.csv"), with: Array("Title,Due\nA,\n".utf8))
    #expect(stage.answer("import", "more.csv").contains("1 unchanged"))
    _ = stage.answer("delete", "A")
    try stage.disk.replace(Path("/home/ada/third.csv"), with: Array("Title,Note\nA,\n".utf8))
    #expect(stage.answer("import", "third.csv").contains("1 stays deleted"))
  }

  @Test func `Import exit: up to three faults of a kind are listed, and more are counted`() throws {
    let rows = (1...3).map { "a\($0),\($0)/\($0 + 1)/1999\n" } + ["b,1999-12-24\n"]
    let stage = try stage("Name,Birthday\n" + rows.joined(), as: "people.csv")
    func fault(_ line: Int, _ day: String, _ other: String) -> String {
      "daybook: line \(line) skipped: Birthday '\(line - 1)/\(line)/1999' could be 1999-\(day) or "
        + "1999-\(other); choose with --dates dmy or --dates mdy.\n"
    }
    #expect(
      stage.run("import", "people.csv", "-n").error
        == fault(2, "02-01", "01-02") + fault(3, "03-02", "02-03") + fault(4, "04-03", "03-04"))
    let more = "c,5/6/1999\nd,1999-01-01\ne,1999-01-01,x\n"
    try stage.put("Name,Birthday\n" + rows.joined() + more, as: "more.csv")
    #expect(
      stage.run("import", "more.csv", "-n").error == """
        daybook: 4 skipped (line 2, line 3, line 4, …): Birthday '1/2/1999' could be 1999-02-01 or 1999-01-02; \
        choose with --dates dmy or --dates mdy, and similar.
        daybook: line 8 skipped: it has 3 cells, but the header has 2.

        """)
  }
}
