package import Domain
internal import SQLite

/// Finds the parents and the sub-tasks of to-dos, without the parents that ``TodoParents`` ignores.
///
/// All keys are keys of shown members. A deleted to-do is neither a parent nor a sub-task.
package struct SubtaskQueries {
  let tables: TableConnection

  /// The parents of the given to-dos that have a living parent.
  package func parents(
    of todos: some Sequence<EventKey>
  ) throws(ReadModelError) -> [EventKey: EventKey] {
    try tables.snapshot { () throws(ReadModelError) in
      var written: [EventKey: EventKey] = [:]
      var known: Set<EventKey> = []
      let todos = Array(todos)
      // All ancestors are needed, because a cycle may lead through to-dos that were not requested.
      for todo in todos {
        var next: EventKey? = todo
        while let key = next, known.insert(key).inserted {
          next = try writtenParent(of: key)
          written[key] = next
        }
      }
      let all = try TodoParents.withoutCycles(written) { cycle throws(ReadModelError) in
        try stampsOfParents(of: cycle)
      }
      var parents: [EventKey: EventKey] = [:]
      for todo in todos { parents[todo] = all[todo] }
      return parents
    }
  }

  /// The shown members of a to-do and of its ancestors, including parents that are ignored.
  package func ancestors(of todo: EventKey) throws(ReadModelError) -> [EventKey] {
    try tables.snapshot { () throws(ReadModelError) in
      var ancestors: [EventKey] = []
      var next = try DocumentQueries(tables: tables).document(todo)?.key
      while let key = next, !ancestors.contains(key) {
        ancestors.append(key)
        next = try writtenParent(of: key)
      }
      return ancestors
    }
  }

  /// The sub-tasks of to-dos at any depth, each once and after its parent, without the given to-dos themselves.
  package func descendants(of todos: [EventKey]) throws(ReadModelError) -> [EventKey] {
    try tables.snapshot { () throws(ReadModelError) in
      var known = Set(todos)
      var found: [EventKey] = []
      var next = todos
      while !next.isEmpty {
        var below: [EventKey] = []
        for todo in next { below += try children(of: todo) }
        next = below.filter { known.insert($0).inserted }
        found += next
      }
      return found
    }
  }

  /// The direct sub-tasks of a to-do, in the order of their keys, without the closed occurrences of repeating to-dos.
  package func children(of todo: EventKey) throws(ReadModelError) -> [EventKey] {
    let sql = """
      SELECT todo.log, todo.sequence FROM todo
      JOIN (\(DocumentQueries.members(of: "?1, ?2"))) AS above
        ON parent_log = above.log AND parent_sequence = above.sequence
      WHERE parent_log IS NOT NULL AND series_log IS NULL ORDER BY 1, 2
      """
    let written = try tables.rows(sql, todo.values) { $0.key(0) }
    let parents = try parents(of: written)
    return written.filter { parents[$0] == todo }
  }

  /// The direct sub-tasks of a to-do, open ones first.
  package func rows(under todo: EventKey) throws(ReadModelError) -> [TodoRow] {
    try tables.snapshot { () throws(ReadModelError) in
      var rows: [TodoRow] = []
      for key in try children(of: todo) {
        if let row = try TodoQueries(tables: tables).todo(key) { rows.append(row) }
      }
      return TodoOrder.openFirst.sorted(rows)
    }
  }

  /// The to-dos whose series can depend on the given to-dos: their sub-tasks at any depth, including sub-tasks of
  /// occurrences and sub-tasks whose parents are ignored.
  func dependents(of todos: Set<EventKey>) throws(ReadModelError) -> [EventKey] {
    let sql = """
      SELECT log, sequence FROM todo
        WHERE parent_log = ?1 AND parent_sequence = ?2 AND series_log IS NULL
      UNION ALL SELECT log, sequence FROM occurrence
        WHERE parent_log = ?1 AND parent_sequence = ?2
      """
    let documents = DocumentQueries(tables: tables)
    return try tables.snapshot { () throws(ReadModelError) in
      var known = todos
      var found: [EventKey] = []
      var next = todos.sorted()
      while let todo = next.popLast() {
        for member in try documents.members(of: todo) {
          let below = try tables.rows(sql, member.values) { $0.key(0) }
            .filter { known.insert($0).inserted }
          found += below
          next += below
        }
      }
      return found
    }
  }

  /// The living to-do that a to-do names as its parent, whether or not it is shown.
  ///
  /// The row of an occurrence contains the parent of its series, so the parent that the occurrence itself names is read
  /// separately.
  private func writtenParent(of todo: EventKey) throws(ReadModelError) -> EventKey? {
    let sql = """
      SELECT entity.shown_log, entity.shown_sequence FROM (
        SELECT parent_log, parent_sequence FROM todo
          WHERE log = ?1 AND sequence = ?2 AND series_log IS NULL
        UNION ALL SELECT parent_log, parent_sequence FROM occurrence
          WHERE log = ?1 AND sequence = ?2)
      JOIN entity ON entity.log = parent_log AND entity.sequence = parent_sequence
      WHERE entity.kind = \(Kind.todo.number) AND entity.alive
      """
    return try tables.rows(sql, todo.values) { $0.keyOrNil(0) }.first ?? nil
  }

  private func stampsOfParents(
    of todos: [EventKey]
  ) throws(ReadModelError) -> [EventKey: Stamp] {
    let records = try RecordReader(tables: tables).hydrateWithReferences(
      Set(todos), causality: try LogTable(tables: tables).causality())
    var stamps: [EventKey: Stamp] = [:]
    for todo in todos { stamps[todo] = records.stampOfParent(of: todo) }
    return stamps
  }
}
