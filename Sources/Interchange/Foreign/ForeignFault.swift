package import Domain

/// Why a file of another program, or something in it, is not taken.
package enum ForeignFault: Error, Hashable, Sendable {
  /// A field holds what cannot be read.
  case unreadable(field: String, String)
  /// A field holds a date that does not exist.
  case date(field: String, String, CivilDateError)
  /// A date can be read in two ways.
  case severalReadings(field: String, String, [String])
  /// What each record must have is not there.
  case missing(String)
  /// A field is written in a character set that is not known here, or that has no such characters.
  case characterSet(field: String, String)
  /// It is right, but says what a book cannot.
  case unsupported(String)
  /// It is a Realm database.
  case realm
  /// The structure of the file is broken there.
  case broken(String)
  /// It is larger than what is taken; the limit is in bytes.
  case tooLarge(String, limit: Int)
  case tooDeep(limit: Int)
  /// There are more records than are taken.
  case tooMany(limit: Int)
  /// Of something else there is more than is taken.
  case tooManyParts(String, limit: Int)
  /// A few bytes of the file stand for more bytes than are taken.
  case unpacksTooMuch(String, limit: Int)
  /// Nothing in the file is of its format.
  case notOfFormat(FileFormat)
  /// No column of a table is known to hold what its records are called; these are its columns.
  case noTitleColumn(has: [String])
  /// A column that a user names is not in the table; these are.
  case noSuchColumn(String, has: [String])
  /// The table is not one of the program that a user names; these are its columns.
  case notOfProgram(String, has: [String])
  /// The format is not read, or not written.
  case notOffered(FileFormat)
  /// What is read would break a rule of the book.
  case refused(OperationFault)
}

/// What a user should know of a record that was taken.
package enum ForeignNote: Hashable, Sendable {
  /// The year means that none is known, and was left out.
  case yearLeftOut(Int)
  /// The year looks as if it stood for none, and was taken as it is.
  case oddYear(Int)
  /// The words cannot be read as what the field holds; they are kept with the record as they are.
  case keptAsWritten(field: String, String)
  /// A field is written in a character set that is not known here, or that has no such characters; it is kept as it is.
  case undecoded(field: String, set: String)
  /// Something is too large to be kept.
  case leftOut(String, bytes: Int)
  /// A value has no like here, and was changed to one that does.
  case changed(field: String, String, to: String)
  /// Something such as a rule for repeating is kept, but nothing here acts by it.
  case notActedOn(String)
  /// The moment lies on this day here, and on another in UTC.
  case otherDayInUTC(CivilDate, utc: CivilDate)
  /// The columns mean nothing here; what stands in them is kept as text.
  case columnsKept([String])
  /// Of the columns of one meaning these do not count; what stands in them is kept as text.
  case columnsBeside([String])
  /// A column was taken to tell what is done though its header does not say so.
  case takenForDone(String)
  /// In a table of people no column tells a birthday.
  case noBirthdayColumn
  /// Another record of the file has the same uid, and says something else; each is a record of its own.
  case sharedUID(String)
  /// What is called so comes back each year, but is no birthday; it was left out.
  case noBirthday(String, Occasion)
  /// What is called so comes back each year, and may be a birthday; nothing else says so, and it was left out.
  case perhapsBirthday(String)
  /// The text is in no known encoding, and was read as this one.
  case readAs(encoding: String)
}

/// What files hold that is no matter of a daybook.
package enum ForeignMatter: String, Hashable, Sendable, CaseIterable {
  case cardWithoutBirthday, eventThatIsNoBirthday, otherComponent, deletedTask, recurringChild
  case emptyRow, rowBeforeHeader, otherLine, otherEntry, headingWithoutTodo
}
