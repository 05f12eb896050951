internal import Domain

extension ForeignSettings {
  /// Returns the instant at which a local day begins, in milliseconds; nil unless the date is complete.
  func start(of day: CivilDate) -> Int64? { day.start(localOffset) }

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

  /// Returns whether an instant is not the beginning of a local day, so writing only its day would lose its
  /// time.
  func isWithinDay(_ milliseconds: Int64) -> Bool {
    localDay(of: milliseconds).flatMap(start) != milliseconds
  }

  /// Returns the instant at which a local day begins, in milliseconds; nil unless the date is complete.
  func start(of day: CivilDate) -> Int64? { day.start(localOffset) }
}

extension CivilDate {
  fileprivate func start(_ localOffset: (Int64) -> Int) -> Int64? {
    guard let epochDay else { return nil }
    let start = Int64(epochDay) * 86_400_000
    return start - Int64(localOffset(start)) * 1000
  }
}
