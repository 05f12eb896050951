extension FileFormat {
  /// Writes records in the format.
  ///
  /// - Throws: ``ForeignFault/notOffered(_:)`` for one that is only read.
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
