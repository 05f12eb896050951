internal import Domain

/// Reads tables of birthdays, to-dos or questions, whose columns are recognised by their headers.
enum CSVReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let (text, encoding) = ForeignText.decode(bytes)
    guard let header = try CSVHeader.find(in: text, settings) else { return ForeignFile(.csv) }
    var rows = CSVRows(header, settings)
    if encoding == .windows1252 {
      rows.file.remark(.line(1), .readAs(encoding: encoding.rawValue))
    }
    var table = header.table
    while rows.file.records.count <= settings.limits.records, let row = table.next() {
      // An unclosed quotation is found only at the end of the table. The row in which it begins is ignored.
      if table.openQuote == nil { rows.take(row) }
    }
    rows.finish()
    if let line = table.openQuote {
      rows.file.skip(.line(line), .broken("a quotation mark is never closed"))
    }
    return rows.file
  }
}
