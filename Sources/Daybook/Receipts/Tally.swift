package import Domain
import ReadModel

/// The numbers of records of one kind that were added, changed, restored and deleted, and of pairs that were joined or
/// separated.
package struct Tally: Hashable, Sendable {
  /// A change to a record.
  package enum Deed: Hashable, Sendable { case added, changed, restored, deleted }

  package var kind: Kind
  package var added: Int
  package var changed: Int
  package var restored: Int
  package var deleted: Int
  package var merged: Int
  package var parted: Int

  package init(
    kind: Kind, added: Int = 0, changed: Int = 0, restored: Int = 0, deleted: Int = 0,
    merged: Int = 0, parted: Int = 0
  ) {
    (self.kind, self.added, self.changed) = (kind, added, changed)
    (self.restored, self.deleted) = (restored, deleted)
    (self.merged, self.parted) = (merged, parted)
  }
}

/// Counts the changes made by one device's facts, counting each record once.
struct TallyCounter {
  private struct Deed {
    var kind: Kind?
    var isAdded = false
    /// Whether the last event deleted the record.
    var isDeleted = false
    var isRestored = false

    mutating func take(_ verb: Verb) {
      // A record that is deleted and restored in one batch was never deleted for other devices.
      if verb == .restore { isRestored = isRestored || !isDeleted }
      isDeleted = verb == .delete
      if isDeleted { isRestored = false }
    }

    var kindOfDeed: Tally.Deed {
      isDeleted ? .deleted : isAdded ? .added : isRestored ? .restored : .changed
    }
  }

  private var deeds: [EventKey: Deed]
  /// The aliases that the facts add, each with one of the two records that it joins.
  private var aliases: [EventKey: EventKey] = [:]
  /// The occurrences, each of which is a change to the to-do that it belongs to.
  private var occurrences: [EventKey: EventKey] = [:]

  /// Reserves space for the given number of records.
  init(capacity: Int = 0) { deeds = Dictionary(minimumCapacity: capacity) }

  /// Adds the facts of a log, in order.
  mutating func take(_ fact: Fact) {
    switch (fact.body.verb, fact.body.target) {
    case (.add, .kind(let kind)): deeds[fact.key] = Deed(kind: kind, isAdded: true)
    case (.alias, .entity(let end)):
      aliases[fact.key] = end
      deeds[fact.key] = Deed(isAdded: true)
    case (let verb, .entity(let key)): deeds[key, default: Deed()].take(verb)
    default: break
    }
  }

  /// The entities whose kind cannot be determined from the facts.
  ///
  /// Such an entity may be a record or an alias.
  var nameless: [EventKey] { deeds.filter { $0.value.kind == nil }.keys.sorted() }

  /// Adds the records that are joined by aliases that the facts only delete or restore.
  mutating func note(_ aliases: [EventKey: EventKey]) {
    self.aliases.merge(aliases) { known, _ in known }
  }

  /// The to-dos of the facts, which may be occurrences, given the documents of the entities without a kind.
  func todos(_ infos: [EventKey: DocumentInfo]) -> Set<EventKey> {
    Set(deeds.filter { key, deed in (deed.kind ?? infos[key]?.kind) == .todo }.keys)
  }

  /// Whether the facts ultimately delete an entity.
  func deletes(_ key: EventKey) -> Bool { deeds[key]?.isDeleted ?? false }

  /// Notes which of the to-dos are occurrences, with the shown members of the to-dos that they belong to.
  mutating func note(occurrences: [EventKey: EventKey]) { self.occurrences = occurrences }

  /// The records that the aliases join.
  var ends: [EventKey] { aliases.values.sorted() }

  /// The documents that the aliases join, except those that are deleted again.
  func joined(_ infos: [EventKey: DocumentInfo]) -> Set<EventKey> {
    Set(
      aliases.compactMap { alias, end in
        deeds[alias]?.isDeleted == true ? nil : infos[end]?.key
      })
  }

  /// The living documents with a member that the facts delete and do not add.
  func kept(_ infos: [EventKey: DocumentInfo]) -> Set<EventKey> {
    Set(
      deeds.compactMap { key, deed in
        guard deed.isDeleted, !deed.isAdded, aliases[key] == nil, let info = infos[key],
          info.isAlive
        else { return nil }
        return info.key
      })
  }

  /// The records, except aliases, with the final change to each; nil if there are more than the limit.
  func records(
    _ infos: [EventKey: DocumentInfo], atMost most: Int
  ) -> [(key: EventKey, deed: Tally.Deed)]? {
    // If a document has several members, the first one determines the change.
    var first: [EventKey: EventKey] = [:]
    for key in deeds.keys where aliases[key] == nil {
      let shown = occurrences[key] ?? infos[key]?.key ?? key
      first[shown] = first[shown].map { earlier($0, key) } ?? key
      if first.count > most { return nil }
    }
    return first.sorted { $0.value < $1.value }.map { shown, key in
      let deed = deeds[key] ?? Deed()
      return (shown, occurrences[key] == nil ? deed.kindOfDeed : .changed)
    }
  }

  /// Whichever of two entities determines the change to their record: an entity that is not an occurrence of it,
  /// otherwise the first.
  private func earlier(_ left: EventKey, _ right: EventKey) -> EventKey {
    let isOccurrence = (occurrences[left] != nil, occurrences[right] != nil)
    guard isOccurrence.0 == isOccurrence.1 else { return isOccurrence.0 ? right : left }
    return min(left, right)
  }

  /// The deleted records that may have children, and the changed records that may have parents.
  func parting(_ infos: [EventKey: DocumentInfo]) -> ChangeSummary.Parting {
    var parting = ChangeSummary.Parting()
    for (key, deed) in deeds where !deed.isAdded {
      guard let info = infos[key], aliases[key] == nil else { continue }
      switch info.kind {
      case .list, .question: if !info.isAlive { parting.deletedParents.insert(info.key) }
      case .choice: if info.isAlive { parting.changedChildren.insert(info.key) }
      case .todo:
        if info.isAlive {
          parting.changedChildren.insert(info.key)
        } else {
          parting.deletedTodos.insert(info.key)
        }
      default: break
      }
    }
    return parting
  }

  /// The sums, given the documents of the entities without a kind.
  ///
  /// A record that was added and deleted is counted as both.
  func tallies(_ infos: [EventKey: DocumentInfo]) -> [Tally] {
    var tallies: [Kind: Tally] = [:]
    var known: Set<EventKey> = []
    // The order determines which member is counted for a document. Without known documents, the order does not matter.
    let ordered =
      infos.isEmpty && occurrences.isEmpty
      ? Array(deeds)
      : deeds.sorted { left, right in
        // If both a to-do and an occurrence of it have changed, only the change to the to-do counts.
        let isOccurrence = (occurrences[left.key] != nil, occurrences[right.key] != nil)
        return isOccurrence.0 == isOccurrence.1 ? left.key < right.key : isOccurrence.1
      }
    for (key, deed) in ordered {
      if let end = aliases[key] {
        guard let kind = infos[end]?.kind else { continue }
        if deed.isDeleted { tallies[kind, default: Tally(kind: kind)].parted += 1 }
        if deed.isAdded || !deed.isDeleted {
          tallies[kind, default: Tally(kind: kind)].merged += 1
        }
        continue
      }
      let info = infos[key]
      guard let kind = deed.kind ?? info?.kind else { continue }
      if let series = occurrences[key] {
        guard deeds[series]?.isAdded != true, known.insert(series).inserted else { continue }
        tallies[kind, default: Tally(kind: kind)].changed += 1
        continue
      }
      // Several members of one document are one record, although each has an event.
      if let shown = info?.key, !known.insert(shown).inserted { continue }
      var tally = tallies[kind] ?? Tally(kind: kind)
      if deed.isAdded { tally.added += 1 }
      if deed.isDeleted { tally.deleted += 1 }
      if !deed.isAdded, !deed.isDeleted {
        if deed.isRestored { tally.restored += 1 } else { tally.changed += 1 }
      }
      tallies[kind] = tally
    }
    return tallies.values.sorted { $0.kind < $1.kind }
  }
}
