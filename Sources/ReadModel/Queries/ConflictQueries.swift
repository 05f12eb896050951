package import Domain
internal import SQLite

/// A field of a living document with several values in conflict.
package struct ConflictRow: Equatable, Sendable {
  /// One of the values; the first survivor is the one shown.
  package struct Survivor: Equatable, Sendable {
    /// The value; a reference is the shown member of its document, and is null if there is no such document.
    package let value: Value
    /// The event that wrote the value, and its effective time.
    package let event: EventKey
    package let time: Int64
  }

  /// The document's shown member.
  package let document: EventKey
  package let field: Field
  package internal(set) var survivors: [Survivor]

  /// A pseudo-field for a delete that conflicts with an edit; no event writes it.
  static let life = Field(rawValue: .min)

  /// The columns of `conflict`, in order.
  static let columns = [
    "log", "sequence", "field", "rank", "value", "reference_log", "reference_sequence",
    "event_log", "event_sequence", "time",
  ]

  static let insertion =
    "INSERT INTO conflict VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
}

/// Reads conflicts.
package struct ConflictQueries {
  let tables: TableConnection

  /// The conflicts of all living documents, or of one document, sorted by document and field.
  ///
  /// Documents that are hidden with their parent are included.
  package func conflicts(
    of key: EventKey? = nil
  ) throws(ReadModelError) -> [ConflictRow] {
    grouped(try sides(of: key).filter { $0.field != ConflictRow.life })
  }

  /// The shown members of the living documents with a conflict to settle.
  ///
  /// A conflict to settle is either one that ``conflicts(of:)`` returns, or a delete that conflicts with an edit. A
  /// document is included if `isConcerned` is true of the event of at least one side.
  package func unsettled(
    where isConcerned: (EventKey) -> Bool = { _ in true }
  ) throws(ReadModelError) -> Set<EventKey> {
    var unsettled: Set<EventKey> = []
    var rest = try sides()[...]
    while let side = rest.first {
      let field = rest.prefix { $0.document == side.document && $0.field == side.field }
      rest = rest[field.endIndex...]
      let isOpen = side.field == ConflictRow.life || !grouped(Array(field)).isEmpty
      if isOpen, field.contains(where: { isConcerned($0.survivors[0].event) }) {
        unsettled.insert(side.document)
      }
    }
    return unsettled
  }

  /// The stored sides of the conflicts, each as a row with one survivor, sorted by document and field.
  private func sides(of key: EventKey? = nil) throws(ReadModelError) -> [ConflictRow] {
    let sql = """
      SELECT conflict.log, conflict.sequence, field, value, reference_log,
        entity.shown_log, entity.shown_sequence, event_log, event_sequence, time
      FROM conflict
      LEFT JOIN entity ON entity.log = reference_log AND entity.sequence = reference_sequence
      WHERE ?1 IS NULL OR (conflict.log = ?1 AND conflict.sequence = ?2)
      ORDER BY conflict.log, conflict.sequence, field, rank
      """
    return try tables.rows(sql, key?.values ?? [.null, .null]) { row throws(ReadModelError) in
      var value = try Value(stored: row.bytes(3))
      if !row.isNull(4) { value = row.keyOrNil(5).map(Value.reference) ?? .null }
      return ConflictRow(
        document: row.key(0), field: Field(rawValue: row.integer(2)),
        survivors: [.init(value: value, event: row.key(7), time: row.integer(9))])
    }
  }

  /// Combines the sides of each field into one conflict, and leaves out fields with one value.
  ///
  /// Two references to members of the same document count as one value.
  private func grouped(_ rows: [ConflictRow]) -> [ConflictRow] {
    var conflicts: [ConflictRow] = []
    // The values of the last conflict so far, used to find references that are equal now.
    var known: Set<Value> = []
    for row in rows {
      guard let last = conflicts.last, last.document == row.document, last.field == row.field
      else {
        conflicts.append(row)
        known = Set(row.survivors.map(\.value))
        continue
      }
      conflicts[conflicts.count - 1].survivors += row.survivors.filter { survivor in
        // Values other than references were already distinct when they were stored.
        survivor.value.reference == nil && survivor.value != .null
          || known.insert(survivor.value).inserted
      }
    }
    return conflicts.filter { $0.survivors.count > 1 }
  }
}
