internal import Domain

/// Reads the birthdays and to-dos in a calendar.
enum ICalendarReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let parsed = try ComponentReader(bytes, of: .iCalendar, settings.limits)
    let calendars = parsed.components.filter { $0.name == "VCALENDAR" }
    guard !calendars.isEmpty || parsed.hasBegun("VCALENDAR") else {
      if parsed.isEmpty { return ForeignFile(.iCalendar) }
      throw .notOfFormat(.iCalendar)
    }
    var file = parsed.file
    var names = ContentNames()
    var budget = UnpackingBudget(fileBytes: bytes.count)
    for calendar in calendars {
      let context = CalendarContext(calendar, settings)
      if context.isNamedAfterBirthdays { file.named = "birthdays" }
      var exceptions = CalendarExceptions(calendar)
      let first = file.records.count
      for component in calendar.children where !exceptions.holds(component) {
        take(component, context, &exceptions, &names, &file)
      }
      takeChildren(of: calendar, from: first, &file)
    }
    for place in file.records.indices { limitZones(ofRecordAt: place, &budget, &file) }
    return file
  }

  /// Makes to-dos sub-tasks of the to-dos that name them as children, unless they name another parent or daybook wrote
  /// them.
  private static func takeChildren(
    of calendar: Component, from first: Int, _ file: inout ForeignFile
  ) {
    var parents: [String: String] = [:]
    for task in calendar.children where task.name == "VTODO" {
      let uid = CalendarUID.read(task)
      for line in task.all("RELATED-TO") where line.has("RELTYPE", "CHILD") && !uid.isEmpty {
        let child = CalendarUID.read(line.text)
        if parents[child] == nil, child != uid { parents[child] = uid }
      }
    }
    guard !parents.isEmpty else { return }
    for place in file.records.indices[first...] {
      let record = file.records[place]
      guard record.kind == .todo, record.base == nil, let uid = parents[record.uid],
        record.parentUID == nil
      else { continue }
      file.records[place].fields[Field.Todo.parent] = .record(uid: uid)
    }
  }

  private static func take(
    _ component: Component, _ context: CalendarContext, _ exceptions: inout CalendarExceptions,
    _ names: inout ContentNames, _ file: inout ForeignFile
  ) {
    do throws(ForeignFault) {
      switch component.name {
      case "VTIMEZONE": return
      case "VEVENT":
        let parts = exceptions.take(of: component)
        let reading = try EventReading(component, exceptions: parts, context)
        guard reading.isBirthday else {
          for note in reading.notes { file.remark(component.place, note) }
          return file.passOver(reading.otherwise)
        }
        add(reading.record, reading.notes, &names, &file)
      case "VTODO":
        if component.first("RECURRENCE-ID") != nil {
          return try takeDate(component, context, &names, &file)
        }
        let parts = exceptions.take(of: component)
        let reading = try TaskReading(component, exceptions: parts, context)
        add(reading.record, reading.notes, &names, &file)
      default: file.passOver(.otherComponent)
      }
    } catch {
      file.skip(component.place, error)
    }
  }

  /// Reads a single date of a task that is itself missing from the calendar.
  private static func takeDate(
    _ component: Component, _ context: CalendarContext, _ names: inout ContentNames,
    _ file: inout ForeignFile
  ) throws(ForeignFault) {
    let reading = try TaskReading(component, context)
    var record = reading.record
    let line = component.first("RECURRENCE-ID")
    let slot = line.flatMap { CalendarMoment($0, context)?.day }
    if !record.uid.isEmpty {
      record.absentSeries = ForeignRecord.AbsentSeries(uid: record.uid, slot: slot)
      record.uid += " " + (slot?.iso ?? line?.value ?? "")
    }
    add(record, reading.notes + [.seriesAbsent], &names, &file)
  }

  /// Removes the kept time zones of a record if they exceed the budget.
  private static func limitZones(
    ofRecordAt place: Int, _ budget: inout UnpackingBudget, _ file: inout ForeignFile
  ) {
    guard let zones = file.records[place].extra[KeptComponent.zones],
      !budget.spend(zones.utf8.count)
    else { return }
    file.records[place].extra[KeptComponent.zones] = nil
    file.remark(file.records[place].place, .leftOut("VTIMEZONE", bytes: zones.utf8.count))
  }

  private static func add(
    _ record: ForeignRecord, _ notes: [ForeignNote], _ names: inout ContentNames,
    _ file: inout ForeignFile
  ) {
    var record = record
    if record.uid.isEmpty {
      let title = [Field.Birthday.firstName, Field.Birthday.lastName].map { field in
        record.fields[field].map { content in
          if case .value(let value) = content { value.text ?? "" } else { "" }
        }
      }
      record.uid = names.name([Schema.schema(of: record.kind)?.name] + title)
    }
    for note in notes { file.remark(record.place, note) }
    file.records.append(record)
  }
}
