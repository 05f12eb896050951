import Foundation
import Testing

/// The local day that the real program uses in time zones from the farthest behind UTC to the farthest ahead of it.
///
/// A statically linked program has no time zones from Foundation; it uses the C library, like every other build.
@Suite(.enabled(if: Program.path != nil, "the program was not built beside the tests"))
struct ZoneTests {
  struct Place: Sendable, CustomTestStringConvertible {
    let zone: String
    let now: String
    let day: String

    init(_ zone: String, _ now: String, _ day: String) {
      (self.zone, self.now, self.day) = (zone, now, day)
    }

    var testDescription: String { "\(zone) at \(now)" }
  }

  static let places = [
    Place("UTC0", "2026-11-24T23:59:59Z", "2026-11-24"),
    Place("UTC0", "2026-11-25T00:00:00Z", "2026-11-25"),
    // In POSIX, zones west of Greenwich have a plus sign.
    Place("XXX+11", "2026-11-24T10:59:59Z", "2026-11-23"),
    Place("XXX+11", "2026-11-24T11:00:00Z", "2026-11-24"),
    Place("XXX-14", "2026-11-24T09:59:59Z", "2026-11-24"),
    Place("XXX-14", "2026-11-24T10:00:00Z", "2026-11-25"),
    Place("XXX-5:45", "2026-11-24T18:14:59Z", "2026-11-24"),
    Place("XXX-5:45", "2026-11-24T18:15:00Z", "2026-11-25"),
    // The days on which the clock is put forward and back.
    Place("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-27T22:59:59Z", "2027-03-27"),
    Place("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-27T23:00:00Z", "2027-03-28"),
    Place("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T21:59:59Z", "2027-03-28"),
    Place("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T22:00:00Z", "2027-03-29"),
    Place("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T22:59:59Z", "2027-10-31"),
    Place("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T23:00:00Z", "2027-11-01"),
  ]

  /// Zones by name, which need time zone files.
  static let named = [
    Place("Pacific/Pago_Pago", "2026-11-24T10:59:59Z", "2026-11-23"),
    Place("Pacific/Pago_Pago", "2026-11-24T11:00:00Z", "2026-11-24"),
    Place("Pacific/Kiritimati", "2026-11-24T09:59:59Z", "2026-11-24"),
    Place("Pacific/Kiritimati", "2026-11-24T10:00:00Z", "2026-11-25"),
  ].filter { FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/\($0.zone)") }

  @Test(arguments: places + named)
  func `Time zones: the day is the local day`(place: Place) throws {
    let program = try Program()
    defer { try? program.remove() }
    func run(_ words: String...) throws -> String {
      let pipe = Pipe()
      let process = try program.process(words, output: pipe)
      process.environment?["TZ"] = place.zone
      process.environment?["DAYBOOK_NOW"] = place.now
      try process.run()
      let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try run("add", "todo", "Mop", "--due", place.day).contains("(today)"))
    #expect(try run("add", "birthday", "Ada", "1815\(place.day.dropFirst(4))").contains(" today)"))
    #expect(try run("--json").contains("\"date\": \"\(place.day)\""))
    // At midnight, birthdays wait until eight, except for their earlier lead times, and to-dos until nine.
    let isLate = place.now.hasSuffix(":59Z")
    #expect(try run("remind").split(separator: "\n").count == (isLate ? 2 : 1))
  }
}
