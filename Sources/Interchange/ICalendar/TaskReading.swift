internal import Domain

/// Reads a VTODO as a to-do.
struct TaskReading {
  private(set) var record: ForeignRecord
  private(set) var notes: [ForeignNote] = []
  private let task: Component
  private let context: CalendarContext

  init(_ task: Component, _ context: CalendarContext) throws(ForeignFault) {
    (self.task, self.context) = (task, context)
    record = ForeignRecord(.todo, uid: CalendarUID.read(task), at: task.place)
    record.set(Field.Todo.title, task.first("SUMMARY")?.text)
    guard record.fields[Field.Todo.title] != nil else {
      throw task.fault(of: "SUMMARY")
    }
    record.set(.note, task.first("DESCRIPTION")?.text)
    try readTimes()
    readState()
    try readPriority()
    readCategories()
    noteOthers()
    let position = task.first("X-DAYBOOK-POSITION").flatMap { Int64($0.value) }
    record.set(Field.Todo.position, position.map(Value.integer))
    keep()
  }

  private mutating func readTimes() throws(ForeignFault) {
    if let line = task.first("DUE") {
      guard let reading = BasicInstant.read(line.value), let day = context.day(of: reading) else {
        throw .unreadable(field: "DUE", line.value)
      }
      record.set(Field.Todo.due, .date(day))
      if reading.seconds != nil {
        notes.append(.changed(field: "DUE", line.value, to: day.iso))
      }
    }
    let created = try instant("CREATED")
    record.time = created
    record.set(Field.Todo.createdAt, created.map(Value.integer))
  }

  /// Returns the instant of a property, which should be in UTC; other times are read as local.
  private func instant(_ name: String) throws(ForeignFault) -> Int64? {
    guard let line = task.first(name) else { return nil }
    guard let reading = BasicInstant.read(line.value), let day = reading.day.epochDay else {
      throw .unreadable(field: name, line.value)
    }
    let local = (Int64(day) * 86_400 + Int64(reading.seconds ?? 0)) * 1000
    let second = reading.instant ?? local - Int64(context.settings.localOffset(local)) * 1000
    return Instant.exact(task.first("X-DAYBOOK-" + name)?.value.trimmed, inSecond: second)
  }

  private mutating func readState() {
    let status = task.first("STATUS")?.value.uppercased()
    let isWhole = task.first("PERCENT-COMPLETE")?.value.trimmed == "100"
    let isDone =
      status == "COMPLETED" || (status == nil && (isWhole || task.first("COMPLETED") != nil))
    record.set(Field.Todo.done, .boolean(isDone))
    guard isDone else { return }
    // A completion time that cannot be read is ignored, so that the to-do is still imported.
    let completed = (try? instant("COMPLETED")) ?? nil
    record.set(Field.Todo.completedAt, completed.map(Value.integer))
  }

  /// Notes the properties that are kept but have no effect here.
  private mutating func noteOthers() {
    for name in ["RRULE", "DTSTART", "DURATION", "STATUS", "PERCENT-COMPLETE"] {
      guard let line = task.first(name) else { continue }
      let value = line.value.trimmed.uppercased()
      if ["NEEDS-ACTION", "COMPLETED", "0", "100"].contains(value) { continue }
      // The start of a one-day task is the day on which it is due, so it adds nothing.
      if name == "DTSTART", line.value == task.first("DUE")?.value { continue }
      notes.append(.notActedOn("\(name):\(line.value)"))
    }
  }

  private mutating func readPriority() throws(ForeignFault) {
    guard let line = task.first("PRIORITY") else { return }
    guard let number = Int(line.value.trimmed), (0...9).contains(number) else {
      throw .unreadable(field: "PRIORITY", line.value)
    }
    let priority = Self.priority(ofNumber: number)
    record.set(Field.Todo.priority, .integer(priority.rawValue))
  }

  static func priority(ofNumber number: Int) -> Priority {
    switch number {
    case 1...4: .high
    case 6...9: .low
    default: .normal
    }
  }

  static func number(of priority: Priority) -> Int {
    switch priority {
    case .high: 1
    case .normal: 5
    case .low: 9
    }
  }

  /// Reads the list from the first category or, without one, from the name of the calendar.
  ///
  /// Other categories are tags.
  private mutating func readCategories() {
    var tags = task.all("CATEGORIES").flatMap(\.items).map(\.trimmed).filter { !$0.isEmpty }
    let own = task.first("X-DAYBOOK-LIST")?.text.trimmed
    var list: String?
    if let own, tags.contains(own) {
      list = own
      tags.removeAll { $0 == own }
    } else if !tags.isEmpty, !(context.isOwn && own == nil) {
      list = tags.removeFirst()
    } else if !context.isOwn {
      list = context.name
    }
    if let list, !list.isEmpty { record.fields[Field.Todo.list] = .list(named: list) }
    record.set(.tags, tags.isEmpty ? nil : .texts(tags))
  }

  private mutating func keep() {
    let named = task.lines.flatMap { $0.values("TZID") }
    let zones = Set(named).sorted().compactMap { context.zones[$0] }
    KeptComponent.keep(task, zones: zones, in: &record, &notes)
    KeptComponent.tellAlarms(of: task, &notes)
  }
}
