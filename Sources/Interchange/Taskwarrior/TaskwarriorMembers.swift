internal import Bytes
internal import Domain

/// The attributes of a task that is being written.
struct TaskwarriorMembers {
  private var members: [String: JSON] = [:]

  subscript(name: String) -> JSON? {
    get { members[name] }
    set { members[name] = newValue }
  }

  var text: String {
    JSON.object(members.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) }).text()
  }

  mutating func set(_ name: String, _ time: Int64) {
    members[name] = TaskwarriorTime.text(time).map { .string($0) }
  }

  /// Sets a time, and also the exact time if it is not a whole second.
  mutating func setExact(_ name: String, _ time: Int64) {
    set(name, time)
    let text = Instant.textWithMilliseconds(time)
    members[TaskwarriorTask.exactName(of: name)] = text.map { .string($0) }
  }

  mutating func setOwn(_ own: TaskwarriorTask.Own, _ words: [String]) {
    members[own.rawValue] = .string(words.joined(separator: " "))
  }

  /// Sets the due time, and a separate attribute for the details that the due time lacks.
  ///
  /// - Parameters:
  ///   - due: The due date.
  ///   - kept: The original time, which is written if it still means the same.
  ///   - settings: The settings of the export.
  mutating func setDue(
    _ due: TaskwarriorDue, keeping kept: String?, _ settings: ExportSettings
  ) {
    guard let instant = settings.due(due.day, minute: due.minute, zone: due.zone) else { return }
    set("due", instant)
    if due.zone == nil, let kept, let told = settings.taskDay(at: kept), told.day == due.day,
      told.minute == due.minute
    {
      members["due"] = .string(kept)
    }
    guard let text = members["due"]?.string, let minute = due.minute,
      let time = TimeOfDay(minute: minute)?.text
    else { return }
    let told = settings.taskDay(at: text)
    let isToldByTime = told.map { $0.day == due.day && $0.minute == minute } ?? false
    guard due.zone != nil || !isToldByTime else { return }
    let zone = due.zone.map { [EncodedWord.text($0)] } ?? []
    setOwn(.due, [text, due.day.iso, time] + zone)
  }

  /// Sets the attribute with the details about the end of a closed task.
  mutating func setClosed(_ state: ExportedState) {
    guard let end = members["end"]?.string else { return }
    let isCancelled = state.isCancelled && !state.isDone
    let words =
      (isCancelled ? [TaskwarriorTask.cancelled] : []) + (state.closedOn.map { [$0.iso] } ?? [])
    if !words.isEmpty { setOwn(.closed, [end] + words) }
  }
}

/// A due date with its time and its zone.
struct TaskwarriorDue {
  let day: CivilDate
  let minute: Int64?
  let zone: String?
}

extension ExportSettings {
  /// Returns the local day and time of a time in a task.
  func taskDay(at text: String) -> TaskwarriorDay? {
    var reading = ForeignSettings()
    reading.localOffset = localOffset
    return TaskwarriorTime.parse(text).flatMap { TaskwarriorDay($0, reading) }
  }
}

// MARK: Children

extension TaskwarriorMembers {
  /// Returns the attributes that a child has in common with its template.
  func ofChild(parent: String) -> TaskwarriorMembers {
    var child = TaskwarriorMembers()
    let names = [
      "description", "entry", TaskwarriorTask.exactName(of: "entry"), "modified", "priority",
      "project", "recur", "tags",
    ]
    for name in names { child[name] = members[name] }
    child["parent"] = .string(parent)
    return child
  }

  /// Sets the end of a closed child.
  mutating func close(_ slot: StoredSlot?, _ settings: ExportSettings) {
    guard let slot, !slot.isOpen else { return }
    let entry = members["entry"]?.string.flatMap(TaskwarriorTime.parse)
    let modified = members["modified"]?.string.flatMap(TaskwarriorTime.parse)
    guard let end = slot.completedAt ?? slot.day.flatMap(settings.start) ?? modified else { return }
    setExact("end", end)
    if let entry, end < entry { setExact("entry", end) }
    setClosed(ExportedState(slot))
  }

  mutating func setNote(_ note: String) {
    let entry = members["entry"]?.string.flatMap(TaskwarriorTime.parse)
    let annotations = TaskwarriorAnnotations([]).written(for: note, entry, changed: entry ?? 0)
    members["annotations"] = .array(annotations)
  }
}

/// The uuids of the children of a task.
struct TaskwarriorIDs {
  private let document: Document
  /// The uuids that Taskwarrior gave to the children of open dates.
  private let kept: [String: String]

  init(_ document: Document, _ kept: JSON?) {
    self.document = document
    var uuids: [String: String] = [:]
    for word in (kept?.string ?? "").split(separator: ",") {
      let parts = word.split(separator: "=").map(String.init)
      if parts.count == 2 { uuids[parts[0]] = parts[1] }
    }
    self.kept = uuids
  }

  /// Returns the uuid of a child: the uuid of its own task or, if there is none, the uuid that every book computes for
  /// the occurrence.
  func uuid(of slot: CivilDate, _ occurrence: Document?) -> String {
    if let uid = occurrence?.uid(from: .taskwarrior), UniqueID(uuid: uid) != nil { return uid }
    if let uuid = kept[slot.iso] { return uuid }
    let source = Source(occurrence: slot, of: document.source, id: document.id)
    return source.uid.text
  }
}
