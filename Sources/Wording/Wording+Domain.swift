package import Domain

extension Kind {
  /// The name of the kind as users type it.
  package var name: String { Schema.schema(of: self)?.name ?? "record of kind \(rawValue)" }

  /// The name of the kind in a sentence.
  package var noun: String { self == .todo ? "to-do" : name }
}

extension Kind {
  /// The name of the children of a record of this kind, in a sentence.
  fileprivate var childName: String { self == .list ? "to-do" : "choice" }
}

extension Refusal {
  /// The reason for the refusal, in complete sentences.
  package var text: String {
    switch self {
    case .unknown: return "the record is no longer in the book. Look it up again."
    case .dead(let kind, let id):
      return
        "the \(kind.noun) is deleted. To bring it back, run 'daybook restore \(ShortID.text(of: id, length: 6))'."
    case .unknownKind(let kind):
      return
        "kind \(kind.rawValue) is from a newer version of daybook. Update daybook on this device."
    case .notOfKind(let expected, let found):
      return "the record is a \(found.noun), not a \(expected.noun)."
    case .unknownField(let kind, let field):
      return "a \(kind.noun) has no field \(field.rawValue)."
    case .fixed(let kind, let field):
      return
        "the \(field.name(in: kind)) of a \(kind.noun) cannot be changed. Add a new \(kind.noun) instead."
    case .required(let kind, let field):
      return "a \(kind.noun) needs a \(field.name(in: kind)) that is not empty."
    case .badValue(_, _, .notARule(let error)): return error.text
    case .badValue(let kind, let field, let fault):
      return "the \(field.name(in: kind)) of a \(kind.noun) \(fault.text)."
    case .noDayBeforeDue(let field):
      return "the \(field.name(in: .todo)) is counted back from the due date, "
        + "so the to-do needs a complete due date that is late enough. Set one with --due DATE."
    case .badReference(let kind, let field, let found):
      return "the \(field.name(in: kind)) of a \(kind.noun) cannot be a \(found.noun)."
    case .timeWithoutDay:
      return "a to-do without a complete due date cannot have a time. "
        + "Set the due date as well, such as 2026-12-24. A date and a time can be written together, "
        + "as in 'tomorrow 17:00'."
    case .zoneWithoutTime:
      return "a to-do without a time cannot have a time zone. Set the time as well, such as 17:00."
    case .noSeries:
      return "the to-do does not repeat. Add a repeat rule first, such as --repeat weekly."
    case .ofSeries(let field):
      return
        "the \(field.name(in: .todo)) cannot be changed in this way for a single date of a repeating to-do. "
        + "To change it for all dates, use 'edit --series'."
    case .repeatsWithoutDue:
      return
        "a repeating to-do needs a complete due date. '--repeat none' ends the repeats after the current date."
    case .neverRepeats:
      return "no day matches the repeat rule. Check its months and days."
    case .endsBefore(let first, let until):
      return "the repeats end on \(until.iso), before their first date, \(first.iso). "
        + "Choose a later end."
    case .deletesOccurrence(let id):
      let name = ShortID.text(of: id, length: 6)
      return
        "a single date of a repeating to-do cannot be deleted. If it is closed, 'daybook undone \(name)' reopens it; "
        + "to remove the to-do with all its dates, delete the to-do itself."
    case .joinsOccurrence:
      return "a single date of a repeating to-do cannot be merged. Merge the to-dos themselves."
    case .parentCycle(let todo, let parent):
      return todo == parent
        ? "a to-do cannot be a sub-task of itself. Name another to-do, or 'none'."
        : "a to-do cannot be a sub-task of its own sub-task. "
          + "Move the sub-task first: daybook edit \(ShortID.text(of: parent, length: 6)) --under none"
    case .empty(let kind): return "a \(kind.noun) needs a name or a date."
    case .notEmpty(let kind, _, let children):
      let entries = children == 1 ? "1 \(kind.childName)" : "\(children) \(kind.childName)s"
      return "the \(kind.noun) still has \(entries), so it was not deleted. "
        + "Without --if-empty, deleting the \(kind.noun) also deletes \(children == 1 ? "it" : "them"), "
        + "and restoring the \(kind.noun) brings \(children == 1 ? "it" : "them") back."
    case .childrenNeedParent(let kind, _):
      return "the \(kind.childName)s of a \(kind.noun) cannot exist without it. "
        + "Without --keep-todos, deleting the \(kind.noun) also deletes them, and restoring it brings them back."
    case .noChoices(let question):
      return "the question has no choices. To add one, "
        + "run 'daybook add choice \(ShortID.text(of: question, length: 6)) NAME'."
    case .weightsSumToZero(let question):
      return "all weights of the question are 0. Increase the weight of a choice that "
        + "'daybook list choices \(ShortID.text(of: question, length: 6))' lists: "
        + "daybook edit ID --weight 1"
    case .noConflict(let kind, .some(let field)):
      return "the \(field.name(in: kind)) of the \(kind.noun) is no longer in conflict."
    case .noConflict(let kind, .none):
      return "the \(kind.noun) has no conflict between a deletion and an edit."
    case .unlike(let kind, let field):
      return
        "the two records differ in the \(field.name(in: kind)), which cannot be changed, so they cannot be merged."
    case .unlikeKinds(let kind, let other):
      return "a \(kind.noun) and a \(other.noun) cannot be merged."
    case .weightsTooLarge:
      return "the sum of the question's weights is too large for a draw. Reduce the weights."
    }
  }
}

extension Field {
  package func name(in kind: Kind) -> String {
    Schema.field(self, of: kind)?.optionName ?? "field \(rawValue)"
  }
}

extension ValueFault {
  /// The fault as the end of a sentence.
  package var text: String {
    switch self {
    case .wrongType(let type): "must be \(type.text)"
    case .tooLong(let bytes): "is longer than \(bytes) bytes"
    case .tooMany(let count): "has more than \(count) entries"
    case .outOfRange(let range): "must be \(range.lowerBound) to \(range.upperBound)"
    case .notADate: "must be a date that exists"
    case .notARule(let error): "must be a repeat rule: \(error.text)"
    }
  }
}

extension FieldType {
  /// The name for a value of the type, in a sentence.
  package var text: String {
    switch self {
    case .text: "text"
    case .texts: "a list of texts"
    case .tag: "a text, or false to remove it"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .boolean: "true or false"
    case .date: "a date such as 2026-12-24"
    case .instant: "an instant such as 2026-12-24T18:00:00Z"
    case .reference(let kind): "a \(kind.name)"
    case .colour: "a colour such as #3366cc"
    case .priority: "low, normal or high"
    case .leapRule: "february-28 or march-1"
    case .minute: "a time of day such as 17:00"
    case .repeatRule: "a rule such as FREQ=WEEKLY;BYDAY=MO"
    case .bytes: "bytes"
    case .map: "texts by name"
    }
  }
}

extension CivilDateError {
  /// The fault in complete sentences.
  package func text(of words: String) -> String {
    switch self {
    case .unreadable:
      return "cannot read date '\(words)'. Try 2026-12-24, or --12-24 for a date without a year."
    case .noSuchYear(let year):
      return "'\(words)' names the year \(year), but years go from 1 to 9999."
    case .noSuchMonth(let month): return "'\(words)' names month \(month), which does not exist."
    case .noSuchDay(let day): return "'\(words)' names day \(day), which no month has."
    case .noSuchDate(let year, let month, let day, let before, let after):
      let place = "\(day) \(CivilDate.monthNames[month - 1])"
      let start = year.map { "\($0) has no \(place)." } ?? "there is no \(place)."
      return "\(start) Did you mean \(before.iso) or \(after.iso)?"
    }
  }
}
