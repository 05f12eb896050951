import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

/// Reports undone or redone commands.
struct UndonePresenter {
  let context: CommandContext
  private var output: Output { context.output }
  private var changes: ChangePresenter {
    ChangePresenter(context: context, advises: false, undoes: true)
  }

  func tell(_ steps: [Undone], _ verb: String) throws {
    // Fewer commands were undone or redone than requested.
    if steps.contains(where: { $0.obstacle != nil }) { context.exit = .refused }
    for dependence in steps.flatMap(\.spared) {
      output.note("not deleted: \(dependence.words). With --force, the undo deletes it anyway.")
    }
    for shared in steps.flatMap(\.shared).prefix(Self.shownChanges) { try tell(shared) }
    if output.isJSON {
      let told = try changes.json(steps.flatMap(\.changes), reopened: steps.flatMap(\.reopened))
      return output.answer(.array((told.array ?? []) + (try steps.flatMap(rest))))
    }
    for (place, step) in steps.enumerated() {
      let later = steps.dropFirst(place + 1).flatMap(\.changes).map(\.document.id)
      if step.passesErasure {
        output.note("skipped erased content, which cannot be restored.")
      }
      // There can be thousands of changes; only the first few are listed.
      let shown = step.changes.prefix(Self.shownChanges)
      for line in try changes.sentences(Array(shown), changedAgain: Set(later)) {
        output.say("\(verb): \(line.beginningSmall)")
      }
      let rest = step.changes.count - shown.count
      if rest > 0 { output.say("\(verb): \(rest.counted("more change")).") }
      for dependence in step.swept {
        output.say("Deleted anyway: \(dependence.words).")
      }
      if step.isInvisible {
        output.say("\(verb). Nothing visible changed.")
      }
      for left in step.left.prefix(Self.shownChanges) { output.say(try sentence(left)) }
      for reopened in step.reopened.prefix(Self.shownChanges) { try tell(reopened) }
      if let obstacle = step.obstacle { output.note(try sentence(obstacle)) }
    }
  }

  private static let shownChanges = 10

  /// What an undone or redone command has left unchanged, for programs.
  private func rest(of step: Undone) throws -> [JSON] {
    if step.isInvisible { return [.object(("verb", "none"))] }
    let snapshot = try context.presentSnapshot()
    return try step.left.map { left in
      let head = try snapshot.model.documents.document(id: left.id)
      let document = try head.flatMap { try snapshot.document($0.key) }
      let field = left.field.flatMap { Schema.field($0, of: left.kind) }
      return .object(
        ("verb", "leave"), ("record", try document.map(snapshot.jsonWithKind) ?? .null),
        ("field", .words(field?.name)),
        ("reason", left.reason == .dead ? "deleted" : "unchanged"))
    }
  }

  /// Reports the fields that the records keep after a merge is undone.
  private func tell(_ shared: SharedWrites) throws {
    let fields = shared.fields.compactMap { Schema.field($0, of: shared.kind)?.optionName }
    guard !fields.isEmpty, let first = shared.records.first else { return }
    let snapshot = try context.presentSnapshot()
    let names = try shared.records.map { record in
      "\(shared.kind.name) \(try snapshot.shortID(record.id)) \(record.title.visible)"
    }
    let isOne = names.count == 1
    let who = shared.isOfAll && names.count == 2 ? "both records" : names.joined(separator: ", ")
    output.note(
      "\(who) \(isOne ? "keeps" : "keep") the values that were written while "
        + "\(isOne ? "it was" : "they were") merged: \(fields.joined(separator: ", ")). "
        + "'daybook log \(try snapshot.shortID(first.id))' shows the earlier values.")
  }

  private func sentence(_ left: Undoing.Left) throws -> String {
    let what = try name(of: left)
    let field = left.field.map { "the \($0.name(in: left.kind)) of " } ?? ""
    switch left.reason {
    case .shownAnyway:
      return "Left \(field)\(what) unchanged, because the record would look the same anyway."
    case .keptAnyway:
      return "Left \(field)\(what) unchanged, because another change also keeps the record."
    case .dead: return "Left \(field)\(what) unchanged, because the record is deleted."
    }
  }

  /// The kind and short id of a record that was left unchanged; for a date of a repeating to-do, the to-do and the
  /// date.
  private func name(of left: Undoing.Left) throws -> String {
    let snapshot = try context.presentSnapshot()
    if let key = try snapshot.model.documents.document(id: left.id)?.key,
      let document = try snapshot.document(key), let slot = document.slot,
      let todo = try document.value(.owner).reference.flatMap(snapshot.document)
    {
      return "\(try snapshot.name(of: todo)) of \(slot.dated)"
    }
    return "\(left.kind.name) \(try snapshot.shortID(left.id))"
  }

  /// Returns a sentence that says why the undo stopped.
  private func sentence(_ obstacle: Undone.Obstacle) throws -> String {
    switch obstacle {
    case .erasure:
      "stopped at an erasure, which cannot be undone; --past-erasure skips it."
    case .lasting(let change):
      "stopped at a device change: \(change.words); --past-devices skips it."
    case .edits(let edits):
      "stopped at a change to a field that another device has since edited: \(try sentences(edits).joined(separator: "; ")). "
        + "--force continues anyway."
    case .dependences(let dependences):
      "stopped, because \(dependences.map(\.words).joined(separator: "; ")). --force continues anyway."
    }
  }

  private static let shownEdits = 5

  /// Returns descriptions of later edits: the device, the field, the value and the time.
  func sentences(_ edits: [EditSince]) throws -> [String] {
    let snapshot = try context.presentSnapshot()
    var lines = try edits.prefix(Self.shownEdits).map { edit in
      let value = try Schema.field(edit.field, of: edit.kind).map { field in
        try snapshot.words(edit.value, of: field)
      }
      return "\(edit.device.visible) has set the \(edit.field.name(in: edit.kind)) of "
        + "\(edit.kind.name) \(try snapshot.shortID(edit.id)) to '\(value ?? "")' on "
        + context.machine.timekeeper.localText(of: edit.time)
    }
    if edits.count > lines.count { lines.append("and \(edits.count - lines.count) more") }
    return lines
  }

  /// Reports a conflict that the undo has reopened, and how to settle it.
  private func tell(_ reopened: Undoing.Reopened) throws {
    let snapshot = try context.presentSnapshot()
    let id = try snapshot.shortID(reopened.id)
    guard let field = reopened.field else {
      let state = reopened.wasOpen ? "is still in conflict" : "is in conflict again"
      return output.say(
        "The \(reopened.kind.name) \(id) \(state), because one device deleted it while another edited it. "
          + "'daybook conflicts' shows how to settle the conflict.")
    }
    guard let schema = Schema.field(field, of: reopened.kind), !schema.isFixed else { return }
    let others = try reopened.others.map { value in
      let words = try snapshot.words(value, of: schema)
      return words.isEmpty ? "none" : words
    }
    let (verb, it) = field == .tags ? ("are", "they") : ("is", "it")
    let state = reopened.wasOpen ? "\(verb) still in conflict" : "\(verb) in conflict again"
    output.say(
      "The \(field.name(in: reopened.kind)) of \(reopened.kind.name) \(id) \(state): "
        + "\(it) could also be \(others.joined(separator: " or ")). 'daybook conflicts' shows how to settle the conflict."
    )
  }
}

extension Undone {
  /// Whether the undo or redo has changed nothing that is shown, and left nothing unchanged that could be named.
  fileprivate var isInvisible: Bool {
    changes.isEmpty && left.isEmpty && spared.isEmpty && reopened.isEmpty
  }
}

extension String {
  /// The sentence with its first letter in lowercase, to follow a colon.
  fileprivate var beginningSmall: String { prefix(1).lowercased() + dropFirst() }
}
