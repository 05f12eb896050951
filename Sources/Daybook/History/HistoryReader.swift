package import Bytes
import Domain
import Journaling
import ReadModel

/// Reads the history of records from the logs.
package struct HistoryReader {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let deviceList: DeviceList
  let finder: RecordFinder

  /// Returns the events that a request selects.
  ///
  /// The events come from the logs. The records come from the read model or, if a time is given, from a fold of the
  /// events up to that time. Throws an error if no record has the requested id.
  package func history(
    _ wish: HistoryWish = HistoryWish(), at moment: Int64? = nil
  ) throws(DaybookError) -> History {
    let ground = try ground(at: moment)
    var subject: Subject?
    if let id = wish.id { subject = try self.subject(id, ground) }
    let told = try toldFacts(by: ground.posting)
    let members = subject.map { $0.entities.union(told.occurrences(of: $0.entities)) }
    var replicas: Set<UniqueID>?
    if let device = wish.device { replicas = try self.replicas(of: device) }
    let filter = FactFilter(
      wish: wish, moment: moment, members: members, replicas: replicas,
      kinds: wish.field == nil ? [:] : told.kinds, causality: ground.posting.causality)
    let wanted = told.facts.indices.filter { filter.takes(told.facts[$0], in: told, at: $0) }
    let shown = latest(
      wanted, of: told.facts, wish.limit ?? wanted.count, ground.posting.causality)
    let facts = shown.map { told.facts[$0] }
    let found = try found(for: facts, ground)
    // Erased facts are skipped, because they write nothing.
    let joins =
      wish.includesTaken
      ? shown.filter { $0 < told.readable }.map { told.facts[$0] }.filter { $0.body.verb == .alias }
      : []
    let taken = TakenValueFinder(
      of: joins, among: told.facts, causality: ground.posting.causality)
    return History(
      entries: try entries(shown, told, found, taken, ground.posting),
      earlier: wanted.count - shown.count, documents: found.documents, subject: subject?.document,
      origins: origins(of: subject, in: told, ground.posting.causality))
  }

  private func origins(
    of subject: Subject?, in told: ToldFacts, _ causality: Causality
  ) -> [Stored: EventKey] {
    let reopened = (subject?.document.conflicts ?? []).filter { shown in
      shown.survivors.contains(where: \.field.isAlternative)
    }
    guard let subject, !reopened.isEmpty else { return [:] }
    let origins = ValueOrigins(of: subject.entities, in: told, causality)
    var found: [Stored: EventKey] = [:]
    for shown in reopened {
      for write in shown.survivors {
        found[write] = origins.origin(of: write.value, shown.field, writtenBy: write.key)?.key
      }
    }
    return found
  }

  /// The records now or at a past time, and the numbers of the logs.
  struct Ground {
    var posting: Posting
    /// All records at the past time; nil for the present.
    var records: Records?
    var model: ReadModel
  }

  /// The requested record.
  struct Subject {
    var document: Document
    /// The members of the record, and all aliases that refer to them.
    var entities: Set<EventKey>

    init?(_ document: Document?, in records: Records) {
      guard let document else { return nil }
      self.document = document
      let aliases = document.members.flatMap { records.entity(of: $0)?.aliases ?? [] }
      entities = Set(document.members + aliases)
    }
  }

  /// The records that facts are about or refer to.
  private struct Found {
    var documents: [EventKey: Document] = [:]
    /// For each alias, the records that it joins, even if the alias was deleted.
    var joined: [EventKey: [Document]] = [:]
  }

  func ground(at moment: Int64?) throws(DaybookError) -> Ground {
    let model = try projector.view()
    guard let moment else {
      return Ground(posting: try projector.remembered(by: model), model: model)
    }
    let fold = try projector.replayer.foldAll { fact, _ in fact.effectiveTime <= moment }
    return Ground(posting: fold.posting, records: fold.records, model: model)
  }

  func subject(_ id: UniqueID, _ ground: Ground) throws(DaybookError) -> Subject {
    let subject: Subject?
    if let records = ground.records {
      let document = records.entity(withID: id).flatMap { records.document(of: $0) }
      subject = Subject(document, in: records)
    } else {
      subject = try readSubject(id, ground)
    }
    guard let subject else { throw .unknown(id.uuid, kind: nil) }
    return subject
  }

  private func readSubject(
    _ id: UniqueID, _ ground: Ground
  ) throws(DaybookError) -> Subject? {
    guard let alone = try finder.document(withID: id) else { return nil }
    let causality = ground.posting.causality
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      let records = try ground.model.records.hydrateWithReferences(
        Set(alone.members), causality: causality)
      return Subject(records.document(of: alone.key), in: records)
    }
  }

  /// Returns the logs of a device, or only the log or branch by which it was named.
  ///
  /// A device may have several logs, all with the same key.
  package func replicas(of device: Device) throws(DaybookError) -> Set<UniqueID> {
    Set(device.logs(among: try deviceList.devicesWithoutClocks()).map(\.replica))
  }

  /// Reads the folded facts, followed by blank facts for erased events.
  func toldFacts(by posting: Posting) throws(DaybookError) -> ToldFacts {
    let tree = store.logTree
    var reading = Posting(again: posting)
    var facts: [Fact] = []
    var hidden: [Fact] = []
    // Without the reservation, each growth of the array would copy all facts.
    facts.reserveCapacity(min(Int(clamping: posting.ledger.factCount), 1 << 20))
    for log in tree.ordered(store.journal.logs.keys) {
      try projector.replayer.post(log, in: tree, after: 0, to: &reading) { fact in
        guard projector.replayer.isFolded(fact, posting) else { return }
        if posting.hides(fact) { hidden.append(fact) } else { facts.append(fact) }
      }
    }
    let readable = facts.count
    for fact in try hidden + strippedFacts(by: posting) { facts.append(fact.blank) }
    return ToldFacts(
      facts: facts, readable: readable, undoing: reading.undoing, commands: reading.commands,
      runs: reading.runs)
  }

  /// Returns a fact with an arbitrary body for each folded event whose body was stripped.
  ///
  /// Events up to those in `read` are omitted.
  func strippedFacts(
    by posting: Posting, after read: [UniqueID: UInt64] = [:]
  ) throws(DaybookError) -> [Fact] {
    var facts: [Fact] = []
    let ledger = posting.ledger
    for (log, bodies) in ledger.erasing.stripped.sorted(by: { $0.key < $1.key }) {
      guard let last = ledger.folded[log], let number = posting.causality.number(of: log),
        let first = bodies.keys.filter({ $0 > read[log] ?? 0 }).min(), first <= last
      else { continue }
      try store.forEachFrame(of: log, from: first, upTo: last) { _, events in
        for event in events
        where event.isStripped && (first...last).contains(event.sequence) {
          facts.append(
            Fact(
              key: EventKey(log: number, sequence: event.sequence), time: event.time,
              when: event.when, hash: event.hash.prefix16, body: Body(.edit, .kind(.birthday))))
        }
      }
    }
    return facts
  }

  /// Returns the indices of the latest facts by effective time, latest first.
  ///
  /// Facts with equal times are in descending order of log id, then of sequence.
  private func latest(
    _ wanted: [Int], of facts: [Fact], _ count: Int, _ causality: Causality
  ) -> [Int] {
    var ranks = [Int](repeating: 0, count: causality.logs.count)
    let byID = causality.logs.indices.sorted { causality.logs[$0].id < causality.logs[$1].id }
    for (rank, number) in byID.enumerated() { ranks[number] = rank }
    let places = wanted.map { place in
      let key = facts[place].key
      return (facts[place].effectiveTime, ranks[Int(key.log)], key.sequence, place)
    }
    return places.sorted { $0 > $1 }.prefix(count).map(\.3)
  }

  private func entries(
    _ shown: [Int], _ told: ToldFacts, _ found: Found, _ taken: TakenValueFinder,
    _ posting: Posting
  ) throws(DaybookError) -> [HistoryEntry] {
    let causality = posting.causality
    let trust = try trustReader.trust(by: posting.ledger)
    let names = trust.names
    let listed = try listedNames(by: trust)
    // Erased facts are skipped, because they write nothing.
    let readable = shown.filter { $0 < told.readable }.map { told.facts[$0] }
    let pasts = FieldPasts(of: readable, among: told.facts, causality: causality)
    func device(_ log: UInt32) -> (replica: UniqueID, name: String) {
      guard let replica = causality.identity(of: log)?.id else {
        preconditionFailure("a fact of log \(log), which has no number")
      }
      return (replica, names[replica] ?? replica.hex)
    }
    let reasons = told.reasons
    let replaced = shown.map { Self.replaced(by: told.facts[$0], pasts) }
    let origins = Self.origins(of: zip(shown, replaced), told, causality)
    func author(of write: Stored, _ field: Field) -> HistoryEntry.Replaced {
      // An undo only brings a value back; another device may have written it.
      let isBroughtBack = told.undoing[write.key] != nil
      let first =
        isBroughtBack ? origins?.origin(of: write.value, field, writtenBy: write.key) : nil
      return .init(write: first ?? write, device: device((first ?? write).key.log).name)
    }
    return zip(shown, replaced).map { place, replaced in
      let fact = told.facts[place]
      let command = told.command(of: fact.key)
      let (replica, name) = device(fact.key.log)
      let replacements = Dictionary(
        uniqueKeysWithValues: replaced.map { field, writes in
          (field, writes.map { author(of: $0, field) })
        })
      let joined = found.joined[fact.subject, default: []]
      return HistoryEntry(
        document: found.documents[fact.subject] ?? joined.first, joined: joined, fact: fact,
        replica: replica, device: name, log: listed[replica] ?? name,
        undoer: told.undoing[fact.key],
        isErased: place >= told.readable, isClockSuspect: deviceList.isSuspect(fact.effectiveTime),
        command: command.sequence, entry: told.entry(of: fact, in: replica),
        reason: reasons[command], replaced: replacements,
        taken: taken.values(takenBy: fact))
    }
  }

  /// The writes that a fact replaced, by field.
  private static func replaced(by fact: Fact, _ pasts: FieldPasts) -> [Field: [Stored]] {
    var fields = Set(fact.body.fieldWrites.map(\.field))
    if fields.contains(where: \.isTag) { fields.insert(.tags) }
    var replaced: [Field: [Stored]] = [:]
    for field in fields {
      let writes = pasts.replaced(by: fact, field)
      if !writes.isEmpty { replaced[field] = writes }
    }
    return replaced
  }

  /// The first authors of replaced values that undos had brought back; nil if there are none.
  private static func origins(
    of replaced: some Sequence<(Int, [Field: [Stored]])>, _ told: ToldFacts,
    _ causality: Causality
  ) -> ValueOrigins? {
    let undone = replaced.filter { _, writes in
      writes.values.joined().contains { told.undoing[$0.key] != nil }
    }
    guard !undone.isEmpty else { return nil }
    return ValueOrigins(of: Set(undone.map { told.facts[$0.0].subject }), in: told, causality)
  }

  /// The names of logs as in lists of devices; empty if these are simply the names of the devices.
  ///
  /// The name of a device does not distinguish its keys, its logs and their branches, or devices with the same name.
  func listedNames(by trust: Trust) throws(DaybookError) -> [UniqueID: String] {
    let isPlain =
      store.journal.forks.isEmpty && !trust.hasNamesakes && trust.formerKeys.isEmpty
      && Set(trust.keys.values).count == trust.keys.count
    return isPlain ? [:] : try deviceList.devicesWithoutClocks().logNames
  }

  /// The minimum number of records for which reading all records is faster than looking up each record.
  private static let worthReadingAll = 4_000

  private func found(
    for facts: [Fact], _ ground: Ground
  ) throws(DaybookError) -> Found {
    var keys = Set(facts.map(\.subject))
    for fact in facts { keys.formUnion(fact.body.writes.compactMap(\.value.reference)) }
    let records: Records
    if let folded = ground.records {
      records = folded
    } else {
      let causality = ground.posting.causality
      records = try wrap(DaybookError.view) { () throws(ReadModelError) in
        try keys.count < Self.worthReadingAll
          ? ground.model.records.hydrate(keys, causality: causality)
          : ground.model.records.hydrateAll(causality: causality)
      }
    }
    var found = Found()
    for key in keys {
      found.documents[key] = records.document(of: key)
      let joins = records.entity(of: key)?.birth?.joins ?? []
      if !joins.isEmpty { found.joined[key] = records.distinctDocuments(of: joins) }
    }
    return found
  }
}
