/// The offsets of a time zone from UTC, now and in the past.
public struct ZoneRules: Hashable, Sendable {
  /// The times at which the offset changes, in seconds since 1970, in ascending order.
  private let changes: [Int64]
  /// The offset before the first change, and after each change.
  private let offsets: [Int]
  /// The rule after the last change; nil if the last offset remains.
  private let rule: ZoneRule?

  /// Creates a zone without a history from a POSIX `TZ` string, such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil if the string
  /// is invalid.
  public init?(posix text: String) {
    guard let rule = ZoneRule(text) else { return nil }
    (changes, offsets, self.rule) = ([], [0], rule)
  }

  /// Reads a file in the Time Zone Information Format of RFC 9636; nil if the file is invalid.
  public init?(tzif bytes: [UInt8]) {
    guard let file = ZoneFile(bytes) else { return nil }
    (changes, offsets) = (file.changes, file.offsets)
    guard let footer = file.footer, !footer.isEmpty else {
      rule = nil
      return
    }
    guard let rule = ZoneRule(footer) else { return nil }
    self.rule = rule
  }

  /// Returns the offset from UTC at the given time, in seconds; positive values are east of UTC.
  public func offsetSeconds(at moment: Moment) -> Int {
    let time = moment.wholeSeconds
    // The number of changes that are not later than the given time.
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= time { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let rule {
      // A year beyond this range is not in any calendar, so the offset of the nearest year in the range is used.
      return rule.offset(at: min(max(time, -1_000_000_000_000), 1_000_000_000_000))
    }
    return offsets[low]
  }
}

extension Moment {
  /// The seconds since 1970, rounded down.
  package var wholeSeconds: Int64 {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return rest < 0 ? seconds - 1 : seconds
  }

  /// Returns the moment at which clocks show a time, which is given as the moment at which clocks in UTC show it.
  ///
  /// If the clock is put forward past that time, the offset before the change applies. If the clock is set back and the
  /// time occurs twice, the first occurrence is used (RFC 5545, section 3.3.5).
  package static func showing(_ local: Moment, offset: (Moment) -> Int) -> Moment {
    func moved(_ moment: Moment, by milliseconds: Int64) -> Moment {
      let (sum, overflows) = moment.milliseconds.addingReportingOverflow(milliseconds)
      return overflows ? moment : Moment(milliseconds: sum)
    }
    // No offset is as large as a day, so one of these offsets applies before a change near that time, and the other
    // after it.
    let offsets = [-86_400_000, 86_400_000].map { offset(moved(local, by: $0)) }
    let moments = offsets.map { moved(local, by: Int64($0) * -1000) }
    // Where a time occurs twice, the offset before the change is the larger one, so its moment is the first.
    for (moment, expected) in zip(moments, offsets) where offset(moment) == expected {
      return moment
    }
    return moments[0]
  }
}
