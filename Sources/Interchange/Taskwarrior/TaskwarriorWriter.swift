internal import Bytes
internal import Domain

/// Writes to-dos for `task import`: an array with one task per line.
enum TaskwarriorWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var written = ForeignText.Written()
    var lines: [String] = []
    for document in contents.documents(.todo).sorted(by: { $0.key < $1.key }) {
      guard let todo = Todo(document) else { continue }
      var task = TaskwarriorOutput(todo, document, contents, settings)
      task.takeBack()
      task.addMark(of: contents)
      if todo.position != nil { written.lose("position", "positions") }
      if let created = todo.createdAt, todo.isDone, let done = todo.completedAt, done < created {
        written.lose("time of creation after completion", "times of creation after completion")
      }
      lines.append(task.text)
    }
    written.losePartialDues(of: contents)
    written.loseTimes(of: contents)
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
    members["uuid"] = .string(document.uid(from: .taskwarrior) ?? document.id.uuid)
    members["description"] = .string(todo.title)
    members["status"] = .string(todo.isDone ? "completed" : "pending")
    let end = todo.isDone ? todo.completedAt ?? changed : .max
    // A to-do that was completed before it was created here gets its completion time as its time of entry.
    setExact("entry", min(todo.createdAt ?? changed, end))
    set("modified", changed)
    if todo.isDone { setExact("end", end) }
    members["project"] = contents.listName(of: document).map { .string($0) }
    setTags()
    if document.value(Field.Todo.priority) != .null {
      members["priority"] = .string(["L", "M", "H"][Int(todo.priority.rawValue)])
    }
    setDue()
    setAnnotations(extra, changed: changed)
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

  /// Sets the due time: the original time if it is still on the due day, otherwise the beginning of the day.
  private mutating func setDue() {
    guard let due = todo.due, let start = settings.start(of: due) else { return }
    set("due", start)
    if let text = kept["due"]?.string, let time = TaskwarriorTime.parse(text),
      settings.localDay(of: time) == due
    {
      members["due"] = .string(text)
    }
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
    let isWaiting = kept["status"]?.string == "waiting" && kept["wait"] != nil
    let isRecurring = kept["status"]?.string == "recurring" && kept["recur"] != nil
    let keepsState = (isWaiting || (isRecurring && members["due"] != nil)) && !todo.isDone
    if keepsState { members["status"] = kept["status"] }
    // A completed task keeps its recurrence, which Taskwarrior accepts only with a due date.
    let keepsRule = keepsState || (isRecurring && todo.isDone && members["due"] != nil)
    let stateNames: Set<String> = keepsRule ? [] : ["recur", "mask"]
    for (name, value) in kept where members[name] == nil {
      if ["status", "due", "annotations"].contains(name) || stateNames.contains(name) { continue }
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
