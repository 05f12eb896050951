internal import Domain

extension ForeignSettings {
  /// When a day begins here, in milliseconds; nil unless all its parts are known.
  func start(of day: CivilDate) -> Int64? { day.start(localOffset) }

  /// The year it is here, if that is known.
  var thisYear: Int? { now.flatMap(localDay)?.year }
}

extension ExportSettings {
  /// The day of an instant here.
  func localDay(of milliseconds: Int64) -> CivilDate? {
    let (sum, overflows) = milliseconds.addingReportingOverflow(
      Int64(localOffset(milliseconds)) * 1000)
    return overflows ? nil : CivilDate(ofInstant: sum)
  }

  /// Whether an instant is not the beginning of a day here, so that its day alone says less.
  func isWithinDay(_ milliseconds: Int64) -> Bool {
    localDay(of: milliseconds).flatMap(start) != milliseconds
  }

  /// When a day begins here, in milliseconds; nil unless all its parts are known.
  func start(of day: CivilDate) -> Int64? { day.start(localOffset) }
}

extension CivilDate {
  fileprivate func start(_ localOffset: (Int64) -> Int) -> Int64? {
    guard let epochDay else { return nil }
    let start = Int64(epochDay) * 86_400_000
    return start - Int64(localOffset(start)) * 1000
  }
}
