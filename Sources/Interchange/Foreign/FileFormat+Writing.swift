extension FileFormat {
  /// Writes records in the format.
  ///
  /// - Throws: ``ForeignFault/notOffered(_:)`` for one that is only read.
  package func write(
    _ contents: ExportContents, _ settings: ExportSettings
  ) throws(ForeignFault) -> ForeignText.Written {
    switch self {
    case .csv: CSVWriter.write(contents, settings)
    case .vCard, .iCalendar, .operations, .todoTxt, .taskwarrior, .markdown, .propertyList,
      .coreData:
      throw .notOffered(self)
    }
  }
}
