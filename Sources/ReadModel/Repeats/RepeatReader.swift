package import Domain
internal import SQLite

/// Reads, from the stored occurrences, how to-dos repeat.
package struct RepeatReader {
  let tables: TableConnection

  private var occurrences: OccurrenceQueries { OccurrenceQueries(tables: tables) }

  /// How a to-do repeats; nil if neither the to-do nor any to-do above it repeats.
  ///
  /// - Parameters:
  ///   - key: A member of the to-do.
  ///   - causality: The causality of all folded events, with the log numbers of this file.
  /// - Returns: How the to-do repeats.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  package func recurrence(
    of key: EventKey, causality: Causality
  ) throws(ReadModelError) -> Recurrence? {
    let reader = RecordReader(tables: tables)
    func content(_ key: EventKey) throws(ReadModelError) -> DocumentContent? {
      let records = try reader.hydrate([key], causality: causality)
      guard let document = records.document(of: key), document.isAlive, document.kind == .todo
      else { return nil }
      return DocumentContent(document, in: records)
    }
    return try tables.snapshot { () throws(ReadModelError) in
      guard let todo = try content(key), todo.owner == nil else { return nil }
      return try recurrence(of: todo, reading: content)
    }
  }

  /// The rows of the closed occurrences of a to-do, latest first, up to a maximum.
  package func closedRows(of todo: EventKey, upTo most: Int) throws(ReadModelError) -> [TodoRow] {
    try tables.snapshot { () throws(ReadModelError) in
      var rows: [TodoRow] = []
      for key in try occurrences.closedKeys(of: todo, upTo: most) {
        if let row = try TodoQueries(tables: tables).todo(key) { rows.append(row) }
      }
      return rows
    }
  }

  /// The to-do that a living occurrence belongs to, as the occurrence names it.
  package func owner(of occurrence: EventKey) throws(ReadModelError) -> EventKey? {
    try tables.rows(
      "SELECT owner_log, owner_sequence FROM occurrence WHERE log = ?1 AND sequence = ?2",
      occurrence.values
    ) { $0.key(0) }.first
  }

  /// The living occurrences of a to-do, even if the to-do itself is deleted.
  ///
  /// - Parameter todo: A member of the to-do.
  /// - Returns: The keys of the occurrences, in no particular order.
  /// - Throws: ``ReadModelError`` if the table cannot be read.
  package func occurrenceKeys(of todo: EventKey) throws(ReadModelError) -> [EventKey] {
    try occurrences.keys(of: todo)
  }

  /// Whether any to-do repeats.
  package func hasSeries() throws(ReadModelError) -> Bool {
    try tables.integer("SELECT EXISTS (SELECT 1 FROM todo WHERE repeat IS NOT NULL)") == 1
  }

  /// The to-dos among the given ones that repeat themselves.
  ///
  /// - Parameter keys: The shown members of to-dos.
  /// - Returns: The keys of the series.
  /// - Throws: ``ReadModelError`` if the table cannot be read.
  package func series(among keys: Set<EventKey>) throws(ReadModelError) -> Set<EventKey> {
    let all = try tables.rows("SELECT log, sequence FROM todo WHERE repeat IS NOT NULL") {
      $0.key(0)
    }
    return keys.intersection(all)
  }

  /// The to-dos that living occurrences belong to.
  ///
  /// - Parameter keys: Members of to-dos, which need not be occurrences.
  /// - Returns: The shown member of each series, keyed by the member of the occurrence.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  package func series(of keys: Set<EventKey>) throws(ReadModelError) -> [EventKey: EventKey] {
    guard !keys.isEmpty, try !occurrences.isEmpty() else { return [:] }
    return try tables.snapshot { () throws(ReadModelError) in
      var series: [EventKey: EventKey] = [:]
      func note(_ condition: String, _ values: [SQLiteValue]) throws(ReadModelError) {
        for (key, owner) in try tables.rows(
          Self.owners + condition, values, { ($0.key(0), $0.keyOrNil(2)) })
        where keys.contains(key) { series[key] = owner }
      }
      // Beyond some number of keys, reading all occurrences is faster.
      guard keys.count < 1_000 else {
        try note("", [])
        return series
      }
      for key in keys { try note("WHERE member.log = ?1 AND member.sequence = ?2", key.values) }
      return series
    }
  }

  private static let owners = """
    SELECT member.log, member.sequence, owner.shown_log, owner.shown_sequence
    FROM occurrence
    JOIN entity AS member
      ON member.shown_log = occurrence.log AND member.shown_sequence = occurrence.sequence
    JOIN entity AS owner
      ON owner.log = occurrence.owner_log AND owner.sequence = occurrence.owner_sequence

    """

  /// How a to-do repeats, given a function that reads the content of living to-dos.
  func recurrence(
    of content: DocumentContent,
    reading read: (EventKey) throws(ReadModelError) -> DocumentContent?
  ) throws(ReadModelError) -> Recurrence? {
    if let state = try state(of: content) {
      return Recurrence(state, try occurrences.occurrences(of: content.key))
    }
    guard content.reference(Field.Todo.parent) != nil, let above = try seriesAbove(content, read)
    else { return nil }
    return Recurrence(subtaskWith: try occurrences.occurrences(of: content.key), of: above)
  }

  /// The state of a series; nil if the to-do does not repeat.
  private func state(of content: DocumentContent) throws(ReadModelError) -> SeriesState? {
    guard content.hasRule, !content.isOccurrence,
      let series = Series(reading: { content.value($0) })
    else { return nil }
    return SeriesState(series, try occurrences.occurrences(of: content.key))
  }

  /// The state of the nearest series above a sub-task.
  private func seriesAbove(
    _ content: DocumentContent, _ read: (EventKey) throws(ReadModelError) -> DocumentContent?
  ) throws(ReadModelError) -> SeriesState? {
    let subtasks = SubtaskQueries(tables: tables)
    var below = content.key
    while let key = try subtasks.parents(of: [below])[below] {
      if let above = try read(key), let state = try state(of: above) { return state }
      below = key
    }
    return nil
  }
}
