import Domain

/// The members of JSON answers, as listed in the help.
///
/// Later versions only add members.
enum AnswerShapes {
  /// Example commands, and the members of their answers.
  static let all: [(words: String, shape: String)] = [
    (
      "",
      "{date, overdue [{record}], dueToday [{record}], next [{record}], undated {count, first [{record}]}, "
        + "birthdays [{record, \(coming)}], doneToday [{record}], conflicts, hidden, "
        + "counts {birthdays, lists, todos, questions, choices, picks}}"
    ),
    ("list birthdays", "[{record}]"), ("list todos", "[{record}]"), ("list lists", "[{record}]"),
    ("list questions", "[{record}]"), ("list choices", "[{record}]"),
    ("list picks lunch", "[{record}]"),
    ("list deleted", "[{kind, record, deletedAt, deletedBy}]"),
    ("list todos --limit 5", "{records [{record}], after}"),
    ("show mop", "{kind, record}"), ("search mop", "[{kind, record}]"),
    ("upcoming", "[{record, \(coming)}]"),
    ("remind", "[{id, kind, title, date, inDays, turns, stage, time, dueAt, slot, missed}]"),
    (
      "log",
      "[{time, when, isClockSuspect, device, replica, sequence, command, verb, isUndo, isRedo, kind, "
        + "id, title, fields {FIELD}, "
        + "replaced {FIELD [{value, device, time}]}, alternatives {FIELD []}, because}]"
    ), ("why mop.due", "{\(past)}"), ("blame mop", "[{\(past)}]"),
    ("diff 2026-01-01", "{from, to, came [{kind, record}], went [], changed []}"),
    ("picks lunch", "{picks, unreadable, choices [{id, name, deleted, drawn, expected}]}"),
    (
      "status",
      "{events, held, digest, words, shownAlone, hidden, "
        + "heldErasures [], version {REPLICA}, "
        + "counts {birthdays, lists, todos, questions, "
        + "choices, picks}, conflicts, newer {records, events}, isAdmitted, quotas [], hasTrustedDevice, "
        + "standing {is, by, time, cut}, missing [], waiting [], joining []}"
    ), ("where", "{book, logs, keys, view, state, settings}"),
    (
      "devices",
      "[{replica, name, fingerprint, events, cut, lastWritten, lastHeard, clockOffset, "
        + "isClockSuspect, standing, isThis, isOldKey, hasWritten, letInBy, letInOn, letInByWay, "
        + "keptBy, keptOn, namedBy, namedOn, formerName, revokedBy, revokedOn}]"
    ),
    ("keys", "[{id, made, maker, makerFingerprint, state, reason}]"),
    (
      "verify",
      "{isClean, events, bytes, accepted, acceptedBodies, remembered, bodiless, faults [], missing [], "
        + "titles [], uncopied}"
    ),
    (
      "verify --repair b",
      "{isClean, events, bytes, accepted, acceptedBodies, remembered, bodiless, faults [], healed [], "
        + "left [], repairs []}"
    ), ("verify --accept-loss", "{accepted [], titles [], uncopied, repairs []}"),
  ]

  private static let coming = "date, inDays, turns, observedRule, milestone"
  private static let past =
    "kind, id, title, field, value, isConflict, writes [{value, time, when, isClockSuspect, "
    + "device, replica, sequence, command, verb, isDerived, isUndo, isRedo, because, replaced []}]"

  /// Returns the members of a record of the given kind.
  static func record(of kind: KindSchema) -> [String] {
    let fields = kind.fields.flatMap { kind.kind == .todo ? members(ofTodo: $0) : [$0.name] }
    return ["id", "uid"] + fields + (kind.kind == .todo ? ["hidden"] : []) + ["conflicts"]
  }

  /// Returns the members for a field of a to-do, including members computed from the field.
  private static func members(ofTodo field: FieldSchema) -> [String] {
    switch field.field {
    case Field.Todo.list: [field.name, "listName"]
    case Field.Todo.zone: [field.name, "dueAt"]
    // The end is a member of `repeat`.
    case Field.Todo.until: []
    case Field.Todo.slot: [field.name, "firstDue"]
    default: [field.name]
    }
  }

  static var lines: [String] {
    var lines = [
      "With --json, the commands below print one array or object with these members; later versions may add members.",
      "Days are YYYY-MM-DD, or --MM-DD if the year is unknown; instants are in UTC, and ids are full. "
        + "Values that are unknown or not set are null.", "",
      "A record, by its kind:",
    ]
    lines += Table.lines(
      Schema.kinds.map { ["  \($0.name)", record(of: $0).joined(separator: ", ")] })
    lines += [
      "",
      "'repeat' is null or {rule, words, until}. The other values of a repeating to-do are the values of its current date.",
      "In the log, 'fields' contains the values that an event wrote or, if the event joined two records, "
        + "the values that the first record took over from the second. "
        + "'fields.tagged' is {added [], removed []} and contains the changes to tags.",
      "",
    ]
    for (words, shape) in all {
      lines.append("  daybook \(words.isEmpty ? "" : words + " ")--json")
      lines.append("      \(shape)")
    }
    return lines + [
      "",
      "An error is printed as {error {code, message}} on standard error; the codes do not change.",
    ]
  }
}
