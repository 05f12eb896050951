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
    let devices = try book.deviceList.devices()
    let key = devices.first(where: \.isThis)?.key
    var names: [String] = []
    for member in document.members.compactMap(records.entity(of:)) {
      let deletes = member.deletes.map(\.key)
      // A restore has seen the deletion that it reverses.
      let isReversed = causality.areSeen(deletes, by: member.givers.map(\.key))
      for (delete, isReversed) in zip(deletes, isReversed) where !isReversed {
        let log = causality.identity(of: delete.log)?.id
        guard let device = devices.first(where: { $0.replica == log }), device.key != key,
          let name = devices.names[device.replica]?.visible, !names.contains(name)
        else { continue }
        names.append(name)
      }
    }
    return names.isEmpty ? nil : names.joined(separator: " and ")
  }
}
