import Daybook
import Domain
import Phrasing
import ReadModel

extension Snapshot {
  /// Returns the names of the other devices whose deletion takes effect again after an undo has deleted a record; nil
  /// if there are none.
  ///
  /// A change that had not seen a deletion keeps the record. When the change is undone, the deletion remains.
  func devicesThatDeleted(_ document: Document) throws -> String? {
    guard !document.isAlive else { return nil }
    let causality = try model.logs.causality()
    let records = try model.records.hydrate(Set(document.members), causality: causality)
    var deletes: [EventKey] = []
    for member in document.members.compactMap(records.entity(of:)) {
      let own = member.deletes.map(\.key)
      // A restore has seen the deletion that it reverses.
      let areReversed = causality.areSeen(own, by: member.givers.map(\.key))
      deletes += zip(own, areReversed).filter { !$1 }.map(\.0)
    }
    return Self.joined(try namesOfOthers(writing: deletes))
  }
}
