import Console
import Phrasing
import Platform
import Testing

/// Messages about imported and exported cards and calendars.
struct CardWordsTests {
  private func stage(_ text: String, as name: String) throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada"))
    try stage.disk.replace(Path("/home/ada/\(name)"), with: Array(text.utf8))
    return stage
  }

  @Test func `Import: skipped and changed properties of cards are reported`() throws {
    let people = """
      BEGIN:VCARD\r
      UID:u\r
      FN:Ann Same\r
      BDAY:1980-01-02\r
      BDAY:1980-01-03\r
      END:VCARD\r
      BEGIN:VCARD\r
      UID:u\r
      FN:Bea Other\r
      ORG;CHARSET=X-FOO:a\r
      BDAY:1981-03-04\r
      END:VCARD\r
      BEGIN:VCARD\r
      FN;CHARSET=X-FOO:c\r
      BDAY:1981-03-04\r
      END:VCARD\r

      """
    let stage = try stage(people, as: "contacts.vcf")
    #expect(
      stage.run("import", "contacts.vcf").error == """
        daybook: Made a new book in /home/ada/.local/share/daybook/default.
        daybook: BEGIN:VCARD no. 3 (line 13) skipped: FN cannot be read in the character set 'X-FOO'; convert the \
        file to UTF-8, for example with iconv, and import the result.
        daybook: BEGIN:VCARD no. 1 (line 1): BDAY:1980-01-03 is kept, but daybook does not act on it.
        daybook: BEGIN:VCARD no. 2 (line 7): ORG cannot be read in the character set 'X-FOO'; it is kept unchanged.
        daybook: BEGIN:VCARD no. 2 (line 7): its UID 'u' is used earlier in the file for something else, so \
        this became a separate record.

        """)
    let feed = """
      BEGIN:VCALENDAR\r
      NAME:Birthdays\r
      BEGIN:VEVENT\r
      SUMMARY:Carl †\r
      RRULE:FREQ=YEARLY\r
      DTSTART:20210222\r
      END:VEVENT\r
      BEGIN:VEVENT\r
      SUMMARY:Dora\r
      RRULE:FREQ=YEARLY\r
      DTSTART:20270222\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    try stage.disk.replace(Path("/home/ada/feed.ics"), with: Array(feed.utf8))
    #expect(
      stage.run("import", "feed.ics").error == """
        daybook: BEGIN:VEVENT no. 1 (line 3): 'Carl †' is the anniversary of a death, not a birthday, so it was left out.
        daybook: BEGIN:VEVENT no. 2 (line 8): the year 2027 is a placeholder, so it was left out.

        """)
  }

  @Test func `Export: cards keep the order of their file`() throws {
    let names = ["Zoe", "Ada", "Max", "Bob", "Ida", "Tim", "Eve"]
    let cards = names.map { "BEGIN:VCARD\r\nFN:\($0)\r\nBDAY:1815-12-10\r\nEND:VCARD\r\n" }
    let stage = try stage(cards.joined(), as: "contacts.vcf")
    _ = stage.run("import", "contacts.vcf")
    let written = stage.answer("export", "--format", "vcf").split(separator: "\r\n")
    #expect(written.filter { $0.hasPrefix("FN:") } == names.map { "FN:\($0)" })
  }

  @Test func `Export: cards keep their version unless another is requested`() throws {
    let cards = ["4.0", "3.0"].map {
      "BEGIN:VCARD\r\nVERSION:\($0)\r\nFN:Ada \($0)\r\nBDAY:1815-12-10\r\nEND:VCARD\r\n"
    }
    let stage = try stage(cards.joined(), as: "contacts.vcf")
    _ = stage.run("import", "contacts.vcf")
    func versions(_ words: String...) -> [String] {
      stage.run(["export", "--format", "vcf"] + words).output.split(separator: "\r\n")
        .filter { $0.hasPrefix("VERSION") }.map(String.init)
    }
    #expect(versions() == ["VERSION:4.0", "VERSION:3.0"])
    #expect(versions("--vcard3") == ["VERSION:3.0", "VERSION:3.0"])
    #expect(versions("--vcard4") == ["VERSION:4.0", "VERSION:4.0"])
    #expect(stage.run("export", "--vcard3", "--vcard4").code == .usage)
  }
}
