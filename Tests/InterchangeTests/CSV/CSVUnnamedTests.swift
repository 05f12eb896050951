import Domain
import Interchange
import Testing

/// Values in tables that are ambiguous or have no counterpart here.
struct CSVUnnamedTests {
  private func read(
    _ text: String, format: FileFormat = .csv, offset: Int = 0
  ) throws -> ForeignFile {
    var settings = ForeignSettings()
    settings.localOffset = { _ in offset }
    return try format.read(Array(text.utf8), settings)
  }

  @Test func `Import notes: numeric priorities rank from 1 and are reported`() throws {
    let file = try read("Title,Priority\na,1\nb,2\nc,3\n")
    #expect(
      file.records.map { $0.fields[Field.Todo.priority] }
        == [Priority.high, .normal, .low].map { .value(.integer($0.rawValue)) })
    #expect(
      file.remarks.map(\.note) == [
        .changed(field: "Priority", "1", to: "high"),
        .changed(field: "Priority", "2", to: "normal"),
        .changed(field: "Priority", "3", to: "low"),
      ])
    #expect(try read("Name,priorityNum,isComplete\na,2,0\n").remarks.map(\.note) == [])
  }

  @Test func `Import notes: a company gets its name, and a birthday without a name is skipped`()
    throws
  {
    let header = "First Name,Last Name,Organization Name,Birthday\n"
    let file = try read(header + ",,Acme,1999-11-27\n,,,1999-11-28\n")
    #expect(file.records.map { $0.fields[Field.Birthday.firstName] } == [.value(.text("Acme"))])
    #expect(file.skipped.map(\.fault) == [.missing("a name")])
    let people = try read("First Name,Last Name,Phone,Birthday\nAda,Lovelace,1,--12-10\n,,2,\n")
    #expect(people.records.count == 1 && people.skipped.isEmpty)
  }

  @Test(arguments: [
    (0, "2026-12-01", true), (13 * 3600, "2026-12-02", false), (-11 * 3600, "2026-12-01", false),
  ])
  func `Import notes: an all-day instant is the local day, reported if ambiguous`(
    offset: Int, day: String, isNamed: Bool
  ) throws {
    let file = try read(
      "List Name,Kind,taskId,Title,Due Date,Is All Day\n"
        + "L,TEXT,1,a,2026-12-01T11:00:00+0000,true\n", offset: offset)
    #expect(file.records.first?.fields[Field.Todo.due] == .value(.date(try CivilDate.parse(day))))
    #expect(file.remarks.contains { if case .changed = $0.note { true } else { false } } == isNamed)
  }

  @Test func `Import notes: a due day in seconds is reported with its date`() throws {
    let file = try read("Title,Due\na,1764547200\n")
    #expect(
      file.remarks.map(\.note) == [.changed(field: "Due", "1764547200", to: "2025-12-01")])
  }

  @Test func `Import notes: properties without effect are reported`() throws {
    let calendar = """
      BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:a\r\n\
      STATUS:IN-PROCESS\r\nPERCENT-COMPLETE:40\r\nDTSTART;VALUE=DATE:20261201\r\nDURATION:P1D\r\n\
      END:VTODO\r\nEND:VCALENDAR\r\n
      """
    #expect(
      try read(calendar, format: .iCalendar).remarks.map(\.note) == [
        .notActedOn("DURATION:P1D"),
        .notActedOn("STATUS:IN-PROCESS"), .notActedOn("PERCENT-COMPLETE:40"),
      ])
    #expect(
      try read("Pay due:2026-12-40\n", format: .todoTxt).remarks.map(\.note)
        == [.keptAsWritten(field: "due", "2026-12-40")])
  }
}
