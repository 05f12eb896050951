package import Domain

extension OperationPlanner {
  /// The events that an import has produced so far, and the time at which they are written.
  package struct Bringing {
    package let now: Int64
    /// Returns whether an event belongs to this import.
    package let includes: (EventKey) -> Bool

    package init(now: Int64, includes: @escaping (EventKey) -> Bool) {
      (self.now, self.includes) = (now, includes)
    }
  }

  /// Returns the *when* of the events for an operation: the operation's time, unless that would date a change before
  /// the value that it replaces.
  ///
  /// A change to a value that the book already had is dated at the time of the import, so that the earlier history of
  /// the book does not change. If the operations of the import are not in chronological order, a change to a later
  /// value from the same import gets the time of that value.
  ///
  /// - Parameters:
  ///   - drafts: The events.
  ///   - time: The time of the operation.
  ///   - records: The records before the events.
  ///   - bringing: The import.
  /// - Returns: The *when*; nil if the events need no *when*.
  package func date(
    _ drafts: [Draft], at time: Int64?, on records: Records, _ bringing: Bringing
  ) -> Int64? {
    guard let time else { return nil }
    let later = drafts.flatMap { records.replaced(by: $0) }.filter { mark in
      mark.effectiveTime > time || mark.effectiveTime == time && !bringing.includes(mark.key)
    }
    guard let last = later.map(\.effectiveTime).max() else { return time }
    guard later.allSatisfy({ bringing.includes($0.key) }) else { return nil }
    return last == bringing.now ? nil : last
  }
}

extension Draft {
  /// Returns the draft with a completion time if it marks a to-do as done without one.
  ///
  /// The draft needs the time if its event is not dated at that time.
  package func completed(at time: Int64?) -> Draft {
    guard let time, body.verb == .edit,
      body.writes.contains(Write(Field.Todo.done, .boolean(true))),
      !body.writes.contains(where: { $0.field == Field.Todo.completedAt })
    else { return self }
    var draft = self
    draft.body.writes.append(Write(Field.Todo.completedAt, .integer(time)))
    return draft
  }
}

extension Records {
  /// Returns the events whose effects are no longer shown after a draft, and the event that added the draft's record.
  fileprivate func replaced(by draft: Draft) -> [Mark] {
    guard case .entity(let key) = draft.body.target, let entity = entity(of: key) else { return [] }
    var marks = entity.deletes
    if let birth = entity.birth {
      marks.append(Mark(key: key, time: birth.time, effectiveTime: birth.effectiveTime))
    }
    // These events are the reason why the record has been shown.
    if draft.body.verb == .delete { marks += entity.givers }
    for write in draft.body.writes where write.field >= .source {
      marks += entity.writes(of: write.field).map(\.mark)
      // A tag may also be in a list of tags.
      if write.field.isTag { marks += entity.writes(of: .tags).map(\.mark) }
      guard write.field == Field.Todo.completedAt, entity.kind == .todo else { continue }
      // Writing the state of a to-do also writes its completion.
      marks += entity.writes(of: Field.Todo.done).map(\.mark)
    }
    return marks
  }
}

extension Stored {
  fileprivate var mark: Mark { Mark(key: key, time: time, effectiveTime: effectiveTime) }
}
