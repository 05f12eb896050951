import Domain
import Testing

struct ReminderLeadTests {
  @Test(
    "Lead times: minutes, hours, days and weeks are read, longest first and each once",
    arguments: [
      (["0"], ["0"]), (["1d", "2h", "0"], ["1d", "2h", "0"]),
      (["15m", " 1W", "2H"], ["1w", "2h", "15m"]),
      (["60m", "1h"], ["60m"]), (["24h", "7d", "1d", "1w"], ["7d", "24h", "1d"]),
      (["0d", "0"], ["0"]), (["none"], ["none"]), (["NONE "], ["none"]),
      (["366d"], ["366d"]), (["527040m"], ["527040m"]), (["1 d"], ["1d"]),
      (["15min", "2 hours"], ["2h", "15m"]), (["15 Minuten", "1 Woche"], ["1w", "15m"]),
      (["3天", "15分钟"], ["3d", "15m"]),
    ])
  func reads(words: [String], stored: [String]) {
    #expect(ReminderLeads(words)?.words == stored)
  }

  @Test(
    "Lead times: anything else is refused",
    arguments: [
      [], [""], ["1"], ["-1d"], ["d"], ["1y"], ["1d", "soon"], ["none", "1d"], ["367d"], ["53w"],
      ["1.5h"], ["１d"], ["9999999m"], ["+1d"], ["1 day ago"],
    ])
  func refuses(words: [String]) {
    #expect(ReminderLeads(words) == nil)
  }

  @Test func `Lead times: a stored word of a newer program is ignored`() {
    #expect(ReminderLeads(stored: ["1d", "at sunrise"])?.words == ["1d"])
    #expect(ReminderLeads(stored: ["at sunrise"]) == nil)
    #expect(ReminderLeads(stored: []) == nil)
    #expect(ReminderLeads(stored: ["none"])?.leads == [])
  }

  @Test func `Lead times: minutes become the largest unit up to days that is exact`() {
    let leads = [0, 1, 90, 120, 1440, 10_080, 527_040].map { ReminderLead(minutes: $0)?.text }
    #expect(leads == ["0", "1m", "90m", "2h", "1d", "7d", "366d"])
    #expect([-1, -1440, 527_041].map { ReminderLead(minutes: $0) } == [nil, nil, nil])
  }

  @Test func `Lead times: days are counted on the calendar, and hours on the clock`() throws {
    let parts = try ["0", "15m", "2h", "1d", "2w"].map { word in
      try #require(ReminderLead(word)).parts
    }
    #expect(parts.map(\.days) == [0, 0, 0, 1, 14])
    #expect(parts.map(\.minutes) == [0, 15, 120, 0, 0])
  }
}
