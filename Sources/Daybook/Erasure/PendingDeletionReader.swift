package import Bytes
package import Domain
import Journaling
import ReadModel

/// A deleted record that is still kept, and the records that will disappear with it once its deletion takes effect.
package struct PendingDeletion: Sendable {
  package var document: Document
  /// The number of living records of each kind that will be hidden with the record, except those that disappear anyway.
  package var children: [Kind: Int]
}

/// Finds the deletions that take effect when records are erased or a device is revoked.
///
/// If one device deletes a list while another adds a to-do to it, the list stays. Once the to-do is erased, nothing
/// keeps the list any longer, and the list disappears with all its to-dos.
package struct PendingDeletionReader {
  let projector: Projector
  let historyReader: HistoryReader

  package init(of book: Book) {
    (projector, historyReader) = (book.core.projector, book.historyReader)
  }

  /// The deletions that take effect when the given records are erased.
  package func deletions(erasing ids: [UniqueID]) throws(DaybookError) -> [PendingDeletion] {
    let model = try projector.view()
    let causality = try projector.remembered(by: model).causality
    var erased: Set<EventKey> = []
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      var keys: Set<EventKey> = []
      for id in ids {
        if let key = try model.documents.document(id: id)?.key { keys.insert(key) }
      }
      let records = try model.records.hydrate(keys, causality: causality)
      for key in keys { erased.formUnion(records.document(of: key)?.members ?? []) }
    }
    return try deletions(erasing: erased)
  }

  /// The deletions that take effect when the given entities are erased.
  package func deletions(
    erasing entities: Set<EventKey>
  ) throws(DaybookError) -> [PendingDeletion] {
    guard !entities.isEmpty else { return [] }
    return try deletions { pending in
      let erased = pending.entities(erasedWith: entities)
      return { $0.body.verb != .alias && erased.contains($0.subject) }
    }
  }

  /// The deletions that take effect when the events of some logs cease to take effect.
  ///
  /// - Parameter ends: The last event that still counts in each of these logs.
  /// - Returns: The deletions, in the order of the records' titles.
  /// - Throws: ``DaybookError`` if the logs or the read model cannot be read.
  package func deletions(
    cutting ends: [UInt32: UInt64]
  ) throws(DaybookError) -> [PendingDeletion] {
    try deletions { _ in { fact in ends[fact.key.log].map { fact.key.sequence > $0 } ?? false } }
  }

  private func deletions(
    without isGone: (PendingDeletions) -> (Fact) -> Bool
  ) throws(DaybookError) -> [PendingDeletion] {
    let model = try projector.view()
    let posting = try projector.remembered(by: model)
    let told = try historyReader.toldFacts(by: posting)
    let facts = Array(told.facts.prefix(told.readable))
    let pending = PendingDeletions(among: facts, causality: posting.causality)
    let deleted = pending.deleted
    guard !deleted.isEmpty else { return [] }
    let isGone = isGone(pending)
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      let records = try model.records.hydrate(deleted, causality: posting.causality)
      let documents = pending.takingEffect(
        on: records.distinctDocuments(of: deleted.sorted()), in: records, without: isGone)
      guard !documents.isEmpty else { return [] }
      let gone = Set(facts.filter(isGone).map(\.key))
      var found: [PendingDeletion] = []
      for document in documents {
        let keys = Set(try model.documents.children(of: document.key))
        let children = try model.records.hydrate(keys, causality: posting.causality)
        found.append(
          PendingDeletion(document: document, children: count(children, of: keys, without: gone)))
      }
      return found.sorted {
        ($0.document.title, $0.document.id) < ($1.document.title, $1.document.id)
      }
    }
  }

  /// The number of living records of each kind, excluding occurrences and records whose adds are gone.
  private func count(
    _ records: Records, of keys: Set<EventKey>, without gone: Set<EventKey>
  ) -> [Kind: Int] {
    let documents = keys.compactMap(records.document(of:)).filter { document in
      document.isAlive && !document.isOccurrence && !document.members.allSatisfy(gone.contains)
    }
    return Dictionary(grouping: documents, by: \.kind).mapValues(\.count)
  }
}
