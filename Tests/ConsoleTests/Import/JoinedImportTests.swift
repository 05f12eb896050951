import Console
import Phrasing
import Testing

/// Repeated imports of records that have since been merged, deleted or erased.
struct JoinedImportTests {
  private static let card = """
    BEGIN:VCARD\r\nVERSION:3.0\r\nUID:x1\r\nN:Lee;Ann;;;\r\nFN:Ann Lee\r\nBDAY:1990-01-01\r
    EMAIL:ann@lee.org\r\nTEL:+123\r\nEND:VCARD\r

    """
  private static let calendar = """
    BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:y1\r\nSUMMARY:Ann Lee birthday\r
    DTSTART;VALUE=DATE:19900101\r\nRRULE:FREQ=YEARLY\r\nCATEGORIES:Birthday\r\nEND:VEVENT\r
    END:VCALENDAR\r

    """

  private static let imported = "Nothing to import: this file has already been imported"

  @Test(arguments: [false, true])
  func `Joined import: kept data of merged records survives a second import`(
    isReversed: Bool
  )
    throws
  {
    let stage = Stage()
    try stage.put(Self.card, as: "a.vcf")
    try stage.put(Self.calendar, as: "a.ics")
    _ = stage.answer("import", "a.vcf")
    _ = stage.answer("import", "a.ics")
    let listed = stage.answer("list", "birthdays", "--plain").split(separator: "\n").map {
      String($0.prefix { $0 != "\t" })
    }
    let ids = isReversed ? listed.reversed() : listed
    let joined = stage.answer("merge", ids[0], ids[1])
    // The record has the foreign properties of both, so no difference is reported.
    #expect(
      joined.split(separator: "\n").count == 1 && joined.hasSuffix(" Ann Lee.\n"), "\(joined)")
    try stage.put(Self.calendar.replacing("19900101", with: "19910101"), as: "b.ics")
    #expect(stage.answer("import", "b.ics").contains("edited 1"))
    _ = stage.answer("export", "-o", "out.vcf")
    let out = try stage.text(of: "out.vcf")
    for line in ["EMAIL:ann@lee.org\r\n", "TEL:+123\r\n", "BDAY:1991-01-01\r\n"] {
      #expect(out.contains(line), "\(out)")
    }
  }

  @Test func `Joined import: a file whose records are deleted is reported and exits 1`() throws {
    let stage = Stage()
    try stage.put(Self.card, as: "a.vcf")
    _ = stage.answer("import", "a.vcf")
    _ = stage.answer("delete", "Ann")
    let deleted = stage.run("import", "a.vcf")
    #expect(
      deleted.output
        == Self.imported + ", and 1 of its records has been deleted since.\n")
    #expect(deleted.code == .refused)
    _ = stage.answer("restore", "Ann")
    #expect(stage.run("import", "a.vcf").code == .done)
    _ = stage.answer("erase", "Ann", "--yes")
    let erased = stage.run("import", "a.vcf")
    #expect(
      erased.output
        == Self.imported + ", and 1 of its events has been erased since.\n")
    #expect(erased.code == .refused)
  }

  @Test
  func `Joined import: undoing an import that another device also made keeps its records`()
    throws
  {
    let stage = try Stage.pairOfTodos()
    try stage.put(Self.card, as: "a.vcf")
    _ = stage.answer("import", "a.vcf")
    _ = stage.answer("-C", "phone", "import", "a.vcf")
    stage.meet()
    let undone = stage.answer("undo")
    #expect(undone.contains("Undone: deleted one of the records merged into birthday"))
    #expect(undone.contains("which remains"))
    #expect(stage.answer("list", "birthdays").contains("Ann Lee"))
  }

  @Test func `Quiet: skipped and omitted data is still reported`() throws {
    let stage = Stage()
    try stage.put("Title,Due\na,2026-01-01,extra,more\nb\n", as: "r.csv")
    let told = stage.run("import", "r.csv", "-q")
    #expect(told.output == "")
    #expect(told.error.contains("line 2 skipped"))
    #expect(stage.run("export", "-o", "x.vcf", "-q").error.contains("left out"))
  }
}
