import Bytes
import Domain
import Journaling
import ReadModel

extension ReceiptBuilder {
  /// The records that are kept although a record that they were joined with is erased or deleted, because the device
  /// that erased or deleted that record had not seen the join.
  ///
  /// A record is included only if the erasure, the deletion or the join takes effect for the first time.
  ///
  /// - Parameters:
  ///   - came: The effects of the new events, by replica.
  ///   - news: The new events, by log.
  ///   - names: The names of the devices, by replica.
  /// - Returns: The records, those with an erased record first, then in the order of their titles.
  /// - Throws: ``DaybookError`` if the logs or the read model cannot be read.
  func survivors(
    of came: [UniqueID: ChangeSummary], since news: [UniqueID: ClosedRange<UInt64>],
    _ names: [UniqueID: String]
  ) throws(DaybookError) -> [Receipt.Survivor] {
    let erased = try survivorsOfErasures(since: news).map { Receipt.Survivor(document: $0) }
    return try erased + survivorsOfDeletions(of: came, since: news, names)
  }

  private func survivorsOfDeletions(
    of came: [UniqueID: ChangeSummary], since news: [UniqueID: ClosedRange<UInt64>],
    _ names: [UniqueID: String]
  ) throws(DaybookError) -> [Receipt.Survivor] {
    let keys = came.values.reduce(into: Set()) { $0.formUnion($1.joined.union($1.kept)) }
    guard !keys.isEmpty else { return [] }
    let model = try projector.view()
    let causality = try projector.remembered(by: model).causality
    let records = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrate(keys, causality: causality)
    }
    func isNew(_ event: EventKey) -> Bool {
      causality.identity(of: event.log).flatMap { news[$0.id] }?.contains(event.sequence) ?? false
    }
    var deletes: [EventKey: Mark] = [:]
    let members = Set(keys.compactMap(records.document).flatMap(\.members))
    for member in members.sorted() where !records.isAlive(member) {
      for (shown, joins) in records.homes(joinedWith: member) {
        let unaware = (records.entity(of: member)?.deletes ?? []).filter { delete in
          joins.allSatisfy { causality.areConcurrent($0, delete.key) }
            && (isNew(delete.key) || joins.contains(where: isNew))
        }
        for delete in unaware where delete.time > deletes[shown]?.time ?? .min {
          deletes[shown] = delete
        }
      }
    }
    return deletes.compactMap { shown, delete in
      let replica = causality.identity(of: delete.key.log)?.replica ?? .none
      return records.document(of: shown).map {
        Receipt.Survivor(document: $0, deleter: names[replica] ?? replica.hex)
      }
    }.sorted {
      ($0.document.kind, $0.document.title, $0.document.id)
        < ($1.document.kind, $1.document.title, $1.document.id)
    }
  }

  private func survivorsOfErasures(
    since news: [UniqueID: ClosedRange<UInt64>]
  ) throws(DaybookError) -> [Document] {
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    let erases = posting.ledger.erasing.erases(by: posting.ledger.folded)
    guard !news.isEmpty, !erases.isEmpty else { return [] }
    let causality = posting.causality
    func key(_ log: UniqueID, _ sequence: UInt64) -> EventKey? {
      causality.number(of: log).map { EventKey(log: $0, sequence: sequence) }
    }
    let tree = store.logTree
    var pairs: [(event: EventKey, entity: EventKey)] = []
    for erase in erases {
      guard let meant = try tree.resolve(erase)?.entity,
        let event = key(erase.place.log, erase.place.sequence),
        let entity = key(meant.log, meant.sequence)
      else { continue }
      pairs.append((event, entity))
    }
    let records = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrate(Set(pairs.map(\.entity)), causality: causality)
    }
    func isNew(_ event: EventKey) -> Bool {
      causality.identity(of: event.log).flatMap { news[$0.id] }?.contains(event.sequence) ?? false
    }
    var found: Set<EventKey> = []
    for (event, entity) in pairs {
      for (shown, events) in records.homes(joinedWith: entity)
      where isNew(event) || events.contains(where: isNew) {
        found.insert(shown)
      }
    }
    return found.compactMap(records.document).sorted {
      ($0.kind, $0.title, $0.id) < ($1.kind, $1.title, $1.id)
    }
  }
}
