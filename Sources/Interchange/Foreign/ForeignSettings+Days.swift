internal import Domain

extension ForeignSettings {
  /// Returns the instant at which a local day begins, in milliseconds; nil unless the date is complete.
  func start(of day: CivilDate) -> Int64? { instant(of: day, minute: 0) }

  /// Returns the instant at which clocks here show a minute of a day, in milliseconds; nil unless the date is complete.
  func instant(of day: CivilDate, minute: Int64) -> Int64? {
    day.instant(atMinute: minute, localOffset)
  }

  /// The current local year, if the current time is known.
  var thisYear: Int? { now.flatMap(localDay)?.year }
}

extension ExportSettings {
  /// Returns the local day of an instant.
  func localDay(of milliseconds: Int64) -> CivilDate? {
    let (sum, overflows) = milliseconds.addingReportingOverflow(
      Int64(localOffset(milliseconds)) * 1000)
    return overflows ? nil : CivilDate(ofInstant: sum)
  }

  /// Returns whether an instant is not the beginning of a local day; if so, writing only its day would lose its time.
  func isWithinDay(_ milliseconds: Int64) -> Bool {
    localDay(of: milliseconds).flatMap(start) != milliseconds
  }

  /// Returns the instant at which a local day begins, in milliseconds; nil unless the date is complete.
  func start(of day: CivilDate) -> Int64? { day.instant(atMinute: 0, localOffset) }

  /// Returns the instant of a due date, in milliseconds; nil unless the date is complete.
  ///
  /// Without a time, the instant is the beginning of the day. A zone that this machine does not know counts as local.
  func due(_ day: CivilDate, minute: Int64?, zone: String?) -> Int64? {
    let zone = minute == nil ? nil : zone.flatMap(zoneOffset)
    return day.instant(atMinute: minute ?? 0, zone ?? localOffset)
  }
}

extension CivilDate {
  /// Returns the instant at which clocks with an offset from UTC show a minute of the day, in milliseconds; nil unless
  /// the date is complete.
  ///
  /// If clocks are put forward past that time, the offset before the change applies. If the time occurs twice, the
  /// first of the two instants is returned (RFC 5545, section 3.3.5).
  fileprivate func instant(atMinute minute: Int64, _ offset: (Int64) -> Int) -> Int64? {
    guard let epochDay else { return nil }
    let shown = Int64(epochDay) * 86_400_000 + minute * 60_000
    // No offset is as large as a day, so one offset applies before a change near that time, and the other after it.
    let instants = [-86_400_000, 86_400_000].map { shown - Int64(offset(shown + $0)) * 1000 }
    return instants.first { $0 + Int64(offset($0)) * 1000 == shown } ?? instants[0]
  }
}
