internal import Bytes
internal import Domain

/// Reads the output of `task export`: an array of tasks, or one task per line.
struct TaskwarriorReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    var reader = TaskwarriorReader(settings)
    let first = Self.lines(of: bytes).first { _ in true }
    if first.map({ Self.isWhole($0.text) }) ?? true {
      // If each task has its own line, a broken task does not affect the others.
      for line in Self.lines(of: bytes) { reader.parse(line.text, at: .line(line.number)) }
    } else {
      try reader.parseWhole(bytes)
    }
    reader.learnChildren()
    for (place, task) in reader.tasks { reader.take(task, at: place) }
    return reader.file
  }

  private var file = ForeignFile(.taskwarrior)
  private let settings: ForeignSettings
  private var tasks: [(place: ForeignPlace, task: TaskwarriorTask)] = []
  private var uuids: Set<String> = []
  /// The children of each recurring task.
  private var children: [String: [TaskwarriorSeries.Child]] = [:]

  private init(_ settings: ForeignSettings) { self.settings = settings }

  /// Returns the lines that may contain tasks, lazily.
  private static func lines(
    of bytes: [UInt8]
  ) -> some Sequence<(number: Int, text: ArraySlice<UInt8>)> {
    let whole = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    return ByteLines(whole).enumerated().lazy.compactMap { place, line in
      var line = line.drop(while: \.isBlank)
      while let last = line.last, last.isBlank || last == UInt8(ascii: ",") { line.removeLast() }
      return line.isEmpty || isBracket(line) ? nil : (place + 1, line)
    }
  }

  private static func isBracket(_ line: ArraySlice<UInt8>) -> Bool {
    line.elementsEqual("[".utf8) || line.elementsEqual("]".utf8)
  }

  private static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}")
  }

  private mutating func parse(_ line: ArraySlice<UInt8>, at place: ForeignPlace) {
    guard line.count <= settings.limits.fieldBytes else {
      return file.skip(place, .tooLarge("the task", limit: settings.limits.fieldBytes))
    }
    do throws(JSONError) {
      add(try JSON(parsing: Array(line)), at: place)
    } catch {
      file.skip(place, error.fault)
    }
  }

  private mutating func parseWhole(_ bytes: [UInt8]) throws(ForeignFault) {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw error.fault
    }
    guard let items = json.array ?? (json.members == nil ? nil : [json]) else {
      throw .notOfFormat(.taskwarrior)
    }
    for (place, item) in items.enumerated() { add(item, at: .path("[\(place)]")) }
  }

  private mutating func add(_ json: JSON, at place: ForeignPlace) {
    guard let members = json.members else {
      return file.skip(place, .broken("it is not a JSON object"))
    }
    guard members.count <= settings.limits.properties else {
      return file.skip(place, .tooManyParts("properties", limit: settings.limits.properties))
    }
    // One task beyond the limit shows that there are too many.
    guard tasks.count <= settings.limits.records else { return }
    tasks.append((place, TaskwarriorTask(members)))
  }
}

extension TaskwarriorReader {
  private mutating func learnChildren() {
    var templates: Set<String> = []
    for (_, task) in tasks where task["parent"] == nil && !isPassedOver(task) {
      if let uuid = task["uuid"]?.string { templates.insert(uuid.lowercased()) }
    }
    for child in tasks {
      guard let parent = child.task["parent"]?.string?.lowercased(), templates.contains(parent)
      else { continue }
      children[parent, default: []].append(child)
    }
  }

  /// Returns the first due time of pending children.
  private func nextDue(of children: [TaskwarriorSeries.Child]) -> String? {
    // Strings of this form sort in the order of the instants.
    children.filter { $0.task["status"]?.string == "pending" }
      .compactMap { $0.task["due"]?.string }.filter { TaskwarriorTime.parse($0) != nil }.min()
  }

  private mutating func take(_ task: TaskwarriorTask, at place: ForeignPlace) {
    let parent = task["parent"]?.string?.lowercased()
    // Children are read with their templates.
    if let parent, children[parent] != nil { return }
    if isPassedOver(task) { return file.passOver(.deletedTask) }
    do throws(ForeignFault) {
      var record = try record(task, at: place)
      if let parent {
        record.absentSeries = ForeignRecord.AbsentSeries(
          uid: parent, slot: TaskwarriorChild(task, at: place, settings).ownSlot)
        file.remark(place, .seriesAbsent)
      }
      guard uuids.insert(record.uid).inserted else {
        throw .broken("an earlier task has the same uuid")
      }
      file.records.append(record)
    } catch {
      file.skip(place, error)
    }
  }

  private func isPassedOver(_ task: TaskwarriorTask) -> Bool {
    task.isDeleted && !settings.takesDeleted
  }

  private func children(of task: TaskwarriorTask) -> [TaskwarriorSeries.Child] {
    task["uuid"]?.string.flatMap { children[$0.lowercased()] } ?? []
  }

  private mutating func passOverChildren(of task: TaskwarriorTask) {
    for _ in children(of: task) { file.passOver(.recurringChild) }
  }

  private mutating func record(
    _ task: TaskwarriorTask, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    guard let uuid = try task.text("uuid") else { throw .missing("uuid") }
    guard UniqueID(uuid: uuid) != nil else { throw .unreadable(field: "uuid", uuid) }
    guard let title = try task.text("description"), !title.trimmed.isEmpty else {
      throw .missing("description")
    }
    var record = ForeignRecord(.todo, uid: uuid.lowercased(), at: place)
    record.set(Field.Todo.title, title)
    try setState(of: &record, task)
    if task.isDeleted { record.standing = .deleted }
    record.time = try task.instant("entry")
    record.set(Field.Todo.createdAt, record.time.map { .integer($0) })
    let children = children(of: task)
    let series = TaskwarriorSeries(task, children, settings)
    let next = series.isSeries ? nil : nextDue(of: children)
    try setDue(of: &record, task, next: next)
    setStart(of: &record, task)
    let leads = task[.remind].map(EncodedWord.items) ?? []
    record.set(Field.Todo.remind, leads.isEmpty ? nil : .texts(leads))
    if let parent = task[.parent], parent != record.uid {
      record.fields[Field.Todo.parent] = .record(uid: parent)
    }
    if let project = try task.text("project") {
      record.fields[Field.Todo.list] = .list(named: project)
    }
    record.set(.tags, try task.texts("tags").map { .texts($0) })
    try setPriority(of: &record, task)
    record.set(.note, try task.annotations()?.joined(separator: "\n"))
    if let mark = task[TaskwarriorTask.mark]?.string { record.takeMark(mark) }
    let repeats = series.read(into: &record)
    if !repeats { passOverChildren(of: task) }
    keepOthers(of: task, repeats: repeats, in: &record)
    return record
  }

  private func setState(
    of record: inout ForeignRecord, _ task: TaskwarriorTask
  ) throws(ForeignFault) {
    guard let status = try task.text("status") else { throw .missing("status") }
    guard TaskwarriorTask.statuses.contains(status) else {
      throw .unreadable(field: "status", status)
    }
    record.set(Field.Todo.done, .boolean(status == "completed"))
    if task.isCancelled { record.set(Field.Todo.cancelled, .boolean(true)) }
    let closed = task.words(of: .closed, beside: "end").compactMap(ForeignDate.own).first
    record.set(Field.Todo.closedOn, closed.map { .date($0) })
    guard status == "completed" else { return }
    record.set(Field.Todo.completedAt, try task.instant("end").map { .integer($0) })
  }

  /// Sets the local day and time at which the to-do is due from the instant at which the task is due.
  private mutating func setDue(
    of record: inout ForeignRecord, _ task: TaskwarriorTask, next: String?
  ) throws(ForeignFault) {
    let told = try task.text("due")
    guard let text = next ?? told else { return }
    guard let due = TaskwarriorTime.parse(text) else { throw .unreadable(field: "due", text) }
    if let own = task.ownDue, next == nil {
      return record.setDue(own.day, minute: own.minute, zone: own.zone)
    }
    guard let here = TaskwarriorDay(due, settings) else { return }
    record.setDue(here.day, minute: here.minute)
    if !here.isExact { file.remark(record.place, .changed(field: "due", text, to: here.text)) }
  }

  /// Sets the start of the to-do to the local day until which the task waits.
  private mutating func setStart(of record: inout ForeignRecord, _ task: TaskwarriorTask) {
    guard let text = task["wait"]?.string, let wait = TaskwarriorTime.parse(text),
      let told = TaskwarriorDay(wait, settings)
    else { return }
    record.set(Field.Todo.start, .date(told.day))
    if told.minute != nil {
      file.remark(record.place, .changed(field: "wait", text, to: told.day.iso))
    }
  }

  private func setPriority(
    of record: inout ForeignRecord, _ task: TaskwarriorTask
  ) throws(ForeignFault) {
    switch try task.text("priority") {
    case nil: return
    case "H": record.set(Field.Todo.priority, .integer(Priority.high.rawValue))
    case "M": record.set(Field.Todo.priority, .integer(Priority.normal.rawValue))
    case "L": record.set(Field.Todo.priority, .integer(Priority.low.rawValue))
    case let other?: throw .unreadable(field: "priority", other)
    }
  }

  /// Returns whether an export of the record would write the same member; if so, it need not be kept.
  private func says(
    _ member: JSON.Member, what record: ForeignRecord, _ task: TaskwarriorTask
  ) -> Bool {
    switch member.name {
    case "due" where task.ownDue != nil: return true
    case "due": return record.time(at: Field.Todo.due, settings) == member.value.string
    case "wait": return record.time(at: Field.Todo.start, settings) == member.value.string
    case "annotations":
      let notes = member.value.array ?? []
      return notes.count == 1 && notes[0].members?.count == 2
        && notes[0]["entry"] == task["entry"]
    default: return false
    }
  }

  /// The maximum size of kept annotations in bytes.
  ///
  /// If the annotations are larger, their times are lost.
  private static let annotationBytes = Schema.Limit.mapBytes / 2

  /// Keeps the properties that no field represents, as JSON, for writing them back.
  private mutating func keepOthers(
    of task: TaskwarriorTask, repeats: Bool, in record: inout ForeignRecord
  ) {
    for member in task.members where !TaskwarriorTask.ownNames.contains(member.name) {
      // The mask follows from the occurrences, and Taskwarrior adds `rtype` itself.
      if repeats, member.name == "mask" || member.name == "rtype" { continue }
      // A series without a period has the times of the current date.
      if repeats, task["recur"] == nil, ["due", "wait"].contains(member.name) { continue }
      if says(member, what: record, task) { continue }
      let text = member.value.text()
      let most = member.name == "annotations" ? Self.annotationBytes : ForeignAttribute.keptBytes
      guard text.utf8.count <= most else {
        file.remark(record.place, .leftOut(member.name, bytes: text.utf8.count))
        continue
      }
      record.extra[member.name] = text
    }
    if let status = task["status"]?.string,
      status == "waiting" || (status == "recurring" && !repeats)
    {
      record.extra["status"] = JSON.string(status).text()
    }
    if case .value(.texts(let tags))? = record.fields[.tags], tags != Tag.sorted(tags) {
      // The order of tags has no meaning, but an unchanged task is written as it was.
      record.extra["tags"] = JSON.array(tags.map(JSON.string)).text()
    }
    for name in ["recur", "wait", "scheduled", "until", "depends"] {
      guard let value = task[name], value != .null else { continue }
      if name == "wait", record.fields[Field.Todo.start] != nil { continue }
      if repeats, name == "recur" || name == "until" { continue }
      // The note about the missing template is sufficient.
      if name == "recur", task["parent"] != nil { continue }
      file.remark(record.place, .notActedOn("\(name):\(value.string ?? value.text())"))
    }
  }
}

extension ForeignRecord {
  /// Returns the time at which a day of the record begins or, if the record is due at a time of that day, that time.
  fileprivate func time(at field: Field, _ settings: ForeignSettings) -> String? {
    guard case .value(let value)? = fields[field], let day = value.date else { return nil }
    var minute: Int64 = 0
    if field == Field.Todo.due, case .value(let time)? = fields[Field.Todo.dueTime] {
      minute = time.integer ?? 0
    }
    return settings.instant(of: day, minute: minute).flatMap(TaskwarriorTime.text)
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0d }
}
