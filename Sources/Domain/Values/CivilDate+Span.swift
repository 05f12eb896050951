extension CivilDate {
  /// The packed dates that this date covers; nil without a year.
  ///
  /// A day covers only itself. A month or a year covers itself and all of its days.
  package var span: ClosedRange<Int64>? {
    guard year != nil else { return nil }
    if day != nil { return packed...packed }
    if month != nil { return packed...(packed + 31) }
    return packed...(packed + 12 * 32 + 31)
  }

  /// The last day that this date covers: the day itself, or the last day of a month or year; nil without a year.
  package var lastDay: CivilDate? {
    guard let year else { return nil }
    if day != nil { return self }
    let month = month ?? 12
    return CivilDate(valid: year, month, Self.days(inMonth: month, of: year))
  }
  /// The first day that this date covers: the day itself, or the first day of a month or year; nil without a year.
  package var firstDay: CivilDate? {
    guard let year else { return nil }
    return day != nil ? self : CivilDate(valid: year, month ?? 1, 1)
  }
}
