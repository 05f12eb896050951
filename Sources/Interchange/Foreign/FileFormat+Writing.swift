extension FileFormat {
  /// Writes records in the format.
  ///
  /// - Parameters:
  ///   - contents: The records.
  ///   - settings: The settings for writing them.
  /// - Returns: The file, and the data lost because the format cannot express it.
  /// - Throws: ``ForeignFault/notOffered(_:)`` for a format that can only be read.
  package func write(
    _ contents: ExportContents, _ settings: ExportSettings
  ) throws(ForeignFault) -> ForeignText.Written {
    var written =
      switch self {
      case .vCard: VCardWriter.write(contents, settings)
      case .iCalendar: ICalendarWriter.write(contents, settings)
      case .csv: CSVWriter.write(contents, settings)
      case .todoTxt: TodoTxtWriter.write(contents, settings)
      case .taskwarrior: TaskwarriorWriter.write(contents, settings)
      case .markdown: MarkdownWriter.write(contents, settings)
      default: throw .notOffered(self)
      }
    written.loseKept(by: contents, writing: self)
    return written
  }
}
