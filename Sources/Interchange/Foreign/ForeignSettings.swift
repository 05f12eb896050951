package import Domain

/// How files of other programs are to be read.
package struct ForeignSettings: Sendable {
  /// In which order numbers stand in a date such as 3/4/2026.
  package enum DateOrder: String, Sendable {
    case dayFirst = "dmy"
    case monthFirst = "mdy"
  }

  package var limits = Limits()
  /// The write-ahead log that lies beside a database, if there is one.
  package var writeAheadLog: [UInt8]?
  /// What the file is called, without folders.
  package var fileName: String?
  /// Seconds that local time is ahead of UTC at an instant in milliseconds.
  package var localOffset: @Sendable (Int64) -> Int = { _ in 0 }
  /// When it is read, in milliseconds; a date that lies behind it is nobody's date of birth.
  package var now: Int64?
  package var dateOrder: DateOrder?
  /// The program that wrote a table, where that is said.
  package var program: CSVProgram?
  /// What columns of a table stand for, where that is said.
  package var columnMeanings: [ColumnMeaning] = []
  /// Whether yearly events are birthdays though nothing says so.
  package var takesEventsAsBirthdays = false
  /// Whether cards without a birthday are taken.
  package var takesAll = false
  /// Whether what its program has deleted is taken, as deleted.
  package var takesDeleted = false
  /// Whether what the file says counts wherever the book has something else.
  package var prefersFile = false

  package init() {}

  /// The local day of an instant.
  package func localDay(of milliseconds: Int64) -> CivilDate? {
    let offset = Int64(localOffset(milliseconds)) * 1000
    let (sum, overflows) = milliseconds.addingReportingOverflow(offset)
    return overflows ? nil : CivilDate(ofInstant: sum)
  }

  /// What of them decides about what a file comes to: other settings make another import of it.
  package var signature: String {
    let flags = [takesEventsAsBirthdays, takesAll, takesDeleted].map { $0 ? "1" : "0" }.joined()
    let table =
      [program?.name ?? ""] + columnMeanings.map(\.signature) + [prefersFile ? "file wins" : ""]
    return ([dateOrder?.rawValue ?? "", flags, "\(limits.records)"] + table.filter { !$0.isEmpty })
      .joined(separator: ",")
  }
}
