import Bytes
import Domain
import ReadModel

extension ChangeSummaryReader {
  /// Finds deleted lists and questions that hide other records, and deleted to-dos with changes to their dates.
  ///
  /// A list or question is included if its deletion is new, or if a hidden record has a new change that the deletion
  /// had not seen. A to-do is included if one of its dates has a change that the deletion had not seen, and either the
  /// deletion or the change is new.
  ///
  /// - Parameters:
  ///   - parting: The records that the new events delete and change.
  ///   - news: The new events, by log.
  ///   - names: The names of the devices, by replica.
  /// - Returns: One cascade for each list, question or to-do, in the order of their titles.
  /// - Throws: ``DaybookError`` if the read model cannot be read.
  func cascades(
    of parting: [ChangeSummary.Parting], since news: [UniqueID: ClosedRange<UInt64>],
    _ names: [UniqueID: String]
  ) throws(DaybookError) -> [Receipt.Cascade] {
    let deleted = parting.reduce(into: Set()) { $0.formUnion($1.deletedParents) }
    let changed = parting.reduce(into: Set()) { $0.formUnion($1.changedChildren) }
    let todos = parting.reduce(into: Set()) { $0.formUnion($1.deletedTodos) }
    guard !deleted.isEmpty || !changed.isEmpty || !todos.isEmpty else { return [] }
    let model = try projector.view()
    let causality = try projector.remembered(by: model).causality
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      let parents = deleted.union(try model.documents.deadParents(of: changed.sorted()))
      var found: [Receipt.Cascade] = []
      for parent in parents {
        let children = Set(try model.documents.children(of: parent))
        let records = try model.records.hydrate(children.union([parent]), causality: causality)
        let cascade = Cascading(records, news, names).cascade(of: parent, children)
        if let cascade { found.append(cascade) }
      }
      let owners = Set(try model.repeats.series(of: changed).values)
      let dead = try model.documents.documents(of: owners.sorted()).values.filter { !$0.isAlive }
      for series in todos.union(dead.map(\.key)) {
        let dates = Set(try model.repeats.occurrenceKeys(of: series))
        if dates.isEmpty { continue }
        let records = try model.records.hydrate(dates.union([series]), causality: causality)
        // The dates of a to-do are always deleted with it, so only unseen changes are reported.
        let cascade = Cascading(records, news, names).cascade(of: series, dates)
        if let cascade, !cascade.unseen.isEmpty { found.append(cascade) }
      }
      return found.sorted {
        ($0.document.title, $0.document.id) < ($1.document.title, $1.document.id)
      }
    }
  }
}

/// Finds the records that a deleted record hides, and the records with changes that the deletion had not seen.
private struct Cascading {
  private let records: Records
  private let news: [UniqueID: ClosedRange<UInt64>]
  private let names: [UniqueID: String]

  init(
    _ records: Records, _ news: [UniqueID: ClosedRange<UInt64>], _ names: [UniqueID: String]
  ) {
    (self.records, self.news, self.names) = (records, news, names)
  }

  func cascade(of parent: EventKey, _ children: Set<EventKey>) -> Receipt.Cascade? {
    guard let document = records.document(of: parent), !document.isAlive,
      let delete = document.members.compactMap(records.entity).flatMap(\.deletes)
        .max(by: { $0.time < $1.time })
    else { return nil }
    let children = children.compactMap(records.document).filter(\.isAlive)
    let isNew = isNew(delete.key)
    let unseen = children.filter { child in
      writes(of: child).contains { self.isNew($0) != isNew && isUnseen($0, by: document) }
    }
    guard isNew ? !children.isEmpty : !unseen.isEmpty else { return nil }
    let replica = records.causality.identity(of: delete.key.log)?.replica ?? .none
    return Receipt.Cascade(
      document: document, device: names[replica] ?? replica.hex,
      children: Dictionary(grouping: children.filter { !$0.isOccurrence }, by: \.kind)
        .mapValues(\.count),
      unseen: unseen.sorted { ($0.title, $0.id) < ($1.title, $1.id) })
  }

  private func writes(of document: Document) -> [EventKey] {
    document.fields.flatMap(\.survivors).map(\.key)
  }

  /// Whether an event is concurrent with every deletion of a document.
  private func isUnseen(_ event: EventKey, by parent: Document) -> Bool {
    parent.members.compactMap(records.entity).flatMap(\.deletes).allSatisfy { delete in
      records.causality.areConcurrent(delete.key, event)
    }
  }

  private func isNew(_ event: EventKey) -> Bool {
    let log = records.causality.identity(of: event.log)?.id
    return log.flatMap { news[$0] }?.contains(event.sequence) ?? false
  }
}
