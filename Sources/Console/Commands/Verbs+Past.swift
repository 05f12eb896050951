import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

extension Verb {
  static let recalling = [undo, redo]

  private static let undo = Verb(
    "undo", "Undo the last commands of this device, or the last one that changed a record.",
    keepsReason: true, optionalText("N|ID"),
    option(
      "command", "NAME",
      "One command, of any device: DEVICE:NUMBER, or the NUMBER of one of this device."),
    option("by", "DEVICE", "All that a device did, as one step; with --since."),
    option("since", "TIME", "From when on, by the time at which it was written."),
    flag("yes", "Do not ask."),
    flag(
      "force",
      "Also what another device has edited since, and what is in use since: it goes with all that is on it."
    ),
    flag("past-erasure", "Go on behind an erasure, which cannot be undone itself."),
    flag("past-devices", "Go on behind what was done about devices, which stays as it is."),
    examples: [
      "daybook undo", "daybook undo 3", "daybook undo eggos", "daybook undo --command phone:12",
      "daybook undo --by phone --since 2026-01-31 --yes",
    ]
  ) { context, words, command, device, since, isSure, isForced, goesPast, passesDevices in
    let care: UndoCare = isForced ? .forcing : .refusing
    if let scope = try context.scope(words, command: command, by: device, since: since) {
      return try context.undo(scope, care, isSure: isSure)
    }
    let book = try context.book()
    if let count = try context.count(words) {
      let steps = try context.careful { () throws(DaybookError) in
        try book.undo(
          count, pastErasure: goesPast, pastDevices: passesDevices, care: care,
          because: context.reason)
      }
      return try context.tell(steps, "Undone")
    }
    let id = try book.find(words ?? "", among: .all).id
    let steps = try context.careful { () throws(DaybookError) in
      try book.undo(id: id, care: care, because: context.reason)
    }
    try context.tell(steps, "Undone")
  }

  private static let redo = Verb(
    "redo", "Do again what was undone last.", keepsReason: true, optionalText("N"),
    flag("force", "Also what another device has edited since; it gets the value from before."),
    examples: ["daybook redo", "daybook redo 3"]
  ) { context, words, isForced in
    guard let count = try context.count(words) else {
      throw ConsoleError.badValue("N", words ?? "", "Say how many, as a whole number from 1.")
    }
    let care: UndoCare = isForced ? .forcing : .refusing
    let book = try context.book()
    let steps = try context.careful { () throws(DaybookError) in
      try book.redo(count, care: care, because: context.reason)
    }
    try context.tell(steps, "Redone")
  }
}

extension Context {
  /// The number the words are, 1 if there are none, nil if they are no number.
  fileprivate func count(_ words: String?) throws -> Int? {
    guard let words else { return 1 }
    guard words.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }) else { return nil }
    return Int(clamping: try number(words, "N", from: 1))
  }

  func tell(_ steps: [Undone], _ verb: String) throws {
    // Fewer were done than was asked for.
    if steps.contains(where: { $0.obstacle != nil }) { exit = .refused }
    for dependence in steps.flatMap(\.spared) { note("left: \(dependence.words).") }
    if isJSON {
      return answer(try json(steps.flatMap(\.changes), reopened: steps.flatMap(\.reopened)))
    }
    for step in steps {
      if step.passesErasure { note("what was erased is passed over: nothing brings it back.") }
      // A run of thousands of commands is told by its beginning.
      let shown = step.changes.prefix(Self.shownChanges)
      for line in try sentences(Array(shown)) { say("\(verb): \(line.beginningSmall)") }
      let rest = step.changes.count - shown.count
      if rest > 0 { say("\(verb): \(rest) more changes.") }
      for dependence in step.swept { say("With it goes what is in use: \(dependence.words).") }
      if shown.isEmpty, step.left.isEmpty, step.spared.isEmpty, step.reopened.isEmpty {
        say("\(verb). Nothing looks different.")
      }
      for left in step.left.prefix(Self.shownChanges) { say(try sentence(left)) }
      for reopened in step.reopened.prefix(Self.shownChanges) { try tell(reopened) }
      if let obstacle = step.obstacle { note(try sentence(obstacle)) }
    }
  }

  private static let shownChanges = 10

  func sentence(_ left: Undoing.Left) throws -> String {
    let what = "\(left.kind.name) \(try presentSnapshot().shortID(left.id))"
    let field = left.field.map { "the \($0.name(in: left.kind)) of " } ?? ""
    switch left.reason {
    case .shownAnyway: return "Left \(field)\(what) as it is: it would look the same anyway."
    case .dead: return "Left \(field)\(what) as it is: the record is deleted."
    }
  }
}

extension Context {
  /// Says what is in conflict again, and how to settle it.
  fileprivate func tell(_ reopened: Undoing.Reopened) throws {
    let snapshot = try presentSnapshot()
    let id = try snapshot.shortID(reopened.id)
    guard let field = reopened.field else {
      return say(
        "The \(reopened.kind.name) \(id) is in conflict again: one device deleted it while another "
          + "edited it. 'daybook conflicts' shows how to settle it.")
    }
    guard let schema = Schema.field(field, of: reopened.kind), !schema.isFixed else { return }
    let others = try reopened.others.map { value in
      let words = try snapshot.words(value, of: schema)
      return words.isEmpty ? "nothing" : words
    }
    let (verb, it) = field == .tags ? ("are", "they") : ("is", "it")
    say(
      "The \(field.name(in: reopened.kind)) of \(reopened.kind.name) \(id) \(verb) in conflict again: "
        + "\(it) could also be \(others.joined(separator: " or ")). 'daybook conflicts' shows how to settle "
        + "it.")
  }
}

extension String {
  /// The sentence as it stands behind a colon.
  fileprivate var beginningSmall: String { prefix(1).lowercased() + dropFirst() }
}
