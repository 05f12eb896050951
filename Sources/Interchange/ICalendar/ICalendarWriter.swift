internal import Domain

/// Writes birthdays and to-dos as a calendar.
enum ICalendarWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var calendar = CalendarWriting(contents, settings)
    for document in contents.documents(.birthday) { calendar.addBirthday(document) }
    for document in contents.documents(.todo) { calendar.addTodo(document) }
    var written = calendar.written
    written.losePartialDues(of: contents)
    written.loseFormerOccurrences(of: contents)
    written.loseFields(ofListsIn: contents)
    written.loseControls(of: contents, in: [.birthday, .todo])
    written.loseAll(of: contents, but: [.birthday, .todo, .list])
    return written
  }
}
