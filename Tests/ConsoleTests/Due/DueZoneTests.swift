import Bytes
import Console
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel
import SimulatedPlatform
import Testing

/// Due times in zones, shortly after 2026-11-20T09:00:00Z.
struct DueZoneTests {
  private static let start: Int64 = 1_795_165_200_000

  /// The instant of a to-do, and the day and time here.
  private func due(
    _ stage: Stage, _ when: String, _ zone: String
  ) throws -> (instant: JSON?, row: String) {
    _ = stage.answer("add", "todo", "Call", "--due", when, "--due-zone", zone)
    let records = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8)).array
    let row = stage.answer("list", "todos")
    let date = row.firstRange(of: "due ").map { row[$0.upperBound...].dropFirst(4).prefix(16) }
    return (records?.first?["dueAt"], String(date ?? ""))
  }

  @Test(
    "Zones: an instant follows from the time in the zone",
    arguments: [
      ("2026-11-27 17:00", "Europe/Berlin", "2026-11-27T16:00:00Z"),
      ("2027-07-01 17:00", "Europe/Berlin", "2027-07-01T15:00:00Z"),
      ("2026-11-27 17:00", "Asia/Kolkata", "2026-11-27T11:30:00Z"),
      ("2026-11-27 17:00", "Asia/Kathmandu", "2026-11-27T11:15:00Z"),
      ("2026-11-27 17:00", "America/St_Johns", "2026-11-27T20:30:00Z"),
      ("2026-11-27 17:00", "Australia/Lord_Howe", "2026-11-27T06:00:00Z"),
      // The clock skips this time: the offset before applies.
      ("2027-03-28 02:30", "Europe/Berlin", "2027-03-28T01:30:00Z"),
      // This time comes twice: the first one counts.
      ("2027-10-31 02:30", "Europe/Berlin", "2027-10-31T00:30:00Z"),
    ])
  func instants(when: String, zone: String, instant: String) throws {
    #expect(try due(Stage(), when, zone).instant == .string(instant))
  }

  @Test(
    "Zones: a local time that is skipped or repeated is found in the same way",
    arguments: [
      ("2027-03-28 02:30", "2027-03-28T01:30:00Z", "2027-03-28 03:30"),
      ("2027-10-31 02:30", "2027-10-31T00:30:00Z", "2027-10-31 02:30"),
    ])
  func localTimes(when: String, instant: String, shown: String) throws {
    let stage = Stage()
    stage.machine.timekeeper.setLocalZone(named: "Europe/Berlin")
    #expect(try due(stage, when, "none") == (.string(instant), shown))
  }

  @Test func `Zones: the receipt names the time that clocks show instead of a skipped one`() {
    let stage = Stage()
    stage.machine.timekeeper.setLocalZone(named: "Europe/Berlin")
    #expect(
      stage.answer("add", "todo", "Call", "--due", "2027-03-28 02:30").contains(
        "due Sun 2027-03-28 02:30 (here Sun 2027-03-28 03:30, in 4 months)"))
  }

  @Test func `Zones: a time across the date line is shown and filtered by the local day`() throws {
    let stage = Stage()
    // Here it is still Thursday, 19 November.
    stage.machine.timekeeper.setLocalZone(named: "Pacific/Honolulu")
    #expect(
      stage.answer(
        "add", "todo", "Call", "--due", "2026-11-21 09:00", "--due-zone", "pacific/auckland"
      ).hasSuffix(
        " Call, due Sat 2026-11-21 09:00 Pacific/Auckland (here Fri 2026-11-20 10:00, tomorrow).\n")
    )
    #expect(stage.answer("list", "todos").hasSuffix("due Fri 2026-11-20 10:00 (tomorrow)\n"))
    for (day, count) in [
      ("2026-11-19", 0), ("2026-11-20", 1), ("2026-11-21", 0), ("..2026-11-20", 1),
      ("2026-11-21..", 0), ("2026-11", 1),
    ] {
      let lines = stage.answer("list", "todos", "--due", day).split(separator: "\n")
      #expect(lines.count == count, "\(day)")
    }
    let instant = Self.start + 11 * 3_600_000
    stage.machine.timekeeper.set(Moment(milliseconds: instant - 60_000))
    #expect(stage.answer("list", "todos", "--overdue") == "")
    #expect(stage.answer("list", "todos", "--overdue").contains("Call"))
  }

  @Test func `Zones: a zone that this device does not know is shown, and its time is local`() throws
  {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Call", "--due", "tomorrow 17:00")
    let folder = Path("/home/ada/.local/share/daybook/default")
    let book = try Book(at: folder, on: stage.machine.machine, view: .memory)
    _ = try book.commands.perform(
      .edit(
        try book.finder.find("call").id,
        [.init(Field.Todo.zone, .value(.text("Mars/Olympus")))]))
    #expect(
      stage.answer("list", "todos")
        .hasSuffix("due Sat 2026-11-21 17:00 Mars/Olympus (tomorrow)\n"))
    #expect(stage.answer("show", "call").contains("Mars/Olympus"))
    #expect(
      stage.answer("list", "todos", "--json").contains(#""dueAt": "2026-11-21T17:00:00Z""#))
    #expect(stage.answer("edit", "call", "--due-zone", "none").contains("17:00 (tomorrow)"))
  }

  @Test(
    "Zones: a name is found in any case, and UTC is a zone",
    arguments: [
      ("europe/berlin", "Europe/Berlin"), ("AMERICA/NEW_YORK", "America/New_York"),
      ("utc", "UTC"),
    ])
  func names(words: String, name: String) {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Call", "--due", "fri 17:00", "--due-zone", words)
    #expect(stage.answer("show", "call").contains(name))
  }

  @Test func `Zones: an exported task is due at the instant, and comes back in its zone`() throws {
    let stage = Stage()
    stage.machine.timekeeper.setLocalZone(named: "Europe/Berlin")
    _ = stage.answer(
      "add", "todo", "Call", "--due", "2026-12-01 09:00", "--due-zone", "Asia/Tokyo")
    _ = stage.answer("export", "-o", "tasks.json")
    #expect(try stage.text(of: "tasks.json").contains(#""due":"20261201T000000Z""#))
    _ = stage.answer("-C", "other", "import", "tasks.json")
    let answer = stage.answer("-C", "other", "list", "todos", "--json")
    let told = try JSON(parsing: Array(answer.utf8)).array?.first
    let names = ["due", "dueTime", "zone", "dueAt"]
    #expect(
      names.map { told?[$0]?.string }
        == ["2026-12-01", "09:00", "Asia/Tokyo", "2026-12-01T00:00:00Z"])
  }
}
