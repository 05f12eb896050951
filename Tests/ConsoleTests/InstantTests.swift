import Console
import Domain
import Phrasing
import Platform
import SimulatedPlatform
import Testing

struct InstantTests {
  @Test func `Instants: a time outside the calendar is shown as a number`() {
    #expect(Instant.text(0) == "1970-01-01T00:00:00Z")
    #expect(Instant.text(.max) == "9223372036854775807")
    #expect(Instant.text(.min) == "-9223372036854775808")
  }

  @Test(arguments: [-50_400, 0, 50_400])
  func `Instants: a local time outside the calendar is a number without a day`(offset: Int) {
    let timekeeper = SimulatedTimekeeper(now: Moment(milliseconds: .max))
    timekeeper.setLocalOffset(seconds: offset)
    for time in [Int64.min, .min + 1, -62_135_700_000_000, 253_402_400_000_000, .max - 1, .max] {
      #expect(timekeeper.localText(of: time) == "\(time)")
      #expect(timekeeper.localClock(of: time) == "\(time)")
      #expect(timekeeper.localDay(of: Moment(milliseconds: time)) == nil)
    }
    #expect(timekeeper.today == nil)
  }

  @Test func `Instants: the offset decides whether the first and last day are in range`()
    throws
  {
    let timekeeper = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    let (first, last) = (-62_135_596_800_000 as Int64, 253_402_300_799_999 as Int64)
    func told(_ offset: Int) -> [String] {
      timekeeper.setLocalOffset(seconds: offset)
      return [first, last].map(timekeeper.localText)
    }
    #expect(told(0) == ["0001-01-01 00:00", "9999-12-31 23:59"])
    #expect(told(3600) == ["0001-01-01 01:00", "\(last)"])
    #expect(told(-3600) == ["\(first)", "9999-12-31 22:59"])
    #expect(timekeeper.localClock(of: last) == "22:59")
    let day = try CivilDate(year: 9999, month: 12, day: 31)
    #expect(timekeeper.localDay(of: Moment(milliseconds: last)) == day)
  }
}
