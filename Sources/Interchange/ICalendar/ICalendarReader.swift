internal import Domain

/// Reads the birthdays and to-dos of a calendar.
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

  /// Makes to-dos parts of those that name them as children, unless they name another parent or a book wrote them.
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
        let reading = try EventReading(component, context)
        guard reading.isBirthday else {
          for note in reading.notes { file.remark(component.place, note) }
          return file.passOver(.eventThatIsNoBirthday)
        }
        add(reading.record, reading.notes, exceptions.take(of: component), &names, &file)
      case "VTODO":
        if component.first("RECURRENCE-ID") != nil { return file.passOver(.recurringChild) }
        let reading = try TaskReading(component, context)
        add(reading.record, reading.notes, exceptions.take(of: component), &names, &file)
      default: file.passOver(.otherComponent)
      }
    } catch {
      file.skip(component.place, error)
    }
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
    _ record: ForeignRecord, _ notes: [ForeignNote], _ exceptions: [Component],
    _ names: inout ContentNames, _ file: inout ForeignFile
  ) {
    var (record, notes) = (record, notes)
    KeptComponent.keep(exceptions: exceptions, in: &record, &notes)
    for exception in exceptions {
      let day = exception.first("RECURRENCE-ID")?.value ?? ""
      notes.append(.notActedOn("RECURRENCE-ID:" + day))
    }
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

/// The properties of a calendar that apply to all of its components.
struct CalendarContext {
  let settings: ForeignSettings
  /// The name of the calendar.
  let name: String?
  /// Whether this program wrote the calendar.
  let isOwn: Bool
  /// Whether the calendar is one of birthdays.
  let isOfBirthdays: Bool
  /// Whether the calendar comes from a program whose events start with the next birthday.
  let isOfFeed: Bool
  /// Whether the calendar has many events that all start within one year.
  let isOfOneYear: Bool
  /// Whether only the name of the file marks the calendar as one of birthdays.
  let isNamedAfterBirthdays: Bool
  /// The time zones of the calendar by name, to be kept with the components that refer to them.
  let zones: [String: KeptComponent.Text]

  init(_ calendar: Component, _ settings: ForeignSettings) {
    self.settings = settings
    name = (calendar.first("NAME") ?? calendar.first("X-WR-CALNAME"))?.text.trimmed
    isOwn = calendar.first("PRODID")?.value.contains("//daybook") ?? false
    let saysSo = settings.takesEventsAsBirthdays || Self.speaksOfBirthdays(name)
    isNamedAfterBirthdays = !saysSo && Self.speaksOfBirthdays(settings.fileName)
    isOfBirthdays = saysSo || isNamedAfterBirthdays
    (isOfFeed, isOfOneYear) = (Self.isOfFeed(calendar), Self.isOfOneYear(calendar))
    var zones: [String: KeptComponent.Text] = [:]
    for zone in calendar.children where zone.name == "VTIMEZONE" {
      if let id = zone.first("TZID")?.value { zones[id] = KeptComponent.Text(zone) }
    }
    self.zones = zones
  }

  static func speaksOfBirthdays(_ name: String?) -> Bool {
    guard let words = name?.lowercased() else { return false }
    return words.contains("birthday") || words.contains("geburtstag")
  }

  /// Returns the day as written; an instant in UTC becomes the local day.
  func day(of reading: BasicInstant.Reading) -> CivilDate? {
    reading.instant.map { settings.localDay(of: $0) } ?? reading.day
  }

  /// Returns the seconds after midnight as written, or of the local time of an instant in UTC; nil for a day.
  func seconds(of reading: BasicInstant.Reading) -> Int? {
    guard let instant = reading.instant else { return reading.seconds }
    let seconds = (instant / 1000 + Int64(settings.localOffset(instant))) % 86_400
    return Int(seconds < 0 ? seconds + 86_400 : seconds)
  }
}

/// Converts uids between a calendar and the book.
enum CalendarUID {
  private static let domain = "@daybook"

  /// Returns the uid of a component; the id of the record if this program wrote the uid.
  static func read(_ component: Component) -> String {
    read(component.first("UID")?.text ?? "")
  }

  /// Returns the uid that a text names.
  static func read(_ text: String) -> String {
    let text = text.trimmed
    guard text.hasSuffix(domain) else { return text }
    let id = text.dropLast(domain.count)
    return String(id.split(separator: "birthday-", maxSplits: 1).last ?? id)
  }

  /// Returns whether a record is identified by its content because the uid of its component belongs to another record.
  static func isNamedAnew(_ document: Document) -> Bool {
    document.uid(from: .iCalendar)?.hasPrefix("=") ?? false
  }

  static func text(of document: Document) -> String {
    let foreign = document.uid(from: .iCalendar).flatMap { $0.hasPrefix("=") ? nil : $0 }
    if let foreign { return foreign }
    return (document.kind == .birthday ? "birthday-" : "") + document.id.uuid + domain
  }
}
