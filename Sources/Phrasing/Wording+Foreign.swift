import Domain
package import Interchange

extension ForeignPlace {
  /// Where something stands, as people look for it.
  package var words: String {
    switch self {
    case .line(let number): "line \(number)"
    case .part(let name, let number, let line):
      "BEGIN:\(name.visible) no. \(number) (line \(line))"
    case .row(let table, let key): "row \(key) of \(table.visible)"
    case .path(let path): path.visible
    }
  }
}

extension ForeignFault {
  /// What is wrong, without a stop.
  package var text: String {
    switch self {
    case .unreadable(let field, let words): "\(field.visible) cannot be '\(Self.short(words))'"
    case .date(let field, let words, let error):
      "\(field.visible) cannot be '\(Self.short(words))': \(error.reason)"
    case .severalReadings(let field, let words, let readings):
      "\(field.visible) '\(Self.short(words))' could be \(readings.joined(separator: " or ")); "
        + "--dates dmy or --dates mdy says which"
    case .missing(let what): "\(what.visible) is missing"
    case .realm:
      "it is a Realm database, which only programs of its maker read. Take the store of a version that "
        + "uses Core Data, or CSV"
    case .unsupported(let what): "\(Self.short(what)) has no place in a daybook"
    case .broken(let what): what.visible
    case .tooLarge(let what, let limit): "\(what.visible) is larger than \(limit) bytes"
    case .tooDeep(let limit): "it is nested more than \(limit) deep"
    case .tooMany(let limit):
      "from here on there are more than \(limit) records; --large takes more"
    case .notOfFormat(let format): "nothing in it is \(format.title)"
    case .notOffered(let format): "this version does not know \(format.title)"
    case .refused(let fault): fault.text
    }
  }

  /// Words of a file, of which nobody wants to see all.
  fileprivate static func short(_ words: String) -> String {
    let start = words.visible.prefix(80)
    return start.count < words.visible.count ? start + "…" : String(start)
  }
}

extension CivilDateError {
  fileprivate var reason: String {
    switch self {
    case .unreadable: "it is no date"
    case .noSuchYear(let year): "there is no year \(year)"
    case .noSuchMonth(let month): "there is no month \(month)"
    case .noSuchDay(let day): "no month has a day \(day)"
    case .noSuchDate(_, _, _, let before, let after):
      "there is no such day; \(before.iso) and \(after.iso) are"
    }
  }
}

extension ForeignNote {
  /// What a user should know, without a stop.
  package var text: String {
    switch self {
    case .yearLeftOut(let year): "the year \(year) stands for none, and was left out"
    case .oddYear(let year): "the year \(year) looks as if it stood for none; it was taken as it is"
    case .keptAsWritten(let field, let words):
      "\(field.visible) '\(ForeignFault.short(words))' cannot be read; it is kept as it is"
    case .leftOut(let what, let bytes): "\(what.visible), \(bytes) bytes, is too large to be kept"
    case .changed(let field, let words, let other):
      "\(field.visible) '\(ForeignFault.short(words))' became \(other.visible)"
    case .notActedOn(let what): "\(ForeignFault.short(what)) is kept, but nothing acts by it here"
    case .otherDayInUTC(let day, let utc):
      "it is taken for \(day.iso); in UTC it would be \(utc.iso). --zone says where it was written"
    case .readAs(let encoding): "the text was read as \(encoding)"
    }
  }
}

extension ForeignMatter {
  /// What there was so many times.
  package func words(_ count: Int) -> String {
    let isOne = count == 1
    let what =
      switch self {
      case .cardWithoutBirthday: isOne ? "entry without a birthday" : "entries without a birthday"
      case .eventThatIsNoBirthday:
        isOne ? "event that is no birthday" : "events that are no birthdays"
      case .otherComponent: isOne ? "other component" : "other components"
      case .deletedTask: isOne ? "deleted or cancelled task" : "deleted or cancelled tasks"
      case .recurringChild: isOne ? "repetition of a task" : "repetitions of tasks"
      case .emptyRow: isOne ? "empty row" : "empty rows"
      case .otherLine: isOne ? "other line" : "other lines"
      case .otherEntry: isOne ? "other entry" : "other entries"
      }
    return "\(count) \(what)"
  }
}
