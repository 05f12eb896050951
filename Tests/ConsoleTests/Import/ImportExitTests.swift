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
    ("todos.csv", "Title,Due,Done\nA,2026-12-01,perhaps\nB,2026-12-02,perhaps\n"),
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
  func `Import exit: a partly imported or empty file exits 0`(
    name: String, text: String
  ) throws {
    let stage = try stage(text, as: name)
    #expect(stage.run("import", name, "-n").code == .done)
    #expect(stage.run("import", name).code == .done)
    #expect(stage.run("import", name).code == .done)
  }

  @Test func `Import exit: records that are unchanged or stay deleted exit 0`() throws {
    let stage = try stage("Title\nA\n", as: "todos.csv")
    _ = stage.answer("import", "todos.csv")
    try stage.disk.replace(Path("/home/ada/more.csv"), with: Array("Title,Due\nA,\n".utf8))
    #expect(stage.answer("import", "more.csv").contains("1 unchanged"))
    _ = stage.answer("delete", "A")
    try stage.disk.replace(Path("/home/ada/third.csv"), with: Array("Title,Note\nA,\n".utf8))
    #expect(stage.answer("import", "third.csv").contains("1 stays deleted here"))
  }

  @Test func `Import exit: up to three faults of a kind are listed, and more are counted`() throws {
    let rows = (1...3).map { "a\($0),maybe\($0)\n" } + ["b,no\n"]
    let stage = try stage("Title,Done\n" + rows.joined(), as: "todos.csv")
    #expect(
      stage.run("import", "todos.csv", "-n").error == """
        daybook: line 2 skipped: Done cannot be 'maybe1'.
        daybook: line 3 skipped: Done cannot be 'maybe2'.
        daybook: line 4 skipped: Done cannot be 'maybe3'.

        """)
    let more = "c,perhaps\nd\n,no\n"
    try stage.disk.replace(
      Path("/home/ada/more.csv"), with: Array(("Title,Done\n" + rows.joined() + more).utf8))
    #expect(
      stage.run("import", "more.csv", "-n").error == """
        daybook: 4 skipped (line 2, line 3, line 4, …): Done cannot be 'maybe1', and similar.
        daybook: line 8 skipped: a title is missing.

        """)
  }
}
