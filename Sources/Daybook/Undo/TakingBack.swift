import Domain

/// The plan of an undo: the events that it would write, and the obstacles to it.
struct TakingBack {
  var undoing: Undoing
  /// The edits that other devices have since made to fields that the undone commands wrote.
  var edits: [EditSince]
  /// Whether ``edits`` contains fields that the undone commands edited, other than fields of records that they added.
  var editsFields: Bool
  /// The records that the undone commands added and on which later events depend, by the keys of their documents.
  ///
  /// Unless the undo is forced, these records are kept.
  var dependences: [EventKey: Dependence]
  var shared: [SharedWrites] = []
  /// The edits that restore records' own values before the records are deleted.
  ///
  /// These edits are not reported, because only a restore shows their effect.
  var ownValues: [Draft] = []

  /// The records of ``dependences``, in order.
  var dependedOn: [Dependence] { dependences.sorted { $0.key < $1.key }.map(\.value) }

  /// The edits that stop the undo unless it is forced.
  ///
  /// A record that the commands added is kept if it has been edited since, and the rest is undone. The edits of such
  /// records stop the undo only if they are all that is left to undo.
  var obstacles: [EditSince] { editsFields || undoing.drafts.isEmpty ? edits : [] }

  /// Whether the undo would write no events and report nothing.
  var isNothing: Bool {
    undoing.drafts.isEmpty && undoing.left.isEmpty && dependences.isEmpty
  }

  /// Opens occurrences again instead of deleting them, where that changes anything.
  ///
  /// The edits of these occurrences are decided again, because the undo was decided without the members that are kept.
  ///
  /// - Parameters:
  ///   - members: The members of occurrences that are kept.
  ///   - records: All records.
  ///   - before: The records without the undone commands, but with the members, which then have no values.
  mutating func reopen(_ members: Set<EventKey>, in records: Records, as before: Records) {
    undoing = undoing.withoutDeletes(of: members.contains)
    let all = Set(members.compactMap(records.document(of:)).flatMap(\.members))
    let deleted = Set(undoing.drafts.compactMap(\.deleted))
    undoing.drafts.removeAll { $0.edited.map(all.contains) ?? false }
    let reversion = Reversion(of: records, to: before)
    for member in all.subtracting(deleted).sorted() where before.entity(of: member)?.birth != nil {
      guard let draft = reversion.edit(of: member) else { continue }
      undoing.drafts.append(draft)
      if let key = records.shownMember(of: member) { dependences[key] = nil }
    }
  }
}

extension Undoing {
  /// The same undo without the deletes of the given documents.
  func sparing(_ spared: [EventKey: Dependence], in records: Records) -> Undoing {
    withoutDeletes { records.document(of: $0).map { spared[$0.key] != nil } ?? false }
  }

  fileprivate func withoutDeletes(of isKept: (EventKey) -> Bool) -> Undoing {
    var undoing = self
    undoing.drafts.removeAll { $0.deleted.map(isKept) ?? false }
    return undoing
  }
}

extension Draft {
  /// The entity that the draft deletes; nil if it deletes none.
  var deleted: EventKey? { target(of: .delete) }

  /// The entity that the draft edits; nil if it edits none.
  fileprivate var edited: EventKey? { target(of: .edit) }

  private func target(of verb: Verb) -> EventKey? {
    guard body.verb == verb, case .entity(let key) = body.target else { return nil }
    return key
  }
}
