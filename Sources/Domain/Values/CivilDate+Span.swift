extension CivilDate {
  /// The dates that lie in it, as numbers: a day is itself, a month and a year are all their days and also
  /// themselves; nil without a year.
  package var span: ClosedRange<Int64>? {
    guard year != nil else { return nil }
    if day != nil { return packed...packed }
    if month != nil { return packed...(packed + 31) }
    return packed...(packed + 12 * 32 + 31)
  }

  /// The last day that lies in it: a day itself, and the last one of a month or a year; nil without a year.
  package var lastDay: CivilDate? {
    guard let year else { return nil }
    if day != nil { return self }
    let month = month ?? 12
    return CivilDate(valid: year, month, Self.days(inMonth: month, of: year))
  }
}
