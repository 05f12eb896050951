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
    let names = try namesOfOthers(writing: writes.map(\.key))
    return names.contains(nil) ? nil : Self.joined(names)
  }

  /// Returns, for each event, the name of the other device that wrote it; nil if this device or an unknown device did.
  package func namesOfOthers(writing events: [EventKey]) throws -> [String?] {
    let devices = try book.deviceList.devicesWithoutClocks()
    let causality = try model.logs.causality()
    let key = devices.first(where: \.isThis)?.key
    return events.map { event in
      let log = causality.identity(of: event.log)?.id
      let device = devices.first { $0.replica == log && $0.key != key }
      return device?.listedName.visible
    }
  }

  /// Returns the names, each once, with `and` between them; nil if there are none.
  package static func joined(_ names: [String?]) -> String? {
    var once: [String] = []
    for case let name? in names where !once.contains(name) { once.append(name) }
    return once.isEmpty ? nil : once.joined(separator: " and ")
  }
}
