package import Domain

/// The settings for reading files from other programs.
package struct ForeignSettings: Sendable {
  /// The order of the numbers in a date such as 3/4/2026.
  package enum DateOrder: String, Sendable {
    case dayFirst = "dmy"
    case monthFirst = "mdy"
  }

  package var limits = Limits()
  /// The write-ahead log of a database, if there is one.
  package var writeAheadLog: [UInt8]?
  /// The name of the file, without folders.
  package var fileName: String?
  /// The offset of local time from UTC, in seconds, at an instant in milliseconds.
  package var localOffset: @Sendable (Int64) -> Int = { _ in 0 }
  /// Returns the offset of a time zone from UTC, as ``localOffset`` does for local time; nil if the zone is unknown.
  package var zoneOffset: @Sendable (String) -> (@Sendable (Int64) -> Int)? = { _ in nil }
  /// The time of the import, in milliseconds.
  ///
  /// A date of birth after this time is noted.
  package var now: Int64?
  package var dateOrder: DateOrder?
  /// Reads words that say how a to-do repeats, such as `every monday`; returns nil for other words.
  package var repeatPhrase: @Sendable (_ words: String, _ due: CivilDate?) -> ForeignRepeat? = {
    _, _ in nil
  }
  /// The program that wrote a table, if the user named it.
  package var program: CSVProgram?
  /// The meanings of a table's columns, if the user gave them.
  package var columnMeanings: [ColumnMeaning] = []
  /// Whether yearly events are read as birthdays even without any indication.
  package var takesEventsAsBirthdays = false
  /// Whether cards without a birthday are imported.
  package var takesAll = false
  /// Whether records that the other program has deleted are imported as deleted records.
  package var takesDeleted = false
  /// Whether the file takes precedence wherever it differs from the book.
  package var prefersFile = false

  package init() {}

  /// Returns the local day of an instant.
  package func localDay(of milliseconds: Int64) -> CivilDate? {
    let offset = Int64(localOffset(milliseconds)) * 1000
    let (sum, overflows) = milliseconds.addingReportingOverflow(offset)
    return overflows ? nil : CivilDate(ofInstant: sum)
  }

  /// Returns whether a name is that of a known time zone, or has the form of a name in the IANA database.
  func isZone(_ name: String) -> Bool {
    CalendarZone.name(name) == name || zoneOffset(name) != nil
  }

  /// The settings that affect the imported records, as text; with other settings, the same file is a different
  /// import.
  package var signature: String {
    let flags = [takesEventsAsBirthdays, takesAll, takesDeleted].map { $0 ? "1" : "0" }.joined()
    let table =
      [program?.name ?? ""] + columnMeanings.map(\.signature) + [prefersFile ? "file wins" : ""]
    return ([dateOrder?.rawValue ?? "", flags, "\(limits.records)"] + table.filter { !$0.isEmpty })
      .joined(separator: ",")
  }
}
