import Daybook
package import Domain
import ReadModel

extension Snapshot {
  /// Returns the names of the other devices that closed an occurrence; nil if there are none, or if this device also
  /// closed it.
  ///
  /// If other devices also closed an occurrence, it remains closed after this device has undone its own closing.
  package func othersThatClosed(_ document: Document) throws -> String? {
    let writes = [Field.Todo.done, Field.Todo.cancelled].flatMap { field in
      (document.shown(field)?.survivors ?? []).filter { $0.value == .boolean(true) }
    }
    guard document.isAlive, !writes.isEmpty else { return nil }
    let devices = try book.deviceList.devices()
    let causality = try model.logs.causality()
    let key = devices.first(where: \.isThis)?.key
    var names: [String] = []
    for write in writes {
      let log = causality.identity(of: write.key.log)?.id
      guard let device = devices.first(where: { $0.replica == log }), device.key != key else {
        return nil
      }
      if !names.contains(device.name.visible) { names.append(device.name.visible) }
    }
    return names.joined(separator: " and ")
  }
}
