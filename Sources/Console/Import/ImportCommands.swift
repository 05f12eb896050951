import Bytes
import Crypto
import Daybook
import Domain
import Interchange
import Platform
import ReadModel

enum ImportCommands {
  static let importing = CommandSpec(
    "import",
    "Import a file from this or another program; '-' is standard input. Importing a file again changes nothing. "
      + "Values that cannot be read are kept as text or reported with their line numbers. "
      + "The exit code is 1 if a record was skipped, if the end of the file is missing, "
      + "or if a non-empty file yielded no records.",
    option(
      "format", "FORMAT",
      "One of \(FileFormat.allCases.map(\.rawValue).joined(separator: ", ")); "
        + "by default, detected from the content or name."),
    text("FILE|-"), flag("dry-run", "Show what would be done without doing it.", letter: "n"),
    flag("strict", "Import all records or none."),
    flag("no-uids", "Discard the source ids of operations."),
    option(
      "as", "PROGRAM",
      "The program that wrote the CSV, one of \(CSVProgram.all.map(\.name).joined(separator: ", ")); "
        + "by default, detected from the header."),
    options(
      "map", "COLUMN=FIELD",
      "The field of a CSV column, as in 'Card Name=title'; if nothing follows the =, the column is ignored. "
        + "FIELD is one of \(ColumnMeaning.fields.joined(separator: ", "))."),
    option("dates", "ORDER", "The meaning of 3/4/2026: dmy for 3 April, mdy for 4 March."),
    flag("birthdays", "Import all yearly events in a calendar as birthdays."),
    flag("all", "Also import people without a birthday."),
    flag("deleted", "Also import records that the other program deleted, as deleted records."),
    flag(
      "file-wins",
      "Use the file's value wherever the book has a different value. "
        + "Without this option, a field changed in both the file and the book keeps the book's value and is reported. "
        + "A file of operations is always applied unchanged."
    ),
    flag(
      "large",
      "Raise the limits on files, fields and records 16-fold; notes are still limited to 64 KiB."
    ),
    examples: [
      "daybook import contacts.vcf --dry-run     # show what would be imported",
      "daybook import contacts.vcf               # the birthdays in an address book",
      "daybook import birthdays.ics              # and to-dos, if the calendar has any",
      "daybook import --format csv --dates dmy people.txt",
      "daybook import board.csv -n               # show how each column is read",
      "daybook import board.csv --map 'Card Name=title' --map 'Votes='",
      "daybook import todo.txt                   # run it again to import only changes",
      "daybook import theirs.txt --file-wins     # prefer the values in the file",
      "daybook import tasks.json                 # what 'task export' writes",
      "daybook import DataModel.sqlite           # the database of an app; keep its -wal file beside it",
      "daybook import Items.plist",
    ]
  ) {
    context, format, file, isTrial, isStrict, keepsNoUIDs, program, columns, order, asBirthdays,
    takesAll, takesDeleted, fileWins, isLarge in
    var wish = ImportWish(
      file: file, isTrial: isTrial, isStrict: isStrict, keepsNoUIDs: keepsNoUIDs)
    wish.format = try format.map(ImportWords.format)
    wish.settings.localOffset = { [timekeeper = context.machine.timekeeper] instant in
      timekeeper.localOffsetSeconds(at: Moment(milliseconds: instant))
    }
    wish.settings.zoneOffset = { [timekeeper = context.machine.timekeeper] name in
      guard let rules = timekeeper.zone(named: name) else { return nil }
      return { rules.offsetSeconds(at: Moment(milliseconds: $0)) }
    }
    wish.settings.program = try program.map(ImportWords.program)
    wish.settings.columnMeanings = try columns.map(ImportWords.columnMeaning)
    wish.settings.now = context.machine.timekeeper.now().milliseconds
    wish.settings.repeatPhrase = ImportWords.repeatPhrase(
      today: wish.settings.now.flatMap(wish.settings.localDay))
    wish.settings.dateOrder = try order.map(ImportWords.dateOrder)
    wish.settings.takesEventsAsBirthdays = asBirthdays
    (wish.settings.takesAll, wish.settings.takesDeleted) = (takesAll, takesDeleted)
    wish.settings.prefersFile = fileWins
    if isLarge { wish.settings.limits.raise() }
    wish.zone = context.invocation.globals.zone ?? ""
    try ImportFile(context: context).run(wish)
  }
}

/// The import that the user wants.
struct ImportWish {
  var file: String
  var isTrial: Bool
  var isStrict: Bool
  var keepsNoUIDs: Bool
  var format: FileFormat?
  var zone = ""
  var settings = ForeignSettings()

  init(file: String, isTrial: Bool, isStrict: Bool, keepsNoUIDs: Bool) {
    (self.file, self.isTrial, self.isStrict) = (file, isTrial, isStrict)
    self.keepsNoUIDs = keepsNoUIDs
  }

  /// An option that was given and applies only to tables.
  var optionOfTables: String? {
    if settings.program != nil { return "--as" }
    return settings.columnMeanings.isEmpty ? nil : "--map"
  }
}

private struct ImportFile {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ wish: ImportWish) throws {
    let source = try ImportSource(context.environment).contents(of: wish)
    let name = wish.file == "-" ? nil : Path(wish.file).name
    if FileFormat.isRealm(source) {
      throw ConsoleError.foreignFile(wish.file, .realm)
    }
    guard let format = wish.format ?? FileFormat.recognise(source, name: name) else {
      // An empty file is not an error, even though neither its content nor its name shows a format.
      if source.allSatisfy({ $0 <= 0x20 }) {
        return output.say("Nothing to import: the file is empty.")
      }
      throw ConsoleError.unknownFormat(wish.file)
    }
    if wish.isTrial { context.opener.beginTrial() }
    guard format == .operations else { return try importForeign(source, format, wish) }
    if wish.settings.prefersFile {
      throw ConsoleError.badValue(
        "--file-wins", format.rawValue,
        "It does not apply to operations, which are always applied unchanged.")
    }
    let options = ImportOptions(keepsUIDs: !wish.keepsNoUIDs, isStrict: wish.isStrict)
    let (report, alike) = try take(wish) { try $0.importer.importOperations(source, options) }
    let skipped = report.skipped.map {
      (ForeignPlace.line($0.line), ForeignFault.refused($0.fault))
    }
    ImportPresenter(context: context).tell(
      ImportTale(format, report, skipped: skipped, isTrial: wish.isTrial))
    DuplicatePresenter(context: context).tell(alike)
  }

  private func importForeign(
    _ source: [UInt8], _ format: FileFormat, _ wish: ImportWish
  ) throws {
    if wish.keepsNoUIDs {
      throw ConsoleError.badValue(
        "--no-uids", format.rawValue, "It applies only to operations.")
    }
    if format != .csv, let option = wish.optionOfTables {
      throw ConsoleError.badValue(option, format.rawValue, "It applies only to CSV.")
    }
    var settings = wish.settings
    if wish.file != "-" {
      settings.fileName = Path(wish.file).name
      settings.writeAheadLog = try writeAheadLog(beside: wish, format)
    }
    let file: ForeignFile
    do throws(ForeignFault) { file = try format.read(source, settings) } catch {
      throw ConsoleError.foreignFile(wish.file, error)
    }
    if wish.isStrict { try refuseFaults(of: file) }
    var report = ImportReport()
    var alike: [DuplicatePair] = []
    if !file.records.isEmpty {
      (report, alike) = try take(file, identity(of: source, file, settings, wish), wish)
    }
    let refused = report.skipped.map {
      (file.records[$0.line - 1].place, ForeignFault.refused($0.fault))
    }
    let skipped = file.skipped.map { ($0.place, $0.fault) } + refused
    ImportPresenter(context: context).tell(
      ImportTale(format, report, skipped: skipped, file, isTrial: wish.isTrial))
    DuplicatePresenter(context: context).tell(alike)
  }

  /// Throws if a part of the file would be skipped or, in a table, kept only as text, or if the end is missing.
  private func refuseFaults(of file: ForeignFile) throws(ConsoleError) {
    if let first = file.skipped.first { throw .foreignRecord(first.place, first.fault) }
    if let cut = file.cut { throw .foreignRecord(cut.place, .broken("its end is missing")) }
    guard file.format == .csv else { return }
    for remark in file.remarks {
      if let fault = remark.note.fault { throw .foreignRecord(remark.place, fault) }
    }
  }

  /// Imports records, and finds the new records that look like others.
  ///
  /// A dry run does not search for similar records.
  private func take(
    _ wish: ImportWish, _ act: (Book) throws -> ImportReport
  ) throws -> (ImportReport, [DuplicatePair]) {
    let book = try context.opener.bookForAdding()
    if wish.isTrial { return (try act(book), []) }
    let before = Set(try book.finder.lookAlikes().map(\.secondID))
    let report = try act(book)
    // The second record of a pair is the newer record, so new pairs have a new second record.
    return (report, try book.finder.lookAlikes().filter { !before.contains($0.secondID) })
  }

  private func take(
    _ file: ForeignFile, _ identity: Digest, _ wish: ImportWish
  ) throws -> (ImportReport, [DuplicatePair]) {
    try take(wish) { book in
      do throws(DaybookError) {
        return try book.importer.importFile(file, identity: identity, isStrict: wish.isStrict)
      } catch .importFault(let line, let fault) {
        throw ConsoleError.foreignRecord(file.records[line - 1].place, .refused(fault))
      }
    }
  }

  /// Returns the identity of an import: a hash over the bytes and over everything that affects how they are read.
  private func identity(
    of source: [UInt8], _ file: ForeignFile, _ settings: ForeignSettings, _ wish: ImportWish
  ) -> Digest {
    var hasher = SHA256()
    hasher.update(Array("\(file.format.rawValue) \(settings.signature) \(wish.zone)\n".utf8))
    if file.format.edition > 1 { hasher.update(Array("edition \(file.format.edition)\n".utf8)) }
    if let named = file.named { hasher.update(Array("named \(named)\n".utf8)) }
    hasher.update(settings.writeAheadLog ?? [])
    hasher.update(source)
    return hasher.finish()
  }

  private func writeAheadLog(beside wish: ImportWish, _ format: FileFormat) throws -> [UInt8]? {
    let name = wish.file + "-wal"
    guard format == .coreData,
      try context.machine.disk.status(context.environment.path(name)) != nil
    else {
      return nil
    }
    return try ImportSource(context.environment).contents(of: name) { _ in
      wish.settings.limits.fileBytes
    }
  }
}

/// Reads the bytes to import.
private struct ImportSource {
  private let environment: CommandEnvironment

  init(_ environment: CommandEnvironment) { self.environment = environment }

  /// The maximum size of operations, in bytes.
  private static let operationsLimit = 1 << 30

  /// The bytes to import.
  ///
  /// Input larger than the limit of its format is refused; for a file, only its beginning is read in this case.
  func contents(of wish: ImportWish) throws -> [UInt8] {
    let name = wish.file == "-" ? nil : Path(wish.file).name
    let limit = { (start: [UInt8]) in
      let format = wish.format ?? FileFormat.recognise(start, name: name)
      return format == .operations ? Self.operationsLimit : wish.settings.limits.fileBytes
    }
    return try name == nil ? input(limit: limit) : contents(of: wish.file, limit: limit)
  }

  /// Reads standard input, and throws if it is larger than the limit that its first bytes determine.
  private func input(limit: ([UInt8]) -> Int) throws -> [UInt8] {
    let start = environment.streams.readInput(FileFormat.recognitionBytes)
    let limit = limit(start)
    let rest = environment.streams.readInput(limit - start.count + 1)
    guard start.count + rest.count <= limit else {
      throw ConsoleError.foreignFile("-", .tooLarge("it", limit: limit))
    }
    return start + rest
  }

  /// Reads a file, and throws if it is larger than the limit that its first bytes determine.
  func contents(of name: String, limit: ([UInt8]) -> Int) throws -> [UInt8] {
    let file = try OpenFile(environment.path(name), .read, on: environment.machine.disk)
    let size = try file.size()
    let start = try file.read(at: 0, count: min(size, FileFormat.recognitionBytes))
    let limit = limit(start)
    guard size <= limit else {
      throw ConsoleError.foreignFile(name, .tooLarge("the file", limit: limit))
    }
    // Read one more byte, because some files have no known size and others grow.
    let rest = try file.read(at: start.count, count: size - start.count + 1)
    guard start.count + rest.count == size else {
      throw ConsoleError.foreignFile(
        name,
        .broken(
          "its size differs from the size that the file system reports; copy it, and import the copy"
        ))
    }
    try file.close()
    return start + rest
  }
}

/// Parses the options of an import.
enum ImportWords {
  static func format(_ words: String) throws(ConsoleError) -> FileFormat {
    if let format = FileFormat(named: words) { return format }
    let names = FileFormat.allCases.map(\.rawValue).joined(separator: ", ")
    throw .badValue("the format", words, "Use one of \(names).")
  }

  static func program(_ words: String) throws(ConsoleError) -> CSVProgram {
    if let program = CSVProgram(named: words) { return program }
    let names = CSVProgram.all.map(\.name).joined(separator: ", ")
    throw .badValue(
      "the program", words, "Use one of \(names), or assign the columns with --map.")
  }

  static func columnMeaning(_ words: String) throws(ConsoleError) -> ColumnMeaning {
    do throws(ColumnMeaning.Fault) {
      return try ColumnMeaning(words)
    } catch {
      switch error {
      case .noColumn:
        throw .badValue("--map", words, "Use COLUMN=FIELD, as in --map 'Card Name=title'.")
      case .noSuchField(let field):
        let names = ColumnMeaning.fields.joined(separator: ", ")
        throw .badValue("the field", field, "Use one of \(names).")
      }
    }
  }

  static func dateOrder(_ words: String) throws(ConsoleError) -> ForeignSettings.DateOrder {
    guard let order = ForeignSettings.DateOrder(rawValue: words.lowercased()) else {
      throw .badValue("the order of dates", words, "Use dmy or mdy.")
    }
    return order
  }
}
