internal import Domain

/// What a component says beyond the fields of a record, which is kept with that and written back.
enum CalendarRest {
  /// Properties no field stands for.
  static let lines = "lines"
  /// Alarms and other components within.
  static let parts = "parts"
  /// The time zones that its properties name.
  static let zones = "zones"

  /// The property that marks alarms which only an export brought.
  static let ownAlarm = "X-DAYBOOK-ALARM"

  private static let keptBytes = 40 << 10
  /// The most that is kept of the components of one kind.
  private static let keptPartBytes = 8 << 10

  /// A component as text, made once however many records keep it.
  struct Text {
    let name: String
    let bytes: Int
    /// Nothing where it is too long to be kept.
    let text: String

    init(_ component: Component) {
      let text = component.text.joined(separator: "\n")
      (name, bytes) = (component.name, text.utf8.count)
      self.text = bytes < keptPartBytes ? text : ""
    }
  }

  static func keep(
    _ component: Component, except known: Set<String>, zones: [Text] = [],
    in record: inout ForeignRecord, _ notes: inout [ForeignNote]
  ) {
    let rest = component.lines.filter { line in
      if let set = line.unreadableSet {
        notes.append(.undecoded(field: line.name, set: set))
        return true
      }
      return !known.contains(line.name) && !line.name.hasPrefix("X-DAYBOOK-")
        && line.name != "CATEGORIES"
    }
    var kept: [String] = []
    var bytes = 0
    for line in rest {
      let text = line.unfolded
      guard line.excessBytes == nil, bytes + text.utf8.count < keptBytes else {
        notes.append(.leftOut(line.name, bytes: line.excessBytes ?? text.utf8.count))
        continue
      }
      bytes += text.utf8.count + 1
      kept.append(text)
    }
    if !kept.isEmpty { record.extra[lines] = kept.joined(separator: "\n") }
    // Alarms that an export was asked for are not the event's own.
    let foreign = component.children.filter { $0.first(ownAlarm) == nil }
    keep(foreign.map(Text.init), as: parts, in: &record, &notes)
    keep(zones, as: self.zones, in: &record, &notes)
  }

  private static func keep(
    _ components: [Text], as name: String, in record: inout ForeignRecord,
    _ notes: inout [ForeignNote]
  ) {
    guard let first = components.first else { return }
    let bytes = components.reduce(components.count - 1) { $0 + $1.bytes }
    guard bytes < keptPartBytes else { return notes.append(.leftOut(first.name, bytes: bytes)) }
    record.extra[name] =
      components.count == 1 ? first.text : components.map(\.text).joined(separator: "\n")
  }
}
