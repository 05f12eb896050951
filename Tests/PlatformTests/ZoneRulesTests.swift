import Foundation
import Platform
import PosixPlatform
import SimulatedPlatform
import Testing

struct ZoneRulesTests {
  private static func moment(_ text: String) throws -> Moment {
    let date = try Date.ISO8601FormatStyle().parse(text)
    return Moment(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
  }

  @Test(
    "Zone rules: the offset changes at the moments of the rule, in the north and in the south",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T00:59:59Z", 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T01:00:00Z", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T00:59:59Z", 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T01:00:00Z", 3600),
      ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-12-31T23:59:59Z", 46_800),
      ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2027-01-01T00:00:00Z", 46_800),
      ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2027-04-03T13:59:59Z", 46_800),
      ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2027-04-03T14:00:00Z", 43_200),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-11-27T00:00:00Z", 39_600),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-07-01T00:00:00Z", 37_800),
      ("NST3:30NDT,M3.2.0,M11.1.0", "2026-07-01T00:00:00Z", -9_000),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-07-01T00:00:00Z", -3_600),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-01T00:00:00Z", 0),
      ("XXX0YYY,J60,J61", "2028-03-01T12:00:00Z", 3_600),
      ("XXX0YYY,59,60", "2028-02-29T12:00:00Z", 3_600),
      ("<+0545>-5:45", "1970-01-01T00:00:00Z", 20_700), ("UTC0", "9999-12-31T23:59:59Z", 0),
    ])
  func offsets(rule: String, time: String, offset: Int) throws {
    let zone = try #require(ZoneRules(posix: rule))
    #expect(zone.offsetSeconds(at: try Self.moment(time)) == offset)
  }

  @Test(
    "Zone rules: an invalid rule is refused",
    arguments: [
      "", "C", "CE0", "CET", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.1.0,M1.1.0",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J1", "CET-1 ", "<+1-1",
      "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1:60",
    ])
  func refusesRules(rule: String) {
    #expect(ZoneRules(posix: rule) == nil)
  }

  @Test func `Zone rules: times at the limits of the clock have an offset`() throws {
    let zone = try #require(ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
    for time in [Int64.min, .max] {
      #expect([3600, 7200].contains(zone.offsetSeconds(at: Moment(milliseconds: time))))
      _ = Moment.showing(Moment(milliseconds: time), offset: zone.offsetSeconds)
    }
  }

  @Test(
    "Zone rules: a skipped time uses the offset before, and a repeated one is the first",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T01:59:00Z", "2027-03-28T00:59:00Z"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T02:30:00Z", "2027-03-28T01:30:00Z"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T03:00:00Z", "2027-03-28T01:00:00Z"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T01:59:00Z", "2027-10-30T23:59:00Z"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T02:30:00Z", "2027-10-31T00:30:00Z"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T03:00:00Z", "2027-10-31T02:00:00Z"),
      ("EST5EDT,M3.2.0,M11.1.0", "2027-03-14T02:30:00Z", "2027-03-14T07:30:00Z"),
      ("EST5EDT,M3.2.0,M11.1.0", "2027-11-07T01:30:00Z", "2027-11-07T05:30:00Z"),
      // Here the clock is changed by half an hour.
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2027-10-03T02:15:00Z", "2027-10-02T15:45:00Z"),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2027-04-04T01:45:00Z", "2027-04-03T14:45:00Z"),
    ])
  func showing(rule: String, shown: String, instant: String) throws {
    let zone = try #require(ZoneRules(posix: rule))
    #expect(
      Moment.showing(try Self.moment(shown), offset: zone.offsetSeconds)
        == (try Self.moment(instant)))
  }

  @Test func `Zone files: a file without the format, or cut anywhere, is refused`() throws {
    #expect(ZoneRules(tzif: []) == nil)
    #expect(ZoneRules(tzif: Array("TZif2".utf8)) == nil)
    let path = "/usr/share/zoneinfo/Europe/Berlin"
    guard let data = FileManager.default.contents(atPath: path) else { return }
    let bytes = Array(data)
    #expect(ZoneRules(tzif: bytes) != nil)
    for count in 0..<bytes.count { #expect(ZoneRules(tzif: Array(bytes[..<count])) == nil) }
    for place in 0..<44 {
      var wrong = bytes
      wrong[place] = 0xFF
      // Any result is acceptable, but the program must not crash.
      _ = ZoneRules(tzif: wrong)
    }
  }

  @Test func `System zones: the zone files agree with the C library`() async {
    guard FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin") else {
      return
    }
    // The test runs in a separate process, because the time zone belongs to the whole process.
    await #expect(processExitsWith: .success) {
      let timekeeper = SystemTimekeeper()
      for name in ["Europe/Berlin", "Pacific/Auckland", "Asia/Kolkata", "America/St_Johns"] {
        unsafe setenv("TZ", name, 1)
        guard let zone = timekeeper.zone(named: name) else { preconditionFailure(name) }
        for day in 0..<15_000 {
          let moment = Moment(milliseconds: Int64(day) * 5 * 86_400_000 - 2_000_000_000_000)
          precondition(
            zone.offsetSeconds(at: moment) == timekeeper.localOffsetSeconds(at: moment), name)
        }
      }
    }
  }

  @Test(
    "System zones: a name that is not one of a zone opens no file",
    arguments: [
      "", "/etc/passwd", "../../../etc/passwd", "Europe/../Europe/Berlin", "Europe//Berlin",
      "Europe/", ".", "right/Europe/Berlin", "Mars/Olympus", "Europe/Berlin\n", "zone.tab",
      "Europe", String(repeating: "a", count: 5_000),
    ])
  func refusesNames(name: String) {
    #expect(SystemTimekeeper().zone(named: name) == nil)
  }

  @Test func `System zones: TZ determines a zone by a name or a rule`() {
    let timekeeper = SystemTimekeeper()
    for value in [
      "", ":", "UTC", "CET-1CEST", "<+03>-3", "CET-1CEST,M3.5.0,M10.5.0/3", "/etc/localtime",
    ] {
      #expect(timekeeper.knowsZone(value), "\(value)")
    }
    for value in ["Mars/Olympus", ":Mars/Olympus", "Nowhere", "Europe"] {
      #expect(!timekeeper.knowsZone(value), "\(value)")
    }
  }

  @Test func `Simulated zones: local time can follow a zone, and other names are unknown`() throws {
    let timekeeper = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    timekeeper.setLocalZone(named: "Europe/Berlin")
    #expect(timekeeper.localOffsetSeconds(at: try Self.moment("2027-07-01T00:00:00Z")) == 7200)
    #expect(timekeeper.localOffsetSeconds(at: try Self.moment("2027-01-01T00:00:00Z")) == 3600)
    timekeeper.setLocalOffset(seconds: -60)
    #expect(timekeeper.localOffsetSeconds(at: try Self.moment("2027-07-01T00:00:00Z")) == -60)
    #expect(timekeeper.zone(named: "Mars/Olympus") == nil)
    for name in SimulatedTimekeeper.zones.keys { #expect(timekeeper.zone(named: name) != nil) }
  }
}
