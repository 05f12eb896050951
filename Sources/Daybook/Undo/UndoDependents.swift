import Bytes
import Domain

/// Finds the records that an undo would delete although later events depend on them.
///
/// Unless it is forced, an undo keeps such a record. A record has dependents if a command that is not undone has since
/// given it a child, or if another device has since written to it. A child that is kept also keeps its parent.
/// `protocol.md` specifies no rule for this, because other devices treat these deletes like any other deletes.
struct UndoDependents {
  let records: Records
  let causality: Causality
  /// The facts of the undone commands.
  let facts: [Fact]
  /// The facts of the commands that the undone commands go back to; for a redo, the commands that the redo brought
  /// back.
  let origins: [Fact]
  /// Whether an event counts as written by another device.
  let isOther: (EventKey) -> Bool
  /// Whether an event belongs to an undo, which restores earlier values.
  let isUndo: (EventKey) -> Bool
  /// The name of the device that writes a log, given the number of the log.
  let deviceName: (UInt32) -> String

  /// The records that the undo would delete although something depends on them, by the keys of their documents.
  func dependences(of undoing: Undoing) -> [EventKey: Dependence] {
    let deletes = Set(undoing.drafts.compactMap(\.deleted))
    var doomed: [EventKey: Document] = [:]
    for key in deletes {
      guard let document = records.document(of: key), document.isAlive else { continue }
      let stays = document.members.contains { records.isAlive($0) && !deletes.contains($0) }
      if !stays { doomed[document.key] = document }
    }
    guard !doomed.isEmpty else { return [:] }
    let children = children(of: doomed)
    var found: [EventKey: Dependence] = [:]
    // A record that is kept also keeps its parent, so repeat until no more such records are found.
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (key, document) in doomed where found[key] == nil {
        let dependents =
          (children[key] ?? []).filter { child in
            let goes = doomed[child.document.key] != nil && found[child.document.key] == nil
            return !goes && (isSince(child.naming) || doomed[child.document.key] != nil)
          }.map { child in
            var dependent = dependent(child.document, by: child.naming)
            dependent.isFromBefore = !isSince(child.naming)
            return dependent
          } + editors(of: document, deletes)
        guard !dependents.isEmpty else { continue }
        found[key] = Dependence(
          kind: document.kind, id: document.id, title: document.title,
          dependents: Set(dependents).sorted { ($0.title, $0.id) < ($1.title, $1.id) })
        isGrowing = true
      }
    }
    return found
  }

  /// The members of occurrences that the undo would delete although something depends on them.
  ///
  /// The members of an occurrence are counted one by one. If two devices have closed one date, each of them added a
  /// member, and a later edit is stored in one of the two.
  func occurrences(among found: [EventKey: Dependence], of undoing: Undoing) -> Set<EventKey> {
    Set(
      undoing.drafts.compactMap(\.deleted).filter { key in
        guard let document = records.document(of: key), document.isOccurrence else { return false }
        return found[document.key] != nil || !writesOfOthers(to: key).isEmpty
      })
  }

  /// Finds the fields that were written with knowledge of an undone join and that stay in a separated record.
  ///
  /// A write to joined records is stored in one of them or in several, and each keeps what is stored in it.
  ///
  /// - Parameter without: The records as they are after the undo.
  /// - Returns: The fields, with the records that keep them, in the order of the joins.
  func sharedWrites(without: Records) -> [SharedWrites] {
    let joins = facts.filter { $0.body.verb == .alias }
    let isLater = { [causality, isUndo] (event: EventKey) in
      !isUndo(event) && joins.contains { causality.past(of: event, includes: $0.key) }
    }
    var shared: [(document: EventKey, writes: SharedWrites)] = []
    var parts: [EventKey: Set<EventKey>] = [:]
    for end in joins.flatMap(\.joined) {
      guard let document = records.document(of: end), let part = without.document(of: end),
        part.members.count < document.members.count,
        parts[document.key, default: []].insert(part.key).inserted
      else { continue }
      let fields = keptFields(of: part, in: without, since: isLater)
      if fields.isEmpty { continue }
      let record = SharedWrites.Record(id: part.id, title: part.title)
      let place = shared.firstIndex { $0.document == document.key && $0.writes.fields == fields }
      if let place {
        shared[place].writes.records.append(record)
      } else {
        let writes = SharedWrites(kind: part.kind, records: [record], fields: fields)
        shared.append((document.key, writes))
      }
    }
    return shared.map { document, writes in
      var writes = writes
      writes.isOfAll = writes.records.count == parts[document]?.count
      return writes
    }
  }

  /// The fields of a separated record that show a later write, unless an earlier write has the same value.
  private func keptFields(
    of part: Document, in without: Records, since isLater: (EventKey) -> Bool
  ) -> [Field] {
    let entities = part.members.compactMap(without.entity(of:))
    let fields = part.fields.filter { shown in
      let earlier = entities.flatMap { $0.writes(of: shown.field) }
        .filter { !isLater($0.key) }.map(\.value)
      return shown.survivors.contains { isLater($0.key) && !earlier.contains($0.value) }
    }
    return Set(fields.map { $0.field.isTag ? .tags : $0.field }).sorted()
  }

  /// A living document, and the write that refers to its parent.
  private struct Child {
    let document: Document
    let naming: EventKey
  }

  private func children(of parents: [EventKey: Document]) -> [EventKey: [Child]] {
    guard parents.values.contains(where: { [.list, .question, .todo].contains($0.kind) }) else {
      return [:]
    }
    var children: [EventKey: [Child]] = [:]
    for kind in [Kind.todo, .choice, .pick] {
      for document in records.documents(kind) where document.isAlive {
        for shown in document.fields where shown.field.makesChild(in: kind) {
          guard let parent = shown.value.reference.flatMap(records.document(of:))?.key,
            parents[parent] != nil, let naming = shown.survivors.first?.key
          else { continue }
          children[parent, default: []].append(Child(document: document, naming: naming))
        }
      }
    }
    return children
  }

  /// The other devices that have written to members that would be deleted.
  private func editors(
    of document: Document, _ deletes: Set<EventKey>
  ) -> [Dependence.Dependent] {
    document.members.filter(deletes.contains).flatMap(writesOfOthers).map {
      dependent(document, by: $0.key)
    }
  }

  /// The last writes of other devices to each field of an entity, later than or concurrent with the undone commands.
  ///
  /// A write that this device has since replaced also counts, because it shows again once the replacement is undone.
  private func writesOfOthers(to key: EventKey) -> [Stored] {
    (records.entity(of: key)?.writes ?? []).filter { isOther($0.key) && isSince($0.key) }
  }

  /// Whether an event is later than, or concurrent with, each event of the origins.
  private func isSince(_ event: EventKey) -> Bool {
    !origins.contains { $0.key == event || causality.past(of: $0.key, includes: event) }
  }

  private func dependent(_ document: Document, by event: EventKey) -> Dependence.Dependent {
    Dependence.Dependent(
      kind: document.kind, id: document.id, title: document.title, device: deviceName(event.log))
  }
}

extension Field {
  /// Whether the field makes a record a child of another record: an entry of a list or question, or a sub-task.
  fileprivate func makesChild(in kind: Kind) -> Bool {
    namesParent(in: kind) || Schema.field(self, of: kind)?.type == .reference(kind)
  }
}
