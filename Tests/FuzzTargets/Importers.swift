import Bytes
import Domain
import Interchange

/// Files of other programs, and their import into a book.
enum Importers {
  /// The first byte gives the format, and the second gives the settings.
  ///
  /// The file follows.
  static func take(_ bytes: [UInt8]) throws(Violation) {
    guard bytes.count > 2 else { return }
    let format = FileFormat.allCases[Int(bytes[0]) % FileFormat.allCases.count]
    let file = Array(bytes[2...])
    _ = FileFormat.recognise(file, name: nil)
    guard format != .operations else { return try takeOperations(file) }
    var settings = ForeignSettings()
    settings.dateOrder = [nil, .dayFirst, .monthFirst, nil][Int(bytes[1]) & 3]
    settings.takesEventsAsBirthdays = bytes[1] & 4 != 0
    settings.takesAll = bytes[1] & 8 != 0
    settings.takesDeleted = bytes[1] & 16 != 0
    let read: ForeignFile
    do throws(ForeignFault) { read = try format.read(file, settings) } catch { return }
    var book = ImportingBook()
    _ = try book.take(ForeignMerge(read) { _ in false })
    let news = try book.take(ForeignMerge(read) { _ in false })
    // If a file has several versions of a record, each import applies them in turn, so a second import also has
    // changes.
    let names = Set(read.records.map { "\($0.kind.rawValue) \($0.uid)" })
    try demand(
      news == 0 || names.count < read.records.count, "a second import of a file changes nothing")
    // Text formats cannot represent control characters, so a title that consists only of these is lost.
    guard !file.contains(where: { $0 < 0x20 && ![0x09, 0x0a, 0x0d].contains($0) }) else { return }
    for format in FileFormat.written { try takeBack(format, settings, book) }
  }

  private static func takeOperations(_ file: [UInt8]) throws(Violation) {
    for line in file.split(separator: 0x0a) {
      guard let operation = try? Operation(line: Array(line)) else { continue }
      let again = try? Operation(line: Array(operation.line.utf8))
      try demand(again == operation, "an operation is read back unchanged")
    }
    var book = ImportingBook()
    _ = try book.take(OperationLines(file))
  }

  /// Checks that the export of a book can be read without skipping any record.
  private static func takeBack(
    _ format: FileFormat, _ settings: ForeignSettings, _ book: ImportingBook
  ) throws(Violation) {
    // Operations are exported by other code, and an export without records need not be a valid file.
    guard
      let written = try? format.write(
        ExportContents(book.records), ExportSettings(now: 1_795_176_000_000)),
      written.count > 0
    else { return }
    let file: ForeignFile
    do throws(ForeignFault) { file = try format.read(written.bytes, settings) } catch {
      throw Violation(rule: "an export as \(format) can be read: \(error)")
    }
    try demand(file.skipped == [], "an export as \(format) is read completely: \(file.skipped)")
  }
}

/// A book in memory that imports files.
private struct ImportingBook {
  private(set) var records = Records()
  private var sequence: UInt64 = 0

  /// Carries out the operations of a source, and returns the number of written events.
  mutating func take(_ source: some ImportSource) throws(Violation) -> Int {
    let start = sequence
    var source = source
    let planner = OperationPlanner(keepsUIDs: true, importer: source.importer)
    for place in 0..<min(source.count, 200) {
      do throws(OperationFault) {
        var step = try source.step(at: place, on: records)
        if case .disputed(let inner, _) = step { step = inner }
        if case .noted(let operation) = step { step = .operations([operation], main: 0) }
        guard case .operations(let operations, _) = step else { continue }
        for operation in operations { try carryOut(operation, planner) }
      } catch {
        // A record that breaks a rule of the book is skipped.
        continue
      }
    }
    return Int(sequence - start)
  }

  private mutating func carryOut(
    _ operation: Operation, _ planner: OperationPlanner
  ) throws(OperationFault) {
    let first = sequence + 1
    for draft in try planner.plan(operation, on: records) {
      sequence += 1
      let body = draft.resolved { EventKey(log: 0, sequence: first + UInt64($0)) }
      records.apply(
        Fact(
          key: EventKey(log: 0, sequence: sequence), time: Int64(sequence), when: operation.time,
          hash: UniqueID(high: 78, low: sequence), body: body))
    }
  }
}
