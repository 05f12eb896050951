import Phrasing
import Platform

/// A timekeeper whose wall clock does not move, while its monotonic clock runs.
struct FixedClock: Timekeeper {
  let moment: Moment
  let base: any Timekeeper

  func now() -> Moment { moment }
  func monotonicMilliseconds() -> Int64 { base.monotonicMilliseconds() }
  func localOffsetSeconds(at moment: Moment) -> Int { base.localOffsetSeconds(at: moment) }
  func zone(named name: String) -> ZoneRules? { base.zone(named: name) }
  func pause(microseconds: Int64) { base.pause(microseconds: microseconds) }
}

extension CommandEnvironment {
  /// The years 1 to 9999, the range of valid dates.
  private static let namedTimes: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// Returns a copy of this environment at the time in `DAYBOOK_NOW`.
  func atNamedTime() throws(ConsoleError) -> CommandEnvironment {
    guard let words = self[.now], !words.isEmpty else { return self }
    guard let moment = Int64(words).map(Moment.init(milliseconds:)) ?? Instant.parse(words),
      Self.namedTimes.contains(moment.milliseconds)
    else {
      throw .badValue("DAYBOOK_NOW", words, "Use an instant such as 2026-11-20T09:00:00Z.")
    }
    return with(FixedClock(moment: moment, base: machine.timekeeper))
  }

  /// Returns a copy of this environment with the memory budget in `DAYBOOK_MEMORY`.
  func withNamedMemory() throws(ConsoleError) -> CommandEnvironment {
    guard let words = self[.memory], !words.isEmpty else { return self }
    guard let mebibytes = UInt64(words), 1...1 << 40 ~= mebibytes else {
      throw .badValue("DAYBOOK_MEMORY", words, "Use a number of MiB such as 256.")
    }
    return with(memory: MemoryBudget(command: mebibytes << 20, serving: mebibytes << 20))
  }
}
