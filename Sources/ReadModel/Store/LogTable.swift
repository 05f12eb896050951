package import Domain
internal import SQLite

/// Reads the positions of the logs and the *seen* entries.
package struct LogTable {
  let tables: TableConnection

  /// The positions of all logs, ordered by number.
  package func positions() throws(ReadModelError) -> [LogPosition] {
    try tables.rows("SELECT number, id, replica, trunk, sequence, hash FROM log ORDER BY number") {
      row in
      LogPosition(
        number: row.number(0), id: row.uniqueID(1), replica: row.uniqueID(2),
        trunk: row.isNull(3) ? nil : row.number(3), sequence: row.unsigned(4),
        hash: row.uniqueID(5))
    }
  }

  /// The causality of all folded events, with the log numbers of this file.
  ///
  /// - Throws: ``ReadModelError``, if the file is damaged or cannot be read.
  package func causality() throws(ReadModelError) -> Causality {
    var causality = Causality()
    for position in try positions() {
      let next = UInt32(causality.logs.count)
      guard position.number == next, position.trunk.map({ $0 < next }) ?? true else {
        throw .unusable(.damaged)
      }
      let number = causality.number(
        of: position.id, replica: position.replica, behind: position.trunk)
      guard number == next else { throw .unusable(.damaged) }
    }
    for sighting in try sightings() { causality.note(sighting) }
    return causality
  }

  private func sightings() throws(ReadModelError) -> [Sighting] {
    let sql = """
      SELECT log, sequence, other, up_to, missing FROM seen
      ORDER BY log, sequence, other, up_to, missing
      """
    return try tables.rows(sql) { row throws(ReadModelError) in
      Sighting(
        event: row.key(0), other: row.number(2), upTo: row.unsigned(3),
        exceptions: try decodeRanges(row.bytes(4)))
    }
  }
}
