package import Bytes
package import Domain
import Journaling
import Platform
package import ReadModel

extension RecordFinder {
  /// Returns all pairs of records that look the same, or only the pairs whose name is that of the given record.
  package func lookAlikes(of key: EventKey? = nil) throws(DaybookError) -> [DuplicatePair] {
    let model = try projector.view()
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.duplicates.duplicates(of: key)
    }
  }

  /// The record with which a new record could be confused, because both have the same name; nil if there is none.
  package func namesake(of added: Document) throws(DaybookError) -> UniqueID? {
    let model = try projector.view()
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.duplicates.namesake(of: added.key, added.kind)
    }
  }

  /// Pairs of records that look the same, one added by one of the given replicas and the other by any other replica.
  package func lookAlikes(
    between replicas: Set<UniqueID>
  ) throws(DaybookError) -> [DuplicatePair] {
    let causality = try projector.posting().causality
    return try lookAlikes().filter { pair in
      let sides = [pair.first, pair.second].map { side in
        causality.identity(of: side.log).map { replicas.contains($0.replica) }
      }
      return sides[0] != sides[1]
    }
  }

  func key(of id: UniqueID, _ model: ReadModel) throws(DaybookError) -> EventKey {
    let info = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.documents.document(id: id)
    }
    guard let info else { throw try missing(id, by: try projector.remembered(by: model).ledger) }
    return info.key
  }

  func keys(
    of ids: [UniqueID], _ model: ReadModel
  ) throws(DaybookError) -> [EventKey] {
    var keys: [EventKey] = []
    for id in ids { keys.append(try key(of: id, model)) }
    return keys
  }

  /// The number of records of each kind that are hidden because their parent is deleted, not counting occurrences.
  package func countsHidden(with parent: EventKey) throws(DaybookError) -> [Kind: Int] {
    Dictionary(grouping: try documentsHidden(with: parent), by: \.kind).mapValues(\.count)
  }

  /// The to-dos that are hidden because one of the given lists is deleted, without duplicates or occurrences.
  package func todosHidden(withLists ids: [UniqueID]) throws(DaybookError) -> [Document] {
    var todos: [Document] = []
    var known: Set<EventKey> = []
    for id in ids {
      guard let list = try document(withID: id), list.kind == .list, !list.isAlive else { continue }
      todos += try documentsHidden(with: list.key).filter { known.insert($0.key).inserted }
    }
    return todos
  }

  /// The records that are hidden because their parent is deleted, excluding occurrences.
  private func documentsHidden(with parent: EventKey) throws(DaybookError) -> [Document] {
    let model = try projector.view()
    let causality = try projector.remembered(by: model).causality
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      let children = Set(try model.documents.children(of: parent))
      let records = try model.records.hydrate(children, causality: causality)
      return records.distinctDocuments(of: children.sorted())
        .filter { $0.isAlive && !$0.isOccurrence }
    }
  }

  /// The ids of the erased records, except those that were erased only because an erased record owned them.
  package func erasedIDs() throws(DaybookError) -> Set<UniqueID> {
    try erasedIDs(by: try projector.posting().ledger)
  }

  private func erasedIDs(by ledger: Ledger) throws(DaybookError) -> Set<UniqueID> {
    Set(try erasedAdds(by: ledger).keys)
  }

  /// The events that added the erased records, by the ids of the records.
  func erasedAdds() throws(DaybookError) -> [UniqueID: EventName] {
    try erasedAdds(by: try projector.posting().ledger)
  }

  private func erasedAdds(by ledger: Ledger) throws(DaybookError) -> [UniqueID: EventName] {
    let erasing = ledger.erasing
    let tree = store.logTree
    var named: Set<EventName> = []
    for erase in erasing.erases {
      guard let entity = try tree.resolve(erase)?.entity else { continue }
      if erasing.hidden[entity] != nil { named.insert(entity) }
    }
    var adds: [UniqueID: EventName] = [:]
    for entity in named.sorted() {
      let hash = try wrap(DaybookError.journal) { () throws(JournalError) in
        store.journal.end(of: entity.log, on: .logs) == nil
          ? nil : try store.journal.hash(of: entity.log, at: entity.sequence)
      }
      if let hash { adds[UniqueID(ofEntityAddedBy: hash.prefix16)] = entity }
    }
    return adds
  }

  /// Returns the id of an erased record, given the whole id or its beginning; nil unless exactly one id matches.
  package func findErased(_ words: String) throws(DaybookError) -> UniqueID? {
    guard words.count > 3, let ids = ShortID.parse(words) else { return nil }
    let fitting = try erasedIDs().filter(ids.contains)
    return fitting.count == 1 ? fitting.first : nil
  }

  /// The error for an id without a record.
  func missing(_ id: UniqueID, by ledger: Ledger) throws(DaybookError) -> DaybookError {
    try erasedIDs(by: ledger).contains(id)
      ? .erased(ShortID.text(of: id)) : .unknown(id.uuid, kind: nil)
  }

  /// The error for search text that matches no record.
  ///
  /// An erased record can be identified only by the beginning of its id.
  func missing(_ words: String, kind: Kind?) throws(DaybookError) -> DaybookError {
    try findErased(words) == nil ? .unknown(words, kind: kind) : .erased(words)
  }
}
