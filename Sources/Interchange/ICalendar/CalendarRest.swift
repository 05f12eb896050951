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

  static func keep(
    _ component: Component, except known: Set<String>, zones: [Component] = [],
    in record: inout ForeignRecord, _ notes: inout [ForeignNote]
  ) {
    let rest = component.lines.filter { line in
      !known.contains(line.name) && !line.name.hasPrefix("X-DAYBOOK-") && line.name != "CATEGORIES"
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
    keep(foreign, as: parts, in: &record, &notes)
    keep(zones, as: self.zones, in: &record, &notes)
  }

  private static func keep(
    _ components: [Component], as name: String, in record: inout ForeignRecord,
    _ notes: inout [ForeignNote]
  ) {
    let text = components.flatMap(\.text).joined(separator: "\n")
    guard !text.isEmpty else { return }
    guard text.utf8.count < 8 << 10 else {
      return notes.append(.leftOut(components[0].name, bytes: text.utf8.count))
    }
    record.extra[name] = text
  }
}
