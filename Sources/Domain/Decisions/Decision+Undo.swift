/// Writes down what would be shown now if a command's events were not there.
///
/// Values, lives and joins are written only where that differs from what is shown; whatever has
/// been changed since is shown without the command too, and is left. A conflict that the command
/// settled is there again, with all its values. Redo is the undo of the undo.
///
/// - Parameters:
///   - facts: The events of the command.
///   - now: All that is folded.
///   - without: The same without the command's events, with the pasts taken from the whole set.
///   - parted: The same as `now` without the command's joins, if it has any: what each part would show that is parted
///     by the undo. What was written to both while they were one stays with each of them otherwise.
///   - born: What comes into being with what is done again by this, if anything is. Where it was dead anyway
///     when that was undone, there is no event that says so.
///   - takenBack: The entities whose adds are undone. They do not come back with the undo of a delete: it may
///     have been the only delete there is of them.
/// - Returns: The drafts to write, what is left as it is, and what is in conflict again.
package func undo(
  _ facts: [Fact], now: some Shelf, without: some Shelf, parted: Records? = nil,
  born: Set<EventKey> = [], takenBack: Set<EventKey> = []
) -> Undoing {
  var plan = UndoPlan(
    now: KnownShelf(now), without: KnownShelf(without), parted: parted.map(KnownShelf.init),
    takenBack: takenBack)
  let trace = CommandTrace(facts)
  for key in trace.lives.union(born).sorted() {
    plan.undoLife(
      of: key, isMeant: trace.lifeVerbs.contains(key), isDeleted: trace.deleted.contains(key))
  }
  for key in trace.fields.keys.sorted() {
    for field in (trace.fields[key] ?? []).sorted() { plan.undoWrite(of: field, in: key) }
  }
  return plan.undoing
}

/// Members of a document that belong together without a command, and the fields that are to be written to them.
private struct JoinedMembers: Hashable {
  let document: EventKey
  let home: EventKey?
  let fields: [Field]
}

/// Elements in the order in which they came, each once.
private struct Distinct<Element: Hashable> {
  private(set) var elements: [Element] = []
  private var known: Set<Element> = []

  mutating func append(_ element: Element) {
    if known.insert(element).inserted { elements.append(element) }
  }
}

/// Gathers what to write, each thing once.
private struct UndoPlan<Now: Shelf, Without: Shelf> {
  let now: KnownShelf<Now>
  let without: KnownShelf<Without>
  let parted: KnownShelf<Records>?
  /// Entities whose adds are undone.
  let takenBack: Set<EventKey>
  private var restores: Set<EventKey> = []
  private var deletes: Set<EventKey> = []
  /// The members of documents that are to end up dead.
  private var doomed: Set<EventKey> = []
  private var edits: [EventKey: [Field: Value]] = [:]
  /// Those of which all members were looked at.
  private var households: Set<JoinedMembers> = []
  private var left = Distinct<Undoing.Left>()
  private var reopened = Distinct<Undoing.Reopened>()

  init(
    now: KnownShelf<Now>, without: KnownShelf<Without>, parted: KnownShelf<Records>?,
    takenBack: Set<EventKey>
  ) {
    (self.now, self.without, self.parted) = (now, without, parted)
    self.takenBack = takenBack
  }

  /// Restores come first and deletes last, so that nothing is written to what is dead.
  ///
  /// An edit gives life to the member it goes to: where the document is to be dead, that one is
  /// deleted too.
  var undoing: Undoing {
    let deletes = deletes.union(doomed.intersection(edits.keys))
    let edits = edits.sorted { $0.key < $1.key }.map { key, values in
      let writes = values.sorted { $0.key < $1.key }.map { Write($0.key, $0.value) }
      return Draft(.edit, .entity(key), writes)
    }
    return Undoing(
      drafts: restores.sorted().map { Draft(.restore, .entity($0)) } + edits
        + deletes.sorted().map { Draft(.delete, .entity($0)) },
      left: left.elements, reopened: reopened.elements)
  }

  mutating func undoLife(of key: EventKey, isMeant: Bool, isDeleted: Bool) {
    guard let document = now.document(of: key) else { return undoJoin(key) }
    let isReopened = reopenLife(of: key, in: document)
    let isBorn = without.document(of: key) == nil
    // What the command added does not stay on as a part of something else either.
    if isBorn, now.isAlive(key) { deletes.insert(key) }
    switch (home(of: key, in: document)?.isAlive ?? false, document.isAlive) {
    case (true, false):
      let dead = companions(of: key, in: document, for: []).filter {
        without.isAlive($0) && !now.isAlive($0)
      }
      restores.formUnion(Set(dead).subtracting(takenBack))
    case (false, true):
      let companions = companions(of: key, in: document, for: [])
      deletes.formUnion(companions.filter(now.isAlive))
      doomed.formUnion(companions)
    case (true, true) where isDeleted && isHeldAgainstDelete(key, in: document):
      if !takenBack.contains(key) { restores.insert(key) }
    default:
      // An edit was about values; whether they are left is said of each. What the command both added and
      // deleted is as gone as it would be without it.
      if isMeant, !isReopened, !deletes.contains(key), document.isAlive || !isBorn {
        leave(document, nil, .shownAnyway)
      }
    }
  }

  /// Whether a document is shown only since something was written to it that a delete has not seen.
  ///
  /// It looks the same without the delete, but the delete is still there: it would count as soon as the other
  /// write is undone. Where another delete stands against the same write, that one's conflict stays open.
  private func isHeldAgainstDelete(_ key: EventKey, in document: Document) -> Bool {
    if without.isAlive(key), !now.isAlive(key) { return true }
    return document.deleteAgainstEdit != nil
      && home(of: key, in: document)?.deleteAgainstEdit == nil
  }

  /// An alias is no document: it parts and joins by its own life.
  private mutating func undoJoin(_ key: EventKey) {
    guard let birth = now.entity(of: key)?.birth, birth.kind == nil else { return }
    switch (without.isAlive(key), now.isAlive(key)) {
    case (true, false): restores.insert(key)
    case (false, true):
      deletes.insert(key)
      if let document = birth.joins.first.flatMap(now.document(of:)) { undoWrites(to: document) }
    default:
      if let document = birth.joins.first.flatMap(now.document(of:)) {
        leave(document, nil, .shownAnyway)
      }
    }
  }

  /// Gives each part of a document that is parted what it would show had it never been joined.
  private mutating func undoWrites(to document: Document) {
    for member in document.members {
      guard let part = parted?.document(of: member), let before = without.document(of: member)
      else { continue }
      let fields = Set((part.fields + before.fields).map(\.field)).filter { field in
        Schema.field(field, of: document.kind).map { !$0.isFixed } ?? false
      }
      for field in fields.sorted() where !isShownAnyway(field, part, before) {
        write(field, from: before, to: member)
      }
    }
  }

  mutating func undoWrite(of field: Field, in key: EventKey) {
    // What the add alone brought goes with it, and an edit whose add is missing shows nothing.
    guard let document = now.document(of: key), let before = home(of: key, in: document) else {
      return
    }
    guard field != .disputed else { return undoReopening(of: key, document, before) }
    let isTick = document.kind == .todo && field == Field.Todo.done
    let isBorn = without.document(of: key) == nil
    if isShownAnyway(field, document, before) {
      if !isBorn { leave(document, field, .shownAnyway) }
      // The moment of completion may still come from this command's tick.
      if isTick, !isShownAnyway(Field.Todo.completedAt, document, before) {
        write([Field.Todo.completedAt], from: before, to: key, in: document)
      }
      return
    }
    // Undoing a delete may write to what it brings back.
    guard document.isAlive || !restores.isDisjoint(with: document.members),
      !values(of: field, in: before).contains(where: { wouldRevive($0, field, document) })
    else { return leave(document, field, .dead) }
    let values = values(of: field, in: before)
    if values.count > 1 { note(Undoing.Reopened(document, field, Array(values.dropFirst()))) }
    // Without the moment given, the undo would count as the moment of completion.
    let fields = isTick ? [field, Field.Todo.completedAt] : [field]
    write(fields, from: before, to: key, in: document)
  }

  /// Whether writing a reference would bring back a deleted parent that this undo does not restore.
  private func wouldRevive(_ value: Value, _ field: Field, _ document: Document) -> Bool {
    guard field.namesParent(in: document.kind), let key = value.reference,
      let parent = now.document(of: key)
    else { return false }
    return !parent.isAlive && restores.isDisjoint(with: parent.members)
  }

  private func isShownAnyway(_ field: Field, _ document: Document, _ before: Document) -> Bool {
    let (shown, wanted) = (values(of: field, in: document), values(of: field, in: before))
    return shown.first?.isIdentical(to: wanted[0]) ?? false
      && Set(shown.map(ExactValue.init)) == Set(wanted.map(ExactValue.init))
  }

  /// The value shown of a field, with those in conflict with it behind; a reference names what is a document now.
  private func values(of field: Field, in document: Document) -> [Value] {
    guard let shown = document.shown(field) else { return [.null] }
    let survivors = shown.isConflict ? shown.survivors : Array(shown.survivors.prefix(1))
    return survivors.prefix(1 + Field.mostAlternatives).map { write in
      write.value.reference.map { .reference(now.document(of: $0)?.key ?? $0) } ?? write.value
    }
  }

  private mutating func write(
    _ fields: [Field], from before: Document, to key: EventKey, in document: Document
  ) {
    for member in companions(of: key, in: document, for: fields) {
      let isWritten = fields.contains { now.mustWrite($0, to: member, of: document) }
      guard isWritten || member == key else { continue }
      for field in fields { write(field, from: before, to: member) }
    }
  }

  private mutating func write(_ field: Field, from before: Document, to member: EventKey) {
    for (place, value) in values(of: field, in: before).enumerated() {
      edits[member, default: [:]][place == 0 ? field : field.alternative(place)] = value
    }
  }

  /// The document that an entity's writes would be missing from.
  ///
  /// Of what the command added, it is the document that the rest of the members would be.
  private func home(of key: EventKey, in document: Document) -> Document? {
    without.document(of: key)
      ?? document.members.lazy.compactMap { without.document(of: $0) }.first
  }

  /// The members of a document that belong together without the command too, and the entity itself.
  ///
  /// Where they were given for the same fields before, what is done with all of them is done: then it is the entity
  /// alone. Else a command that wrote to each of many members would go through all of them for each.
  private mutating func companions(
    of key: EventKey, in document: Document, for fields: [Field]
  ) -> [EventKey] {
    let home = home(of: key, in: document)?.key
    let household = JoinedMembers(document: document.key, home: home, fields: fields)
    guard households.insert(household).inserted else { return [key] }
    return document.members.filter { member in
      member == key || (home != nil && without.document(of: member)?.key == home)
    }
  }

  /// Brings back a delete against an edit that the command settled.
  ///
  /// - Returns: Whether there was one.
  private mutating func reopenLife(of key: EventKey, in document: Document) -> Bool {
    guard document.deleteAgainstEdit == nil, let home = home(of: key, in: document),
      home.deleteAgainstEdit != nil
    else { return false }
    // What was never deleted cannot be in dispute.
    for member in companions(of: key, in: document, for: [.disputed])
    where !(now.entity(of: member)?.deletes.isEmpty ?? true) {
      edits[member, default: [:]][.disputed] = .boolean(true)
      note(Undoing.Reopened(document, nil, []))
    }
    return true
  }

  /// Settles a delete against an edit again that an undo brought back.
  private mutating func undoReopening(of key: EventKey, _ document: Document, _ before: Document) {
    guard document.deleteAgainstEdit != nil, before.deleteAgainstEdit == nil, before.isAlive else {
      return
    }
    restores.insert(key)
  }

  private mutating func note(_ reopened: Undoing.Reopened) { self.reopened.append(reopened) }

  private mutating func leave(_ document: Document, _ field: Field?, _ reason: Undoing.Reason) {
    left.append(
      Undoing.Left(kind: document.kind, id: document.id, field: field, reason: reason))
  }
}
