internal import Domain

/// A task as imported from a calendar, which an export writes back with the changes made since then.
struct KeptTask {
  let extra: ForeignExtra
  let lines: [ContentLine]
  /// The lines of inner components.
  let parts: [ContentLine]
  /// The components for single dates.
  let exceptions: [Component]

  init(_ document: Document) {
    extra = ForeignExtra(of: document, format: .iCalendar)
    lines = ContentLine.lines(of: extra.properties[KeptComponent.lines])
    parts = ContentLine.lines(of: extra.properties[KeptComponent.parts])
    exceptions = Component.all(in: extra.properties[KeptComponent.exceptions])
  }

  var isEmpty: Bool { lines.isEmpty }

  /// The whole task; nil if none was imported.
  var component: Component? { isEmpty ? nil : Component(task: lines + parts) }

  /// Returns whether a task that another program wrote still agrees with the book about the dates of a series.
  ///
  /// A task that daybook wrote is written again, because the new text contains more.
  func saysSame(
    as series: ExportedSeries, _ changes: Set<Field>, _ context: CalendarContext
  ) -> Bool {
    let dates: Set<Field> = [
      Field.Todo.repeat, Field.Todo.until, Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone,
      Field.Todo.start,
    ]
    guard changes.isDisjoint(with: dates),
      !lines.contains(where: { $0.name == TaskRepetition.rule }),
      let told = told(context), series.state.series.closing == nil
    else { return false }
    let stored = series.stored.filter { $0.state != .open || series.moved[$0.slot] != nil }
    return told.count == stored.count
      && stored.allSatisfy { slot in
        told[slot.slot].map { series.isSame($0, at: slot.slot) } ?? false
      }
  }

  /// Returns the occurrences that the task describes, by their slots; nil if the task cannot be read.
  private func told(_ context: CalendarContext) -> [CivilDate: ForeignRecord]? {
    guard let component,
      // The task was readable when it was imported.
      let told = try? TaskReading(component, exceptions: exceptions, context).record
    else { return nil }
    return Dictionary(
      told.occurrences.compactMap { one in one.slot.map { ($0, one) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the components for open dates that agree with the book, by their slots.
  func unchangedExceptions(
    of series: ExportedSeries, _ context: CalendarContext
  ) -> [CivilDate: Component] {
    guard let told = told(context) else { return [:] }
    var unchanged: [CivilDate: Component] = [:]
    for exception in exceptions {
      guard
        let slot = exception.first("RECURRENCE-ID").flatMap({ CalendarMoment($0, context)?.day }),
        let record = told[slot], series.isSame(record, at: slot)
      else { continue }
      unchanged[slot] = exception
    }
    return unchanged
  }
}

extension Component {
  /// Returns the components in a text.
  static func all(in text: String?) -> [Component] { all(in: ContentLine.lines(of: text)) }

  private static func all(in lines: [ContentLine]) -> [Component] {
    guard !lines.isEmpty else { return [] }
    let bytes = Array(lines.map(\.folded).joined().utf8)
    // The lines were readable when they were imported, or come from this program.
    return (try? ComponentReader(bytes, of: .iCalendar, ForeignSettings.Limits()))?.components ?? []
  }

  /// Creates a task with properties and the lines of inner components; nil if the inner components are incomplete.
  init?(task lines: [ContentLine]) {
    guard lines.contains(where: { $0.name == "BEGIN" }) else {
      self.init(name: "VTODO", place: .line(0), lines: lines)
      return
    }
    let all = [ContentLine("BEGIN", "VTODO")] + lines + [ContentLine("END", "VTODO")]
    guard let component = Component.all(in: all).first else { return nil }
    self = component
  }
}
