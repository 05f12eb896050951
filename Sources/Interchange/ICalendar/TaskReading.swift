internal import Domain

/// Reads a VTODO as a to-do.
struct TaskReading {
  private(set) var record: ForeignRecord
  private(set) var notes: [ForeignNote] = []
  private let task: Component
  private let context: CalendarContext

  /// Reads a task.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - exceptions: The components for single dates.
  ///   - context: The calendar of the task.
  /// - Throws: ``ForeignFault`` for a task that a book cannot contain.
  init(
    _ task: Component, exceptions: [Component] = [], _ context: CalendarContext
  ) throws(ForeignFault) {
    (self.task, self.context) = (task, context)
    record = ForeignRecord(.todo, uid: CalendarUID.read(task), at: task.place)
    record.set(Field.Todo.title, task.first("SUMMARY")?.text)
    guard record.fields[Field.Todo.title] != nil else {
      throw task.fault(of: "SUMMARY")
    }
    record.set(.note, task.first("DESCRIPTION")?.text)
    try readDue()
    readStart()
    try readCreation()
    readState()
    readAlarms()
    readParent()
    try readPriority()
    readCategories()
    noteOthers()
    let position = task.first("X-DAYBOOK-POSITION").flatMap { Int64($0.value) }
    record.set(Field.Todo.position, position.map(Value.integer))
    keep(exceptions)
    readRepetition(exceptions)
  }

  private mutating func readDue() throws(ForeignFault) {
    guard let line = task.first("DUE") else { return }
    guard let due = CalendarMoment(line, context) else {
      throw .unreadable(field: "DUE", line.value)
    }
    record.setDue(due.day, minute: due.minute, zone: due.zone)
    notes += due.notes
  }

  /// Reads the rule, and the exceptions for single dates.
  private mutating func readRepetition(_ exceptions: [Component]) {
    var repetition = TaskRepetition(task, exceptions, record, context)
    repetition.read()
    record = repetition.record
    notes += repetition.notes
  }

  /// Reads the day on which the to-do starts.
  private mutating func readStart() {
    if let own = task.first("X-DAYBOOK-START").flatMap({ BasicInstant.read($0.value) }) {
      return record.set(Field.Todo.start, .date(own.day))
    }
    // The start of a one-day task is the day on which it is due, so the start adds no information.
    guard let line = task.first("DTSTART"), line.value != task.first("DUE")?.value else { return }
    guard let reading = BasicInstant.read(line.value), let day = context.day(of: reading) else {
      record.unread.insert(Field.Todo.start)
      return notes.append(.keptAsWritten(field: "DTSTART", line.value))
    }
    record.set(Field.Todo.start, .date(day))
    if context.seconds(of: reading) ?? 0 != 0 {
      notes.append(.changed(field: "DTSTART", line.value, to: day.iso))
    }
  }

  private mutating func readCreation() throws(ForeignFault) {
    let created = try instant("CREATED")
    record.time = created
    record.set(Field.Todo.createdAt, created.map(Value.integer))
  }

  /// Reads the lead times of the alarms, in the form that daybook wrote if that means the same.
  private mutating func readAlarms() {
    let alarms = TaskAlarms(of: task)
    if alarms.hasOthers { notes.append(.notActedOn("VALARM")) }
    var words = alarms.leads.prefix(Schema.Limit.tags).map(\.text)
    if let own = task.first("X-DAYBOOK-REMIND")?.items {
      let minutes = own.compactMap { ReminderLead($0)?.minutes }
      let isSame = Set(minutes) == Set(alarms.leads.map(\.minutes))
      if isSame || task.first("DUE") == nil { words = own }
    }
    record.set(Field.Todo.remind, words.isEmpty ? nil : .texts(words))
  }

  /// Reads the parent of the to-do; other relations are only kept.
  private mutating func readParent() {
    let uid = task.lines.first(where: \.isRelationToParent).map { CalendarUID.read($0.text) }
    guard let uid, !uid.isEmpty, uid != record.uid else { return }
    record.fields[Field.Todo.parent] = .record(uid: uid)
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
    let status = task.first("STATUS")?.value.trimmed.uppercased()
    let isWhole = task.first("PERCENT-COMPLETE")?.value.trimmed == "100"
    let isDone =
      status == "COMPLETED" || (status == nil && (isWhole || task.first("COMPLETED") != nil))
    record.set(Field.Todo.done, .boolean(isDone))
    if hasUnreadState { record.unread.formUnion(Field.stateFields) }
    if status == "CANCELLED" { record.set(Field.Todo.cancelled, .boolean(true)) }
    let closed = task.first("X-DAYBOOK-CLOSED").flatMap { BasicInstant.read($0.value) }
    record.set(Field.Todo.closedOn, closed.map { .date($0.day) })
    guard isDone else { return }
    // Without its completion time, the to-do is still imported.
    do throws(ForeignFault) {
      record.set(Field.Todo.completedAt, try instant("COMPLETED").map(Value.integer))
    } catch {
      let text = task.first("COMPLETED")?.value ?? ""
      notes.append(.keptAsWritten(field: "COMPLETED", text))
      record.unread.insert(Field.Todo.completedAt)
    }
  }

  /// The states of a task (RFC 5545 3.8.1.11).
  private static let states: Set<String> = [
    "NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED",
  ]

  /// Whether the property with the state of the task cannot be read.
  private var hasUnreadState: Bool {
    if let status = task.first("STATUS") {
      return !Self.states.contains(status.value.trimmed.uppercased())
    }
    guard let percent = task.first("PERCENT-COMPLETE"), task.first("COMPLETED") == nil else {
      return false
    }
    return Int(percent.value.trimmed).map { !(0...100).contains($0) } ?? true
  }

  /// Notes the properties that are kept but have no effect here.
  private mutating func noteOthers() {
    for name in ["DURATION", "STATUS", "PERCENT-COMPLETE"] {
      guard let line = task.first(name) else { continue }
      let value = line.value.trimmed.uppercased()
      if ["NEEDS-ACTION", "COMPLETED", "CANCELLED", "0", "100"].contains(value) { continue }
      let isUnread =
        name == "STATUS" ? !Self.states.contains(value) : name != "DURATION" && Int(value) == nil
      notes.append(
        isUnread
          ? .keptAsWritten(field: name, line.value) : .notActedOn("\(name):\(line.value)"))
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

  private mutating func keep(_ exceptions: [Component]) {
    let named = ([task] + exceptions).flatMap(\.lines).flatMap { $0.values("TZID") }
    let zones = Set(named).sorted().compactMap { context.zones[$0] }
    KeptComponent.keep(task, zones: zones, exceptions: exceptions, in: &record, &notes)
  }
}

extension ContentLine {
  /// Whether the line names the parent of the to-do (RFC 5545 3.8.4.5).
  var isRelationToParent: Bool {
    guard name == "RELATED-TO", unreadableSet == nil else { return false }
    return values("RELTYPE").isEmpty || has("RELTYPE", "PARENT")
  }
}
