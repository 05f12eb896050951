package import Bytes
package import Domain
internal import SQLite

/// Computes the state digest, and stores its parts so that the next computation takes less work.
package struct StateDigestKeeper {
  let tables: TableConnection
  let rowWriter: RowWriter

  private var logs: LogTable { LogTable(tables: tables) }
  private var records: RecordReader { RecordReader(tables: tables) }
  private var settings: SettingTable { SettingTable(tables: tables) }
  private var staleTable: StaleTable {
    StaleTable(tables: tables, rowWriter: rowWriter)
  }

  /// The state digest of all folded facts.
  ///
  /// The parts of the digest are stored for the next call. If the disk refuses to store them, the digest is still
  /// returned.
  ///
  /// - Parameter causality: The causality of all folded events, with the log numbers of this file.
  /// - Returns: The digest, which equals the digest of the complete fold.
  /// - Throws: ``ReadModelError``, if the file is damaged or cannot be read.
  package func digest(causality: Causality) throws(ReadModelError) -> Digest {
    let (before, reckoning) = try tables.snapshot {
      () throws(ReadModelError) -> ([LogPosition], Reckoning) in
      (try logs.positions(), try reckon(causality))
    }
    do throws(ReadModelError) {
      try tables.transaction { () throws(ReadModelError) in
        // If another process has committed in the meantime, the stale entities that it added must not be deleted.
        if try logs.positions() == before { try keep(reckoning) }
      }
    } catch {
      guard error.isRefusalOfTheDisk else { throw error }
    }
    return reckoning.state.digest
  }

  /// Computes the state digest from the stored states of all entities, without the stored parts.
  ///
  /// A check compares this digest with the digest of a fresh fold.
  package func freshDigest(causality: Causality) throws(ReadModelError) -> Digest {
    try tables.snapshot { () throws(ReadModelError) in
      Reckoning(of: try records.hydrateAll(causality: causality).documentDigests()).state.digest
    }
  }

  private func reckon(_ causality: Causality) throws(ReadModelError) -> Reckoning {
    let known = try settings.value(StaleTable.buckets).flatMap(StateDigest.init(decoding:))
    guard let known, let stale = try staleTable.entries() else {
      return Reckoning(of: try records.hydrateAll(causality: causality).documentDigests())
    }
    return try reckon(stale, known, causality)
  }

  /// The number of documents computed at once; a document takes much more memory than its digest.
  private static let documentsAtOnce = 2_048

  private func reckon(
    _ stale: [StaleTable.Stale], _ known: StateDigest, _ causality: Causality
  ) throws(ReadModelError) -> Reckoning {
    let shown = Set(stale.compactMap(\.shown))
    var digests = try self.digests(under: shown, causality)
    let gone = Set(stale.compactMap(\.id) + digests.map(\.document.id))
    // A bucket does not record which of several documents with the same id is out of date.
    digests += try self.digests(under: try documents(withIDs: gone).subtracting(shown), causality)
    var buckets: [Int: [StateDigest.Document]] = [:]
    for bucket in Set(gone.map(StateDigest.bucket)).sorted() {
      buckets[bucket] = try documents(in: bucket).filter { !gone.contains($0.id) }
    }
    for digest in digests {
      buckets[StateDigest.bucket(of: digest.document.id), default: []].append(digest.document)
    }
    var reckoning = Reckoning(known)
    reckoning.take(buckets)
    reckoning.awaiting = digests.filter(\.awaitsOthers).map(\.key)
    return reckoning
  }

  private func digests(
    under shown: Set<EventKey>, _ causality: Causality
  ) throws(ReadModelError) -> [DocumentDigest] {
    let shown = shown.sorted()
    var digests: [DocumentDigest] = []
    for start in stride(from: 0, to: shown.count, by: Self.documentsAtOnce) {
      let part = Array(shown[start..<min(start + Self.documentsAtOnce, shown.count)])
      digests += try hydrateResolved(Set(part), causality).documentDigests(under: part)
    }
    return digests
  }

  /// The shown members of the documents that have one of the given ids; after a fork, several documents can share an
  /// id.
  private func documents(withIDs ids: Set<UniqueID>) throws(ReadModelError) -> Set<EventKey> {
    let sql = """
      SELECT log, sequence FROM entity
      WHERE id = ?1 AND kind IS NOT NULL AND log = shown_log AND sequence = shown_sequence
      """
    var keys: Set<EventKey> = []
    for id in ids { keys.formUnion(try tables.rows(sql, [.id(id)]) { $0.key(0) }) }
    return keys
  }

  /// Reads the state of the given documents.
  ///
  /// A reference to any other entity becomes a reference to the shown member of that entity's document. For shown
  /// members of other documents, the result contains only the id and the kind.
  private func hydrateResolved(
    _ keys: Set<EventKey>, _ causality: Causality
  ) throws(ReadModelError) -> Records {
    let gathered = try records.gather(keys, causality).records.entities
    var records = Records(causality: causality)
    var resolved: [EventKey: Entity?] = [:]
    for entity in gathered.values.sorted(by: { $0.key < $1.key }) {
      var entity = entity
      for place in entity.writes.indices {
        guard let key = entity.writes[place].value.reference, gathered[key] == nil else { continue }
        if resolved[key] == nil { resolved[key] = .some(try namesake(of: key)) }
        if let shown = resolved[key]?.map(\.key) { entity.writes[place].value = .reference(shown) }
      }
      records.insert(entity)
    }
    var named: Set<EventKey> = []
    for entity in resolved.values.compactMap(\.self).sorted(by: { $0.key < $1.key })
    where gathered[entity.key] == nil && named.insert(entity.key).inserted {
      records.insert(entity)
    }
    return records
  }

  /// Returns an entity that has only the id and the kind of the shown member of `key`'s document.
  private func namesake(of key: EventKey) throws(ReadModelError) -> Entity? {
    let sql = """
      SELECT shown.log, shown.sequence, shown.id, shown.kind FROM entity AS named
      JOIN entity AS shown
        ON shown.log = named.shown_log AND shown.sequence = named.shown_sequence
      WHERE named.log = ?1 AND named.sequence = ?2
      """
    return try tables.rows(sql, key.values) { row in
      var entity = Entity(key: row.key(0))
      // `Entity.id` is derived from this hash. Applied to an id, the derivation returns the same id.
      entity.birth = Entity.Birth(
        kind: Kind(rawValue: row.unsigned(3)), time: 0, effectiveTime: 0, hash: row.uniqueID(2))
      return entity
    }.first
  }

  private static let entryBytes = 48

  private func documents(in bucket: Int) throws(ReadModelError) -> [StateDigest.Document] {
    let sql = "SELECT documents FROM bucket WHERE number = ?1"
    let bytes = try tables.rows(sql, [.integer(Int64(bucket))]) { $0.bytes(0) }.first ?? []
    guard bytes.count.isMultiple(of: Self.entryBytes) else { throw .unusable(.damaged) }
    return stride(from: 0, to: bytes.count, by: Self.entryBytes).compactMap { offset in
      guard let id = UniqueID(copying: bytes.span, at: offset),
        let digest = Digest(copying: bytes.span, at: offset + 16)
      else { return nil }
      return StateDigest.Document(id: id, digest: digest)
    }
  }

  /// Stores the parts of a digest.
  func keep(_ reckoning: Reckoning) throws(ReadModelError) {
    if reckoning.isWhole { try tables.run("DELETE FROM bucket") }
    try tables.run("DELETE FROM stale")
    try reading { () throws(SQLiteError) in
      for (number, documents) in reckoning.buckets.sorted(by: { $0.key < $1.key }) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(documents.count * Self.entryBytes)
        for document in documents {
          document.id.append(to: &bytes)
          document.digest.append(to: &bytes)
        }
        try tables.statements.run(
          "INSERT OR REPLACE INTO bucket VALUES (?1, ?2)", [.integer(Int64(number)), .blob(bytes)])
      }
    }
    try settings.keep(StaleTable.buckets, reckoning.state.encoded)
    try staleTable.note(reckoning.awaiting.sorted())
  }
}
