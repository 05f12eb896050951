package import Domain

extension OperationPlanner {
  /// What operations of one import have brought so far, and the clock by which they are carried out.
  package struct Bringing {
    package let now: Int64
    /// Whether an event is one of this import.
    package let includes: (EventKey) -> Bool

    package init(now: Int64, includes: @escaping (EventKey) -> Bool) {
      (self.now, self.includes) = (now, includes)
    }
  }

  /// The *when* of what an operation comes to: its own time, unless what it replaces is as late.
  ///
  /// A change of what the book had is dated when it is made, since what the book showed before then stays its past. One of
  /// what the same import has brought, out of the order of time, is dated as that is.
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
  /// The same with the instant at which a to-do was done, for an event that is not dated then.
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
  /// The events whose effect is not shown any more once a draft is carried out, and the add of its record.
  fileprivate func replaced(by draft: Draft) -> [Mark] {
    guard case .entity(let key) = draft.body.target, let entity = entity(of: key) else { return [] }
    var marks = entity.deletes
    if let birth = entity.birth {
      marks.append(Mark(key: key, time: birth.time, effectiveTime: birth.effectiveTime))
    }
    // Whatever gave it life had it shown until now.
    if draft.body.verb == .delete { marks += entity.givers }
    for write in draft.body.writes where write.field >= .source {
      marks += entity.writes(of: write.field).map(\.mark)
      guard write.field == Field.Todo.completedAt, entity.kind == .todo else { continue }
      // A write of the state is one of the completion, too.
      marks += entity.writes(of: Field.Todo.done).map(\.mark)
    }
    return marks
  }
}

extension Stored {
  fileprivate var mark: Mark { Mark(key: key, time: time, effectiveTime: effectiveTime) }
}
