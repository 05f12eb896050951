package import Domain

/// The reason why a file from another program, or a part of it, is not imported.
package enum ForeignFault: Error, Hashable, Sendable {
  /// The value of a field cannot be read.
  case unreadable(field: String, String)
  /// A field contains a date that does not exist.
  case date(field: String, String, CivilDateError)
  /// A date can be read in several ways; the strings are the possible dates.
  case severalReadings(field: String, String, [String])
  /// A part that every record needs is missing.
  case missing(String)
  /// The text of a field is in an unknown character set, or is invalid in its character set.
  case characterSet(field: String, String)
  /// The content is valid, but a book cannot express it.
  case unsupported(String)
  /// The file is a Realm database.
  case realm
  /// The structure of the file is invalid; the text describes the fault.
  case broken(String)
  /// A part of the file is larger than the limit, which is in bytes.
  case tooLarge(String, limit: Int)
  case tooDeep(limit: Int)
  /// There are more records than the limit allows.
  case tooMany(limit: Int)
  /// There are more parts of some type, other than records, than the limit allows.
  case tooManyParts(String, limit: Int)
  /// A few bytes of the file unpack to more bytes than the limit.
  case unpacksTooMuch(String, limit: Int)
  /// The file contains no data in its format.
  case notOfFormat(FileFormat)
  /// No column of a table is known to contain the names of the records; the strings are the table's columns.
  case noTitleColumn(has: [String])
  /// The table lacks a column that the user named; the strings are the table's columns.
  case noSuchColumn(String, has: [String])
  /// The table is not from the program that the user named; the strings are the table's columns.
  case notOfProgram(String, has: [String])
  /// The format cannot be read, or cannot be written.
  case notOffered(FileFormat)
  /// The record would break a rule of the book.
  case refused(OperationFault)
}

/// A remark for the user about an imported record.
package enum ForeignNote: Hashable, Sendable {
  /// The year is a placeholder for an unknown year, and was omitted.
  case yearLeftOut(Int)
  /// The year may be a placeholder, but was imported as it is.
  case oddYear(Int)
  /// The date of birth is in the future, but was imported as it is.
  case futureBirth(CivilDate)
  /// The text is not a valid value of the field, and is kept unchanged with the record.
  case keptAsWritten(field: String, String)
  /// The text is not a valid value of the field, and is left out.
  case unread(field: String, String)
  /// A date can be read in several ways, and is kept unchanged with the record; the strings are the possible dates.
  case severalReadings(field: String, String, [String])
  /// The text of a field is in an unknown character set, or is invalid in its character set.
  ///
  /// The text is kept unchanged.
  case undecoded(field: String, set: String)
  /// The end of the file is missing, so the file may lack records.
  case cutOff(missing: String)
  /// A part is too large to be kept.
  case leftOut(String, bytes: Int)
  /// A value has no counterpart here, and was replaced by a different one.
  case changed(field: String, String, to: String)
  /// A property such as a recurrence rule is kept, but has no effect here.
  case notActedOn(String)
  /// The parent with this title is a sub-task of the to-do, and was left out.
  case parentOfItself(String)
  /// The instant is on this day here, and on a different day in UTC.
  case otherDayInUTC(CivilDate, utc: CivilDate)
  /// The columns have no meaning here; their content is kept as text.
  case columnsKept([String])
  /// Another column with the same meaning is used instead of these columns; their content is kept as text.
  case columnsBeside([String])
  /// A column is read as the state of the to-dos, although its header does not say so.
  case takenForDone(String)
  /// This date alone decides in which order the day and the month of other dates are read.
  case decidesOrder(field: String, String, isDayFirst: Bool)
  /// A table of people has no column for birthdays.
  case noBirthdayColumn
  /// Another record in the file has the same uid but different content; each becomes a separate record.
  case sharedUID(String)
  /// The task is a single date of a recurring task that the file lacks.
  ///
  /// The task became a separate to-do or, if the book has the series, an occurrence.
  case seriesAbsent
  /// The to-do is open in the file, but all dates of its series had already been closed, so none was reopened.
  case seriesNotOpened
  /// The yearly event with this title was skipped, because it is not a birthday.
  case noBirthday(String, Occasion)
  /// The yearly event with this title was skipped, because only the title indicates that it may be a birthday.
  case perhapsBirthday(String)
  /// The encoding of the text was not recognised, so the text was read in this encoding.
  case readAs(encoding: String)
}

extension ForeignNote {
  /// The fault of a value that could not be read, and is kept unchanged or left out; nil for any other note.
  package var fault: ForeignFault? {
    switch self {
    case .keptAsWritten(let field, let words), .unread(let field, let words):
      .unreadable(field: field, words)
    case .severalReadings(let field, let words, let readings):
      .severalReadings(field: field, words, readings)
    default: nil
    }
  }

  /// Whether a value that could not be read is kept as text.
  package var keepsText: Bool {
    if case .unread = self { false } else { fault != nil }
  }
}

/// Content of files that does not belong in a book.
package enum ForeignMatter: String, Hashable, Sendable, CaseIterable {
  case cardWithoutBirthday, eventThatIsNoBirthday, cancelledEvent
  /// The birthday of one year, which `export --ages` writes instead of a yearly event.
  case birthdayOfOneYear
  case otherComponent, deletedTask, recurringChild
  case emptyRow, rowBeforeHeader, otherLine, otherEntry, headingWithoutTodo
}
