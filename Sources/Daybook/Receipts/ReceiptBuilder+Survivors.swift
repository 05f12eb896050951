import Bytes
import Domain
import Journaling
import ReadModel

extension ReceiptBuilder {
  /// The records that are kept although a record that they were joined with is erased, because the device that erased
  /// it had not seen the join.
  ///
  /// A record is included only if the erasure or the join counts for the first time.
  func survivors(
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
