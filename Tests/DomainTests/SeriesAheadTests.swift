import Bytes
import Testing

@testable import Domain

/// The dates of a series after a current date that was not closed.
struct SeriesAheadTests {
  private static func date(_ text: String) throws -> CivilDate { try CivilDate.parse(text) }

  private func state(_ rule: String, due: String, until: String? = nil) throws -> SeriesState {
    let series = try Series(
      rule: try RepeatRule.reading(rule).0, due: Self.date(due),
      until: until.map { try Self.date($0) })
    return SeriesState(try #require(series), [])
  }

  @Test(
    "Dates ahead: the latest date that is due by a day",
    arguments: [
      ("FREQ=DAILY", "2026-01-01", nil, "2035-06-30", "2035-06-30"),
      ("FREQ=WEEKLY", "2026-11-26", nil, "2026-12-09", "2026-12-03"),
      ("FREQ=WEEKLY", "2026-11-26", nil, "2026-12-02", "2026-11-26"),
      ("FREQ=WEEKLY", "2026-11-26", nil, "2026-11-25", nil),
      ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-11-30", nil, "2027-03-01", "2027-02-28"),
      ("FREQ=YEARLY;INTERVAL=4", "2024-02-29", nil, "2035-01-01", "2032-02-29"),
      ("FREQ=DAILY", "2026-11-26", "2026-11-28", "2030-01-01", "2026-11-28"),
      ("FREQ=DAILY;COUNT=3", "2026-11-26", nil, "2030-01-01", "2026-11-28"),
      ("FREQ=DAILY;FROM=DONE", "2026-11-26", nil, "2026-12-24", "2026-11-26"),
    ] as [(String, String, String?, String, String?)])
  func latest(rule: String, due: String, until: String?, day: String, expected: String?) throws {
    let state = try state(rule, due: due, until: until)
    #expect(state.latest(dueBy: try Self.date(day))?.slot.iso == expected)
  }

  @Test func `Dates ahead: those before a slot are counted, and the next one follows`() throws {
    let state = try state("FREQ=WEEKLY", due: "2026-11-26", until: "2026-12-10")
    let latest = try #require(state.latest(dueBy: try Self.date("2026-12-09")))
    #expect(state.openDates(before: latest.slot) == 1)
    let next = try #require(state.following(latest))
    #expect((next.slot.iso, state.openDates(before: next.slot)) == ("2026-12-10", 2))
    #expect(state.following(next) == nil)
  }
}
