internal import Domain
internal import SQLite

/// Updates the rows of repeating to-dos after a commit has written all other rows.
///
/// The row of a series shows its current occurrence, so it depends on the stored occurrences. The row of a sub-task of
/// a series depends on the slot of the series, and the row of a closed occurrence depends on its series, whose title it
/// inherits. These rows are computed again whenever one of the to-dos that they depend on is written.
struct RepeatUpdater {
  let tables: TableConnection
  let rowWriter: RowWriter
  /// The records of the commit.
  let records: Records

  private var occurrences: OccurrenceQueries { OccurrenceQueries(tables: tables) }
  private var subtasks: SubtaskQueries { SubtaskQueries(tables: tables) }

  func update(
    _ touched: TouchedRepeats, counting counts: inout TodoCounts
  ) throws(ReadModelError) {
    guard !touched.todos.isEmpty else { return }
    let hasOccurrences = try !occurrences.isEmpty()
    guard hasOccurrences || !touched.series.isEmpty || !touched.owners.isEmpty else { return }
    let owners = try owners(of: touched, hasOccurrences)
    var stale: [EventKey: Set<EventKey>] = [:]
    // A sub-task shows the slot of its series, and an occurrence has the values of its owner, so both come later.
    for owner in owners.series + owners.subtasks {
      stale[owner] = try writeRow(of: owner, touched, counting: &counts)
    }
    for owner in owners.none { stale[owner] = Set(try occurrences.keys(of: owner)) }
    var rest = touched.occurrences
    for (owner, keys) in stale.sorted(by: { $0.key < $1.key }) {
      let own = Set(try occurrences.keys(of: owner)).intersection(rest)
      rest.subtract(own)
      try writeOccurrences(keys.union(own).sorted(), of: owner, counting: &counts)
    }
    // The owners of the remaining occurrences are unknown.
    for key in rest.sorted() { try write(key, nil, counting: &counts) }
  }

  // MARK: The to-dos that are affected

  /// The shown members of to-dos whose rows, or the rows of whose occurrences, may be out of date.
  private struct Owners {
    var series: [EventKey] = []
    var subtasks: [EventKey] = []
    /// To-dos that are dead or cannot have occurrences.
    var none: [EventKey] = []
  }

  private func owners(
    of touched: TouchedRepeats, _ hasOccurrences: Bool
  ) throws(ReadModelError) -> Owners {
    let documents = DocumentQueries(tables: tables)
    var keys = touched.series
    for owner in touched.owners {
      if let key = try documents.document(owner)?.key { keys.insert(key) }
    }
    if hasOccurrences {
      for key in touched.todos where try occurrences.hasAny(of: key) {
        if let shown = try documents.document(key)?.key { keys.insert(shown) }
      }
      for key in try subtasks.dependents(of: touched.todos.union(keys))
      where try occurrences.hasAny(of: key) { keys.insert(key) }
    }
    var owners = Owners()
    for key in keys.sorted() {
      guard let content = try content(of: key), content.owner == nil else {
        owners.none.append(key)
        continue
      }
      if content.hasRule { owners.series.append(key) } else { owners.subtasks.append(key) }
    }
    return owners
  }

  // MARK: Rows of series and of their sub-tasks

  /// Writes the row of a to-do that repeats or has occurrences.
  ///
  /// - Returns: The occurrences whose rows may be out of date.
  private func writeRow(
    of owner: EventKey, _ touched: TouchedRepeats, counting counts: inout TodoCounts
  ) throws(ReadModelError) -> Set<EventKey> {
    guard let content = try content(of: owner) else { return [] }
    var recurrence = try recurrence(of: content)
    // A sub-task shows a slot only for the sake of its occurrences.
    if recurrence?.isOfSubtask == true, try !occurrences.hasAny(of: owner) { recurrence = nil }
    var shown = content
    if let recurrence {
      var stored: [DocumentContent] = []
      for one in recurrence.stored {
        if let content = try self.content(of: one.key) { stored.append(content) }
      }
      shown =
        recurrence.isOfSubtask
        ? content.asSubtask(recurrence, stored) : content.asSeries(recurrence, stored)
    }
    let (old, new) = try write(owner, shown, counting: &counts)
    // Occurrences inherit the values of the to-do itself. Its row does not show whether these values have changed,
    // because the current occurrence may have a title, a note or a due time of its own.
    if touched.todos.contains(owner) { return Set(try occurrences.keys(of: owner)) }
    // The occurrences of a series have rows regardless of its slot. The row of a sub-task stands for the sub-task's
    // occurrence in the slot that the row shows, if there is such an occurrence.
    guard recurrence?.isOfSubtask != false else { return [] }
    let slots = [old, new].map { $0.flatMap(SlotColumn.slot(in:)) } + [touched.slots[owner]]
    return Set(try occurrences.keys(of: owner, at: slots.compactMap(\.self)))
  }

  /// How a to-do repeats; see ``Records/recurrence(of:)``.
  private func recurrence(of content: DocumentContent) throws(ReadModelError) -> Recurrence? {
    try RepeatReader(tables: tables).recurrence(of: content) { key throws(ReadModelError) in
      try self.content(of: key)
    }
  }

  // MARK: Rows of occurrences

  private func writeOccurrences(
    _ keys: [EventKey], of owner: EventKey, counting counts: inout TodoCounts
  ) throws(ReadModelError) {
    guard !keys.isEmpty else { return }
    guard let owner = try content(of: owner), owner.owner == nil else {
      for key in keys { try write(key, nil, counting: &counts) }
      return
    }
    let recurrence = try recurrence(of: owner)
    for key in keys {
      let own = try content(of: key)
      try write(key, own?.asOccurrence(of: owner, recurrence), counting: &counts)
    }
  }

  @discardableResult
  private func write(
    _ key: EventKey, _ content: DocumentContent?, counting counts: inout TodoCounts
  ) throws(ReadModelError) -> (old: [SQLiteValue]?, new: [SQLiteValue]?) {
    do throws(SQLiteError) {
      return try rowWriter.writeTodo(key, content, counting: &counts)
    } catch {
      throw ReadModelError(error)
    }
  }

  /// The content of the living to-do that an entity belongs to; nil if there is none.
  private func content(of key: EventKey) throws(ReadModelError) -> DocumentContent? {
    let records =
      records.entities[key] != nil
      ? records
      : try RecordReader(tables: tables).hydrate([key], causality: records.causality)
    guard let document = records.document(of: key), document.isAlive, document.kind == .todo else {
      return nil
    }
    return DocumentContent(document, in: records)
  }
}
