import Platform

/// A timekeeper with a fixed offset from UTC.
struct FixedZone: Timekeeper {
  let offsetSeconds: Int
  let base: any Timekeeper

  func now() -> Moment { base.now() }
  func monotonicMilliseconds() -> Int64 { base.monotonicMilliseconds() }
  func localOffsetSeconds(at moment: Moment) -> Int { offsetSeconds }
  func zone(named name: String) -> ZoneRules? { base.zone(named: name) }
  func pause(microseconds: Int64) { base.pause(microseconds: microseconds) }

  /// Parses an offset from UTC, such as `+02:00`, `-0330`, `+5` or `utc`, into seconds.
  static func seconds(_ words: String) -> Int? {
    if ["utc", "z", "gmt"].contains(words.lowercased()) { return 0 }
    let digits = words.dropFirst().filter { $0 != ":" }
    let padded = digits.count <= 2 ? digits + "00" : digits
    guard let sign = words.first, "+-".contains(sign), padded.count <= 4,
      padded.allSatisfy({ $0.isASCII && $0.isNumber }),
      let number = Int(padded), number / 100 <= 15, number % 100 < 60
    else { return nil }
    return (number / 100 * 60 + number % 100) * 60 * (sign == "-" ? -1 : 1)
  }
}

extension CommandEnvironment {
  /// Returns a copy of this environment in the zone given with `--zone`.
  func inZone(_ words: String?) throws(ConsoleError) -> CommandEnvironment {
    guard let words else { return self }
    guard let seconds = FixedZone.seconds(words) else {
      throw .badValue(
        "the zone", words, "Use an offset such as +02:00, or set TZ for this command.")
    }
    return with(FixedZone(offsetSeconds: seconds, base: machine.timekeeper))
  }
}
