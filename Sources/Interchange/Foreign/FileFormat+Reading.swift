extension FileFormat {
  /// Finds the records in a file, within the limits.
  ///
  /// - Throws: ``ForeignFault`` where nothing of the file can be taken, or there are more records than may be; single
  ///   bad records are skipped.
  package func read(
    _ bytes: [UInt8], _ settings: ForeignSettings = ForeignSettings()
  ) throws(ForeignFault) -> ForeignFile {
    guard bytes.count <= settings.limits.fileBytes else {
      throw .tooLarge("the file", limit: settings.limits.fileBytes)
    }
    // A case of its own for each format that is read.
    var file: ForeignFile
    switch self {
    case .vCard: file = try VCardReader.read(bytes, settings)
    case .iCalendar: file = try ICalendarReader.read(bytes, settings)
    case .csv: file = try CSVReader.read(bytes, settings)
    case .todoTxt: file = try TodoTxtReader.read(bytes, settings)
    case .taskwarrior: file = try TaskwarriorReader.read(bytes, settings)
    case .markdown: file = try MarkdownReader.read(bytes, settings)
    case .propertyList: file = try PropertyListRecords.read(bytes, settings)
    case .coreData: file = try CoreDataRecords.read(bytes, settings)
    case .googleTasks: file = try GoogleTasksReader.read(bytes, settings)
    default: throw .notOffered(self)
    }
    // To take some of them would lose the others, however loudly that is said.
    guard file.records.count <= settings.limits.records else {
      throw .tooMany(limit: settings.limits.records)
    }
    (file.isPreferred, file.localOffset) = (settings.prefersFile, settings.localOffset)
    file.tellSharedUIDsApart()
    return file
  }
}
