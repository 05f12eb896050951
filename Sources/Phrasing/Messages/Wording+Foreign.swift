import Domain
package import Interchange

extension ForeignPlace {
  /// The position of a record in a file, in words that help a user find it.
  package var words: String {
    switch self {
    case .line(let number): "line \(number)"
    case .part(let name, let number, let line):
      "BEGIN:\(name.brief()) no. \(number) (line \(line))"
    case .row(let table, let key): "row \(key) of \(table.brief())"
    case .path(let path): path.brief()
    }
  }
}

extension ForeignFault {
  /// The fault in words, without a full stop.
  package var text: String {
    switch self {
    case .unreadable(let field, let words): "\(field.brief()) cannot be '\(words.brief())'"
    case .date(let field, let words, let error):
      "\(field.brief()) cannot be '\(words.brief())': \(error.reason)"
    case .severalReadings(let field, let words, let readings):
      "\(field.brief()) '\(words.brief())' could be \(readings.joined(separator: " or ")); "
        + "choose with --dates dmy or --dates mdy"
    case .missing(let what): "\(what.brief()) is missing"
    case .characterSet(let field, let set):
      "\(field.brief()) cannot be read in the character set '\(set.brief())'; "
        + "convert the file to UTF-8, for example with iconv, and import the result"
    case .realm:
      "it is a Realm database, which only Realm's own software can read. "
        + "Instead, import a CSV file, or the store of a version of the app that uses Core Data"
    case .unsupported(let what): "\(what.brief()) is not supported"
    case .broken(let what): what.brief(300)
    case .tooLarge(let what, let limit):
      "\(what.brief()) is larger than \(limit) bytes; \(Self.advice(limit, "make it shorter"))"
    case .tooDeep(let limit):
      "it is nested more than \(limit) levels deep, which exceeds the limit; split it, and import the parts"
    case .tooMany(let limit):
      "it contains more than \(limit) records; "
        + Self.advice(limit, "split the file, and import the parts")
    case .tooManyParts(let what, let limit):
      "it contains more than \(limit) \(what); remove some of them, and import the file again"
    case .unpacksTooMuch(let what, let limit):
      "\(what.brief()) would unpack to more than \(limit) bytes, many times the size of the file; "
        + "export the data in another format, such as CSV, from the program that wrote the file"
    case .notOfFormat(let format): "nothing in it is \(format.title)"
    case .noTitleColumn(let columns):
      "none of its columns is known to contain a title or a name; its columns are \(Self.list(columns)). "
        + "Choose one with --map 'COLUMN=title', or with --map 'COLUMN=name' for people"
    case .noSuchColumn(let column, let columns):
      "it has no column '\(column.brief())'; its columns are \(Self.list(columns))"
    case .notOfProgram(let program, let columns):
      "it does not have the columns of \(program); its columns are \(Self.list(columns)). "
        + "Omit --as, or assign its columns with --map"
    case .notOffered(let format): "this version of daybook does not support \(format.title)"
    case .refused(let fault): fault.text
    }
  }

  /// A key that is the same for all faults of one kind, even if their values differ.
  ///
  /// Such faults are reported together.
  package var reason: String {
    switch self {
    case .unreadable(let field, _): "unreadable \(field)"
    case .date(let field, _, _): "date \(field)"
    case .severalReadings(let field, _, _): "readings \(field)"
    default: text
    }
  }

  private static func list(_ columns: [String]) -> String {
    columns.map { $0 == "…" ? $0 : "'\($0.brief())'" }.joined(separator: ", ")
  }

  /// Returns the advice for a limit, which is the option that raises it, or `other` if it cannot be raised.
  private static func advice(_ limit: Int, _ other: String) -> String {
    ForeignSettings.Limits.canRaise(limit) ? "--large allows 16 times as much" : other
  }
}

extension CivilDateError {
  fileprivate var reason: String {
    switch self {
    case .unreadable: "it is not a date"
    case .noSuchYear(let year): "there is no year \(year)"
    case .noSuchMonth(let month): "there is no month \(month)"
    case .noSuchDay(let day): "no month has a day \(day)"
    case .noSuchDate(_, _, _, let before, let after):
      "there is no such day; the nearest are \(before.iso) and \(after.iso)"
    }
  }
}

extension ForeignNote {
  /// The note in words, without a full stop.
  package var text: String {
    switch self {
    case .yearLeftOut(let year): "the year \(year) is a placeholder, so it was left out"
    case .oddYear(let year): "the year \(year) looks like a placeholder; it was kept"
    case .futureBirth(let day): "the date of birth \(day.iso) is in the future; it was kept"
    case .keptAsWritten(let field, let words):
      "\(field.brief()) '\(words.brief())' cannot be read; it is kept unchanged"
    case .unread(let field, let words):
      "\(field.brief()) '\(words.brief())' cannot be read, so it is not imported"
    case .severalReadings(let field, let words, let readings):
      "\(field.brief()) '\(words.brief())' could be \(readings.joined(separator: " or ")), so it is kept unchanged; "
        + "choose with --dates dmy or --dates mdy"
    case .undecoded(let field, let set):
      "\(field.brief()) cannot be read in the character set '\(set.brief())'; it is kept unchanged"
    case .cutOff(let missing): "\(missing) is missing, so the file may lack some of its records"
    case .leftOut(let what, let bytes): "\(what.brief()) is too large to be kept (\(bytes) bytes)"
    case .changed(let field, let words, let other):
      "\(field.brief()) '\(words.brief())' became \(other.brief())"
    case .notActedOn(let what): "\(what.brief()) is kept, but daybook does not act on it"
    case .parentOfItself(let title):
      "its parent '\(title.brief())' is one of its own sub-tasks in the file, so this parent is not imported"
    case .otherDayInUTC(let day, let utc):
      "the date was read as \(day.iso); in UTC, it would be \(utc.iso). --zone sets the time zone"
    case .columnsKept(let names):
      "\(names.count == 1 ? "the column" : "the columns") "
        + names.prefix(20).map { "'\($0.brief())'" }.joined(separator: ", ")
        + (names.count > 20 ? " and \(names.count - 20) more" : "")
        + (names.count == 1 ? " matches no field, and its" : " match no field, and their")
        + " content is kept as text"
    case .columnsBeside(let names):
      "\(names.count == 1 ? "the column" : "the columns") "
        + names.prefix(20).map { "'\($0.brief())'" }.joined(separator: ", ")
        + (names.count > 20 ? " and \(names.count - 20) more" : "")
        + (names.count == 1 ? " is" : " are") + " kept as text; other columns take precedence"
    case .takenForDone(let name):
      "the column '\(name.brief())' was read as 'done', because no other column contains Yes and No; "
        + "--map 'COLUMN=' ignores it"
    case .decidesOrder(let field, let words, let isDayFirst):
      "\(field.brief()) '\(words.brief())' has the \(isDayFirst ? "day" : "month") first, so all dates in the file were "
        + "read in this way; --dates \(isDayFirst ? "mdy" : "dmy") sets the other order"
    case .noBirthdayColumn:
      "no column was read as a birthday; choose one with --map 'COLUMN=birthday'"
    case .sharedUID(let uid):
      "its UID '\(uid.brief())' is used earlier in the file for something else, so this became a separate record"
    case .seriesAbsent:
      "it is a single date of a recurring task that the file does not contain; "
        + "unless the book already has that task, this date becomes a to-do that does not repeat"
    case .seriesNotOpened:
      "it is open in the file, but all dates of its series were already closed in the book, and an import does not reopen "
        + "them; to reopen the last one, run: daybook undone ID"
    case .noBirthday(let title, let occasion):
      "'\(title.brief())' is \(occasion.words), not a birthday, so it was left out"
    case .perhapsBirthday(let title):
      "'\(title.brief())' repeats every year, but only its title suggests a birthday, "
        + "so it was left out; --birthdays includes it"
    case .readAs(let encoding): "the text was read as \(encoding)"
    }
  }
}

extension ForeignNote {
  /// A key that is the same for all notes of one kind, even if their values differ.
  ///
  /// Such notes are reported together.
  package var reason: String {
    switch self {
    case .keptAsWritten(let field, _): "kept \(field)"
    case .unread(let field, _): "unread \(field)"
    case .severalReadings(let field, _, _): "readings \(field)"
    case .changed(let field, _, _): "changed \(field)"
    case .notActedOn(let what): "kept \(what.prefix { $0 != ":" })"
    case .otherDayInUTC: "other day"
    case .futureBirth: "future"
    case .perhapsBirthday: "perhaps a birthday"
    default: text
    }
  }
}

extension Occasion {
  fileprivate var words: String {
    switch self {
    case .death: "the anniversary of a death"
    case .anniversary: "an anniversary"
    case .nameDay: "a name day"
    case .other(let words): "an occasion called '\(words.brief())'"
    }
  }
}

extension ForeignMatter {
  /// Returns the count with its noun.
  package func words(_ count: Int) -> String {
    let isOne = count == 1
    let what =
      switch self {
      case .cardWithoutBirthday: isOne ? "entry without a birthday" : "entries without a birthday"
      case .eventThatIsNoBirthday:
        isOne ? "event that is not a birthday" : "events that are not birthdays"
      case .cancelledEvent: isOne ? "cancelled event" : "cancelled events"
      case .birthdayOfOneYear:
        isOne
          ? "birthday of a single year, as 'export --ages' writes it"
          : "birthdays of single years, as 'export --ages' writes them"
      case .otherComponent: isOne ? "other component" : "other components"
      case .deletedTask: isOne ? "deleted or cancelled task" : "deleted or cancelled tasks"
      case .recurringChild: isOne ? "repetition of a task" : "repetitions of tasks"
      case .emptyRow: isOne ? "empty row" : "empty rows"
      case .rowBeforeHeader: isOne ? "row before the header" : "rows before the header"
      case .otherLine: isOne ? "other line" : "other lines"
      case .headingWithoutTodo:
        isOne ? "heading without a to-do" : "headings without a to-do"
      case .otherEntry: isOne ? "other entry" : "other entries"
      }
    return "\(count) \(what)"
  }
}
