internal import Bytes
internal import Domain

/// Writes to-dos for `task import`: an array with one task per line.
enum TaskwarriorWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var written = ForeignText.Written()
    var lines: [String] = []
    let documents = contents.documents(.todo).sorted { $0.key < $1.key }
    let parents = contents.parents(of: documents)
    for document in documents {
      guard let todo = Todo(document) else { continue }
      var task = TaskwarriorOutput(todo, document, contents, settings)
      task.setParent(parents[document.key])
      task.takeBack()
      task.addMark(of: contents)
      if todo.position != nil { written.lose("position", "positions") }
      if let created = todo.createdAt, todo.isDone, let done = todo.completedAt, done < created {
        written.lose("time of creation after completion", "times of creation after completion")
      }
      lines.append(task.text)
    }
    written.losePartialDues(of: contents)
    written.loseFields(ofListsIn: contents)
    written.loseAll(of: contents, but: [.todo, .list])
    let body = lines.isEmpty ? "" : lines.joined(separator: ",\n") + "\n"
    written.bytes = Array(("[\n" + body + "]\n").utf8)
    written.count = lines.count
    return written
  }
}

/// A task that is being written.
private struct TaskwarriorOutput {
  private var members: [String: JSON] = [:]
  private let todo: Todo
  private let document: Document
  private let settings: ExportSettings
  private var kept: [String: JSON] = [:]

  init(
    _ todo: Todo, _ document: Document, _ contents: ExportContents, _ settings: ExportSettings
  ) {
    self.todo = todo
    self.document = document
    self.settings = settings
    let extra = ForeignExtra(of: document, format: .taskwarrior)
    for (name, text) in extra.properties {
      // Another program may have stored text that is not JSON; it is ignored.
      kept[name] = try? JSON(parsing: Array(text.utf8))
    }
    let changed = contents.lastChange(of: document) ?? settings.now
    members["uuid"] = .string(Self.uuid(of: document))
    members["description"] = .string(todo.title)
    members["status"] = .string(
      todo.isDone ? "completed" : todo.isCancelled ? "deleted" : "pending")
    let end = end(changed: changed)
    // A to-do that was completed before it was created here gets its completion time as its time of entry.
    setExact("entry", min(todo.createdAt ?? changed, end ?? .max))
    set("modified", changed)
    if let end { setExact("end", end) }
    members["project"] = contents.listName(of: document).map { .string($0) }
    setTags()
    if document.value(Field.Todo.priority) != .null {
      members["priority"] = .string(["L", "M", "H"][Int(todo.priority.rawValue)])
    }
    setDue()
    setStart()
    setOwn()
    setAnnotations(extra, changed: changed)
  }

  private static func uuid(of document: Document) -> String {
    document.uid(from: .taskwarrior) ?? document.id.uuid
  }

  mutating func setParent(_ parent: Document?) {
    if let parent { setOwn(.parent, [Self.uuid(of: parent)]) }
  }

  /// Returns the time at which a closed to-do was closed; only the day of a cancellation is known.
  private func end(changed: Int64) -> Int64? {
    if todo.isDone { return todo.completedAt ?? changed }
    guard todo.isCancelled else { return nil }
    let day = document.value(Field.Todo.closedOn).date
    let time = day == settings.localDay(of: changed) ? changed : day.flatMap(settings.start)
    return max(time ?? changed, todo.createdAt ?? .min)
  }

  private mutating func set(_ name: String, _ time: Int64) {
    members[name] = TaskwarriorTime.text(time).map { .string($0) }
  }

  /// Sets a time, and also the exact time if it is not a whole second.
  private mutating func setExact(_ name: String, _ time: Int64) {
    set(name, time)
    let text = Instant.textWithMilliseconds(time)
    members[TaskwarriorTask.exactName(of: name)] = text.map { .string($0) }
  }

  /// Sets the due time: the original time if it still means the due day and time, otherwise that of the to-do.
  ///
  /// What the time does not say follows in an attribute of its own.
  private mutating func setDue() {
    guard let due = todo.due, let instant = settings.due(of: todo) else { return }
    set("due", instant)
    if todo.zone == nil, let text = kept["due"]?.string, let day = day(at: text), day.day == due,
      day.minute == todo.dueTime
    {
      members["due"] = .string(text)
    }
    guard let text = members["due"]?.string, let minute = todo.dueTime,
      let time = TimeOfDay(minute: minute)?.text
    else { return }
    let isToldByTime = day(at: text).map { $0.day == due && $0.minute == minute } ?? false
    guard todo.zone != nil || !isToldByTime else { return }
    let zone = todo.zone.map { [EncodedWord.text($0)] } ?? []
    setOwn(.due, [text, due.iso, time] + zone)
  }

  /// Returns the local day and time of a time in a task.
  private func day(at text: String) -> TaskwarriorDay? {
    var reading = ForeignSettings()
    reading.localOffset = settings.localOffset
    return TaskwarriorTime.parse(text).flatMap { TaskwarriorDay($0, reading) }
  }

  /// Lets the task wait for the start: until the original time if it is still on that day, otherwise until the day
  /// begins.
  ///
  /// Taskwarrior itself shows a pending task with this attribute as waiting.
  private mutating func setStart() {
    guard let start = todo.start, let instant = settings.start(of: start) else { return }
    set("wait", instant)
    if let text = kept["wait"]?.string, day(at: text)?.day == start {
      members["wait"] = .string(text)
    }
  }

  private mutating func setOwn(_ own: TaskwarriorTask.Own, _ words: [String]) {
    members[own.rawValue] = .string(words.joined(separator: " "))
  }

  /// Writes the fields that only daybook reads; Taskwarrior keeps unknown attributes.
  private mutating func setOwn() {
    if !todo.remind.isEmpty { setOwn(.remind, [EncodedWord.list(todo.remind)]) }
    guard let end = members["end"]?.string else { return }
    let day = document.value(Field.Todo.closedOn).date.map { [$0.iso] } ?? []
    let words = (todo.isCancelled ? [TaskwarriorTask.cancelled] : []) + day
    if !words.isEmpty { setOwn(.closed, [end] + words) }
  }

  /// Writes the note as annotations; original annotations that are still in the note keep their times.
  private mutating func setAnnotations(_ extra: ForeignExtra, changed: Int64) {
    guard let note = document.note else { return }
    let entry = members["entry"]?.string.flatMap(TaskwarriorTime.parse)
    var annotations = TaskwarriorAnnotations(kept["annotations"]?.array ?? [])
    if annotations.isEmpty, let entry, let first = Self.unchangedStart(of: note, extra.base) {
      annotations = TaskwarriorAnnotations(first, entry: entry)
    }
    members["annotations"] = .array(annotations.written(for: note, entry, changed: changed))
  }

  /// Writes the tags, if they are unchanged in the order of the file that they come from.
  private mutating func setTags() {
    let told = kept.removeValue(forKey: "tags")?.array?.compactMap(\.string) ?? []
    guard !document.tags.isEmpty else { return }
    let tags = Tag.sorted(told) == document.tags ? told : document.tags
    members["tags"] = .array(tags.map { .string($0) })
  }

  /// Returns the note as it was when the task was read, if nothing but lines at the end has been added since.
  ///
  /// An annotation with the same time as its task is not kept separately, so only its digest identifies it.
  private static func unchangedStart(of note: String, _ base: FieldDigests?) -> String? {
    guard let base, base.fields.contains(.note) else { return nil }
    var start = ""
    for line in note.split(separator: "\n", omittingEmptySubsequences: false).prefix(mostLines) {
      start += start.isEmpty ? line : "\n" + line
      if base.isSame(.note, .value(.text(start)), in: .todo) { return start }
    }
    return nil
  }

  private static let mostLines = 64

  /// Writes back the original properties that no field represents.
  mutating func takeBack() {
    let isWaiting = kept["status"]?.string == "waiting" && members["wait"] != nil
    let isRecurring = kept["status"]?.string == "recurring" && kept["recur"] != nil
    let keepsState = (isWaiting || (isRecurring && members["due"] != nil)) && !todo.isClosed
    if keepsState { members["status"] = kept["status"] }
    // A closed task keeps its recurrence, which Taskwarrior accepts only with a due date.
    let keepsRule = keepsState || (isRecurring && todo.isClosed && members["due"] != nil)
    let stateNames: Set<String> = keepsRule ? [] : ["recur", "mask"]
    for (name, value) in kept where members[name] == nil {
      if ["status", "due", "annotations"].contains(name) || stateNames.contains(name) { continue }
      // A readable time is that of a start which the to-do no longer has.
      if name == "wait", value.string.flatMap(day) != nil { continue }
      members[name] = value
    }
  }

  /// Adds the mark, which is computed from the task as a reader finds it, because an import compares tasks in that
  /// form.
  mutating func addMark(of contents: ExportContents) {
    guard contents.book != nil else { return }
    var reading = ForeignSettings()
    reading.localOffset = settings.localOffset
    let told = try? TaskwarriorReader.read(Array(text.utf8), reading).records.first
    members[TaskwarriorTask.mark] = told.map {
      .string(contents.mark(of: document, as: $0, in: .taskwarrior))
    }
  }

  var text: String {
    JSON.object(members.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) }).text()
  }
}
