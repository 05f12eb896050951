import Console
import Phrasing
import Platform
import Testing

/// Messages of repeated imports, and about adjusted values of tables and tasks.
struct SkippedAgainTests {
  private static let again = "Nothing to import: this file has already been imported.\n"

  private static let vain: [(name: String, text: String, fault: String)] = [
    (
      "tasks.json",
      """
      {"uuid":"11111111-1111-4111-8111-111111111111","description":"a","status":"pending"}
      {"uuid":"21111111-1111-4111-8111-111111111111","description":"b","status":"pending","due":"soon"}

      """, "daybook: line 2 skipped: due cannot be 'soon'.\n"
    ),
    (
      "log.jsonl",
      """
      {"op":"add","kind":"list","id":"a","name":"Home"}
      {"op":"edit","kind":"list","id":"nobody","set":{"name":"x"}}

      """, "daybook: line 2 skipped: there is no list 'nobody'.\n"
    ),
  ]

  @Test(arguments: vain)
  func `Import again: skipped lines are reported again`(
    name: String, text: String, fault: String
  ) throws {
    let stage = Stage()
    try stage.put(text, as: name)
    #expect(stage.run("import", name).error.hasSuffix(fault))
    #expect(stage.run("import", name) == .init(code: .refused, output: Self.again, error: fault))
    #expect(
      stage.run("import", name, "-n") == .init(code: .refused, output: Self.again, error: fault))
    #expect(stage.run("import", name, "--json").output.contains("\"place\": \"line 2\""))
  }

  @Test func `Import again: a disputed field is reported until it is settled`() throws {
    let (ada, bob) = (Stage(seed: 1), Stage(seed: 2))
    try ada.disk.makeDirectories(Path("/home/ada"))
    func hand(_ from: Stage, _ to: Stage) throws {
      _ = from.run("export", "-o", "todo.txt", "--force")
      try to.put(from.text(of: "todo.txt"), as: "todo.txt")
    }
    _ = ada.run("add", "todo", "Sow")
    try hand(ada, bob)
    _ = bob.run("import", "todo.txt")
    _ = ada.run("edit", "Sow", "--title", "Sow peas")
    _ = bob.run("edit", "Sow", "--title", "Sow corn")
    try hand(bob, ada)
    let first = ada.run("import", "todo.txt")
    #expect(first.error.contains("the book keeps 'Sow peas', and the file contains 'Sow corn'"))
    let second = ada.run("import", "todo.txt")
    #expect(second.error == first.error)
    #expect(second.output.hasSuffix(Self.again))
    _ = ada.run("edit", "Sow peas", "--title", "Sow corn")
    #expect(ada.run("import", "todo.txt") == .init(code: .done, output: Self.again, error: ""))
  }

  @Test func `Import: the second of two columns with the same meaning is reported as kept`() throws
  {
    let stage = Stage()
    try stage.put("Title,Title\na,b\n", as: "e.csv")
    let note =
      "daybook: line 1: the column 'Title 2' is kept as text; other columns take precedence.\n"
    let trial = stage.run("import", "e.csv", "-n")
    #expect(trial.error == note)
    #expect(trial.output.contains("column  Title 2  title, kept as text\n"))
    #expect(stage.run("import", "e.csv").error.hasSuffix(note))
  }

  @Test func `Import: a due instant has its time, so its day need not be reported`() throws {
    let stage = Stage()
    try stage.put(
      """
      {"uuid":"11111111-1111-4111-8111-111111111111","description":"a","status":"pending",\
      "due":"20261201T000000Z"}

      """, as: "tasks.json")
    #expect(stage.run("import", "tasks.json", "--zone", "-05:00", "-n").error == "")
    _ = stage.answer("import", "tasks.json", "--zone", "-05:00")
    #expect(stage.answer("list", "todos", "--plain").contains("2026-11-30 19:00"))
  }

  @Test(arguments: [
    ("e.csv", "Title,Done\n"), ("e.json", "[]\n"),
    ("e.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"),
  ])
  func `Import: an empty file exits 0, as the help says`(
    name: String, text: String
  ) throws {
    let stage = Stage()
    try stage.put(text, as: name)
    #expect(stage.run("import", name).code == .done)
    let help = stage.answer("help", "import").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(
      help.contains(
        "The exit code is 1 if a record was skipped, if the end of the file is missing, "
          + "or if a non-empty file yielded no records."
      ))
  }
}
