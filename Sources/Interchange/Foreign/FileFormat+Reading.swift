internal import Domain

extension FileFormat {
  /// Reads the records of a file, within the limits.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - settings: The limits, and the rules for ambiguous values.
  /// - Returns: The records and the faults of the file. Bad records are skipped.
  /// - Throws: ``ForeignFault`` if no part of the file can be imported, or if it has too many records.
  package func read(
    _ bytes: [UInt8], _ settings: ForeignSettings = ForeignSettings()
  ) throws(ForeignFault) -> ForeignFile {
    guard bytes.count <= settings.limits.fileBytes else {
      throw .tooLarge("the file", limit: settings.limits.fileBytes)
    }
    // Each format that can be read has its own case.
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
    // Importing only some of the records would lose the others, even if a message said so.
    guard file.records.count <= settings.limits.records else {
      throw .tooMany(limit: settings.limits.records)
    }
    file.settings = settings
    file.settings.writeAheadLog = nil
    UnreadWords(file.format, settings).leave(in: &file)
    if let today = settings.now.flatMap(settings.localDay) {
      for record in file.records where record.kind == .birthday {
        guard let day = record.date(Field.Birthday.birthdate), day.isComplete, day > today else {
          continue
        }
        file.remark(record.place, .futureBirth(day))
      }
    }
    for record in file.records where record.isFinishedSeriesOpened {
      file.remark(record.place, .seriesNotOpened)
    }
    file.orderParents()
    file.tellSharedUIDsApart()
    return file
  }
}
