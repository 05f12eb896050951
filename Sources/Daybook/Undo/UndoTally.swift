import Domain

/// The records that the events of an undo would restore, delete and edit, each counted once.
///
/// A date of a repeating to-do is a part of that to-do, and a join is a part of the records that it joins, so events
/// about dates and joins are edits.
struct UndoTally {
  private(set) var restored: Set<EventKey> = []
  private(set) var deleted: Set<EventKey> = []
  private(set) var edited: Set<EventKey> = []

  init(of drafts: [Draft], in records: Records) {
    for draft in drafts {
      guard case .entity(let key) = draft.body.target else { continue }
      if let whole = Self.whole(of: key, in: records) {
        edited.insert(whole)
      } else {
        note(draft.body.verb, key, shown: records.shownMember(of: key) ?? key)
      }
    }
    edited.subtract(restored.union(deleted))
  }

  private mutating func note(_ verb: Verb, _ key: EventKey, shown: EventKey) {
    switch verb {
    case .restore: restored.insert(key)
    case .delete: deleted.insert(key)
    default: edited.insert(shown)
    }
  }

  /// The record that an occurrence or a join is a part of; nil for other entities.
  private static func whole(of key: EventKey, in records: Records) -> EventKey? {
    guard let document = records.document(of: key) else {
      return records.entity(of: key)?.birth?.joins.first.map { records.shownMember(of: $0) ?? $0 }
    }
    guard document.isOccurrence, let owner = document.value(.owner).reference else { return nil }
    return records.shownMember(of: owner) ?? owner
  }
}
