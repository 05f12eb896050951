import Bytes

/// Decides the events that undo a command, so that records look as they would without its events.
///
/// Values, lives and joins are written only where the result differs from what is shown now. A field that has since
/// been changed looks the same with and without the command, so it is left unchanged. A conflict that the command
/// settled is opened again with its values. The undo of an undo is a redo.
///
/// - Parameters:
///   - facts: The events of the command.
///   - now: All records.
///   - without: The records without the command's events, but with the causality of the whole set.
///   - parted: The records of `now` without the command's joins, which show each part of a document that the undo
///     separates; nil if the command has no joins. Without these records, values written to the joined document would
///     remain in each part.
///   - born: Entities whose adds take effect again with this undo, if it redoes an add. If such an entity was dead
///     anyway when its add was undone, no event deletes it.
///   - takenBack: The entities whose adds are undone. Undoing a delete does not restore these entities, because it may
///     be their only delete.
/// - Returns: The drafts to write, the fields and lives left unchanged, and the conflicts that are open again.
package func undo(
  _ facts: [Fact], now: some Shelf, without: some Shelf, parted: Records? = nil,
  born: Set<EventKey> = [], takenBack: Set<EventKey> = []
) -> Undoing {
  let trace = CommandTrace(facts)
  var plan = UndoPlan(
    now: KnownShelf(now), without: KnownShelf(without), parted: parted.map(KnownShelf.init),
    takenBack: takenBack, separated: trace.entitiesOfJoins(in: now))
  for key in trace.lives.union(born).sorted() {
    plan.undoLife(
      of: key, isMeant: trace.lifeVerbs.contains(key), isDeleted: trace.deleted.contains(key))
  }
  for key in trace.fields.keys.sorted() {
    for field in (trace.fields[key] ?? []).sorted() { plan.undoWrite(of: field, in: key) }
  }
  plan.leaveDisputesOpen()
  return plan.undoing
}

/// Identifies members of a document that would share a document without the command, and the fields to write to them.
private struct JoinedMembers: Hashable {
  let document: EventKey
  let home: EventKey?
  let fields: [Field]
}

/// Elements in the order in which they were first appended, each once.
private struct Distinct<Element: Hashable> {
  private(set) var elements: [Element] = []
  private var known: Set<Element> = []

  mutating func append(_ element: Element) {
    if known.insert(element).inserted { elements.append(element) }
  }
}

/// Collects the writes of an undo, each once.
private struct UndoPlan<Now: Shelf, Without: Shelf> {
  let now: KnownShelf<Now>
  let without: KnownShelf<Without>
  let parted: KnownShelf<Records>?
  /// The entities whose adds are undone.
  let takenBack: Set<EventKey>
  /// The entities that the command joined or wrote to; nil if it joined none.
  ///
  /// The undo of a join writes only to these entities. Other devices may since have joined additional entities with
  /// them, and those entities never had values from this command.
  let separated: Set<EventKey>?
  private var restores: Set<EventKey> = []
  private var deletes: Set<EventKey> = []
  /// The members of the documents that must be dead after the undo.
  private var doomed: Set<EventKey> = []
  private var edits: [EventKey: [Field: Value]] = [:]
  /// The sets of members that `companions` has already returned in full.
  private var households: Set<JoinedMembers> = []
  private var left = Distinct<Undoing.Left>()
  private var reopened = Distinct<Undoing.Reopened>()

  init(
    now: KnownShelf<Now>, without: KnownShelf<Without>, parted: KnownShelf<Records>?,
    takenBack: Set<EventKey>, separated: Set<EventKey>?
  ) {
    (self.now, self.without, self.parted) = (now, without, parted)
    (self.takenBack, self.separated) = (takenBack, separated)
  }

  /// The drafts in order, with the fields and lives left unchanged and the conflicts that are open again.
  ///
  /// Restores come first and deletes last, so that no edit is written to a deleted document. An edit gives life to the
  /// member that it is written to, so if the document must end up dead, that member is also deleted. Among the edits,
  /// those that reopen a dispute come last, because every later edit of the document would settle the dispute. Edits of
  /// to-dos precede those of the lists that they may name.
  var undoing: Undoing {
    let deletes = deletes.union(doomed.intersection(edits.keys))
    let edits = edits.sorted { left, right in
      let (first, second) = (rank(of: left.value), rank(of: right.value))
      return first == second ? left.key < right.key : first < second
    }.map { key, values in
      let writes = values.sorted { $0.key < $1.key }.map { Write($0.key, $0.value) }
      return Draft(.edit, .entity(key), writes)
    }
    return Undoing(
      drafts: restores.sorted().map { Draft(.restore, .entity($0)) } + edits
        + deletes.sorted().map { Draft(.delete, .entity($0)) },
      left: left.elements.filter { $0.field != .tags || !retagged.contains($0.id) },
      reopened: reopened.elements)
  }

  /// The place of an edit in the order of edits.
  private func rank(of values: [Field: Value]) -> Int {
    guard values[.disputed] != nil else { return 0 }
    return values.values.contains { $0.reference != nil } ? 1 : 2
  }

  /// The records whose tags the undo writes, and therefore does not leave unchanged.
  private var retagged: Set<UniqueID> {
    let entities = edits.lazy.filter { $0.value.keys.contains(where: \.isTag) }.map(\.key)
    return Set(entities.compactMap { now.document(of: $0)?.id })
  }

  mutating func undoLife(of key: EventKey, isMeant: Bool, isDeleted: Bool) {
    guard let document = now.document(of: key) else { return undoJoin(key) }
    let isReopened = reopenLife(of: key, in: document)
    let isBorn = without.document(of: key) == nil
    // An entity that the command added is also deleted if it is a member of a different document.
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
      // For an edit, each field that is left unchanged is reported separately. An entity that the command both added
      // and deleted needs no report, because it would not exist without the command either.
      if isMeant, !isReopened, !deletes.contains(key), document.isAlive || !isBorn {
        leave(document, nil, document.isAlive && !isDeleted ? .keptAnyway : .shownAnyway)
      }
    }
  }

  /// Whether a document that the command deleted is alive because of a write that the delete had not seen.
  ///
  /// The document looks the same without the delete, but the delete would take effect once the other write is undone.
  /// If another delete is in conflict with the same write, that conflict remains open.
  private func isHeldAgainstDelete(_ key: EventKey, in document: Document) -> Bool {
    if without.isAlive(key), !now.isAlive(key) { return true }
    return document.deleteAgainstEdit != nil
      && home(of: key, in: document)?.deleteAgainstEdit == nil
  }

  /// Undoes the add, delete or restore of an alias, which is not a document and has a separate life.
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

  /// For each separated part of a document, writes the values it would show if it had never been joined.
  private mutating func undoWrites(to document: Document) {
    for member in document.members where separated?.contains(member) ?? true {
      guard let part = parted?.document(of: member), let before = without.document(of: member)
      else { continue }
      let fields = Set((part.fields + before.fields).map(\.field)).filter { field in
        Schema.field(field, of: document.kind).map { !$0.isFixed } ?? false
      }
      for field in fields.subtracting([.tags]).union(tagFields(part, before)).sorted()
      where !isShownAnyway(field, part, before) {
        write(field, from: before, to: member)
      }
    }
  }

  mutating func undoWrite(of field: Field, in key: EventKey) {
    // If the command added the document, undoing the add also removes its values. An edit whose add is missing shows
    // nothing.
    guard let document = now.document(of: key), let before = home(of: key, in: document) else {
      return
    }
    guard field != .disputed else { return undoReopening(of: key, document, before) }
    if field == .tags, !isShownAnyway(field, document, before) {
      for tag in tagFields(document, before) { undoWrite(of: tag, in: key) }
      return
    }
    let isTick = document.kind == .todo && field == Field.Todo.done
    let isBorn = without.document(of: key) == nil
    if isShownAnyway(field, document, before) {
      if !isBorn { leave(document, field, .shownAnyway) }
      // The time of completion may still come from the event with which this command marked the to-do as done.
      if isTick, !isShownAnyway(Field.Todo.completedAt, document, before) {
        write([Field.Todo.completedAt], from: before, to: key, in: document)
      }
      return
    }
    // The undo of a delete may write to the document that it restores.
    guard document.isAlive || !restores.isDisjoint(with: document.members),
      !values(of: field, in: before).contains(where: { wouldRevive($0, field, document) })
    else { return leave(document, field, .dead) }
    let values = values(of: field, in: before)
    if values.count > 1 {
      let member = now.entity(of: key)?.id
      note(Undoing.Reopened(document, field, Array(values.dropFirst()), writtenTo: member))
    }
    // Without an explicit time, the time of the undo would count as the time of completion.
    let fields = isTick ? [field, Field.Todo.completedAt] : [field]
    write(fields, from: before, to: key, in: document)
  }

  /// The registers of the tags that only one of two states of a document shows, or that both show in different
  /// spellings.
  ///
  /// The list of tags, which older programs wrote, is not written again.
  private func tagFields(_ document: Document, _ before: Document) -> [Field] {
    Set((document.tags + before.tags).map { Field(tag: $0) }).filter {
      !isShownAnyway($0, document, before)
    }.sorted()
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

  /// The shown value of a field, followed by the values in conflict with it.
  ///
  /// References refer to the documents that the entities belong to now.
  private func values(of field: Field, in document: Document) -> [Value] {
    if field.isTag { return [document.tag(field)] }
    guard let shown = document.shown(field) else { return [.null] }
    let survivors = shown.isConflict ? shown.survivors : Array(shown.survivors.prefix(1))
    return survivors.prefix(1 + Field.mostAlternatives).map { write in
      write.value.reference.map { .reference(now.document(of: $0)?.key ?? $0) } ?? write.value
    }
  }

  private mutating func write(
    _ fields: [Field], from before: Document, to key: EventKey, in document: Document
  ) {
    for member in companions(of: key, in: document, for: fields)
    where separated?.contains(member) ?? true {
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

  /// The document to which an entity belongs in the records without the command.
  ///
  /// For an entity that the command added, the result is the document of the first other member that has such a
  /// document.
  private func home(of key: EventKey, in document: Document) -> Document? {
    without.document(of: key)
      ?? document.members.lazy.compactMap { without.document(of: $0) }.first
  }

  /// The entity itself, and the members of its document that would share a document with it even without the command.
  ///
  /// If these members have already been returned for the same fields, the result is the entity alone. Otherwise, a
  /// command that wrote to each of many members would go through all members for each member.
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

  /// Reopens a conflict between a delete and an edit that the command settled.
  ///
  /// - Returns: Whether there was such a conflict.
  private mutating func reopenLife(of key: EventKey, in document: Document) -> Bool {
    guard document.deleteAgainstEdit == nil,
      let dispute = home(of: key, in: document)?.deleteAgainstEdit
    else { return false }
    // Only the members that were in dispute are again. Another member may have been deleted by this command alone. If
    // it were reopened, it would be in dispute after it is separated, although no other command deleted it.
    for member in companions(of: key, in: document, for: [.disputed])
    where dispute.members.contains(member) {
      edits[member, default: [:]][.disputed] = .boolean(true)
      note(Undoing.Reopened(document, nil, []))
    }
    return true
  }

  /// Settles a conflict between a delete and an edit that an undo had reopened.
  private mutating func undoReopening(of key: EventKey, _ document: Document, _ before: Document) {
    guard document.deleteAgainstEdit != nil, before.deleteAgainstEdit == nil, before.isAlive else {
      return
    }
    restores.insert(key)
  }

  /// Keeps each dispute open that an edit of this undo would settle, although the undone command has not settled it.
  ///
  /// An edit settles the disputes of its document and of the lists that it names.
  mutating func leaveDisputesOpen() {
    for (key, values) in edits.sorted(by: { $0.key < $1.key }) {
      guard let document = now.document(of: key) else { continue }
      let parents = values.filter { $0.key.namesParent(in: document.kind) }
        .compactMap(\.value.reference)
      for entity in [key] + parents.sorted() { leaveDisputeOpen(of: entity) }
    }
  }

  private mutating func leaveDisputeOpen(of key: EventKey) {
    guard let document = now.document(of: key), let dispute = document.deleteAgainstEdit,
      // An undo that restores or deletes the document also decides the dispute.
      restores.union(deletes).union(doomed).isDisjoint(with: document.members),
      // Without the command, the undo that reopened the dispute may be all that gives the document life.
      dispute.isReopened || home(of: key, in: document)?.deleteAgainstEdit != nil
    else { return }
    for member in dispute.members { edits[member, default: [:]][.disputed] = .boolean(true) }
    note(Undoing.Reopened(document, nil, []))
  }

  private mutating func note(_ reopened: Undoing.Reopened) { self.reopened.append(reopened) }

  private mutating func leave(_ document: Document, _ field: Field?, _ reason: Undoing.Reason) {
    let field = field.map { $0.isTag ? .tags : $0 }
    left.append(
      Undoing.Left(kind: document.kind, id: document.id, field: field, reason: reason))
  }
}
