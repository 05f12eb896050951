internal import Bytes
internal import Domain

/// The task of a to-do that is being written.
struct TaskwarriorOutput {
  private(set) var members = TaskwarriorMembers()
  private let todo: Todo
  private let document: Document
  private let settings: ExportSettings
  private let state: ExportedState
  /// How the to-do repeats, and the dates that Taskwarrior has as children of the task.
  private let series: ExportedSeries?
  private let dates: TaskwarriorDates?
  private(set) var kept: [String: JSON] = [:]

  init(
    _ todo: Todo, _ document: Document, _ contents: ExportContents, _ settings: ExportSettings
  ) {
    (self.todo, self.document, self.settings) = (todo, document, settings)
    state = contents.state(of: todo, document)
    series = ExportedSeries(document, in: contents)
    let extra = ForeignExtra(of: document, format: .taskwarrior)
    for (name, text) in extra.properties {
      // Another program may have stored text that is not JSON, which is ignored.
      kept[name] = try? JSON(parsing: Array(text.utf8))
    }
    let recur = kept["recur"]?.string
    dates = series.flatMap { TaskwarriorDates($0, keeping: recur, settings) }
    let changed = contents.lastChange(of: document) ?? settings.now
    members["uuid"] = .string(Self.uuid(of: document))
    members["description"] = .string(todo.title)
    members["status"] = .string(
      state.isDone ? "completed" : state.isCancelled ? "deleted" : "pending")
    let end = end(changed: changed)
    // A to-do that was completed before it was created here gets its completion time as its time of entry.
    members.setExact("entry", min(todo.createdAt ?? changed, end ?? .max))
    members.set("modified", changed)
    if let end { members.setExact("end", end) }
    members["project"] = contents.listName(of: document).map { .string($0) }
    setTags()
    if document.value(Field.Todo.priority) != .null {
      members["priority"] = .string(["L", "M", "H"][Int(todo.priority.rawValue)])
    }
    setDue()
    setStart()
    setOwn()
    setAnnotations(extra, changed: changed)
    setRepetition(contents)
    if let parent = contents.parent(of: document) {
      members.setOwn(.parent, [Self.uuid(of: parent)])
    }
    takeBack(extra)
  }

  static func uuid(of document: Document) -> String {
    document.uid(from: .taskwarrior) ?? document.id.uuid
  }

  /// Returns the time at which a closed to-do was closed; only the day of a cancellation is known.
  private func end(changed: Int64) -> Int64? {
    if state.isDone { return state.completedAt ?? changed }
    guard state.isCancelled else { return nil }
    let day = state.closedOn
    let time = day == settings.localDay(of: changed) ? changed : day.flatMap(settings.start)
    return max(time ?? changed, todo.createdAt ?? .min)
  }

  /// Sets the due time: the original time if it still means the due day and time, otherwise the to-do's time.
  ///
  /// If Taskwarrior stores the dates of a series as children, the series' own task has the first due date.
  private mutating func setDue() {
    let due = dates == nil ? series?.shownDue ?? todo.due : todo.due
    guard let due else { return }
    members.setDue(
      TaskwarriorDue(day: due, minute: todo.dueTime, zone: todo.zone), keeping: kept["due"]?.string,
      settings)
  }

  /// Lets the task wait for the start: until the original time if it is still on that day, otherwise until the day
  /// begins.
  ///
  /// Taskwarrior itself shows a pending task with this attribute as waiting.
  private mutating func setStart() {
    let start = dates == nil ? series.map(\.shownStart) ?? todo.start : todo.start
    guard let start, let instant = settings.start(of: start) else { return }
    members.set("wait", instant)
    if let text = kept["wait"]?.string, settings.taskDay(at: text)?.day == start {
      members["wait"] = .string(text)
    }
  }

  /// Writes the fields that only daybook reads; Taskwarrior keeps unknown attributes.
  private mutating func setOwn() {
    if !todo.remind.isEmpty { members.setOwn(.remind, [EncodedWord.list(todo.remind)]) }
    members.setClosed(state)
  }

  /// Writes how the to-do repeats: for Taskwarrior, if it supports such a period, and in words that only daybook reads.
  private mutating func setRepetition(_ contents: ExportContents) {
    guard let series else {
      guard let words = SeriesWords(ExportedSubtask(document, in: contents)) else { return }
      return members.setOwn(.series, TaskwarriorTask.words(words))
    }
    var words = SeriesWords(series)
    words.rule = series.state.series.rule
    members.setOwn(.series, TaskwarriorTask.words(words))
    guard let dates else { return }
    members["recur"] = .string(dates.recur)
    members["mask"] = .string(dates.mask)
    if !state.isClosed { members["status"] = .string("recurring") }
    guard let last = dates.last, let end = settings.due(last, minute: 1439, zone: nil) else {
      return
    }
    members.set("until", end + 59_000)
    if let text = kept["until"]?.string, settings.taskDay(at: text)?.day == last {
      members["until"] = .string(text)
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

  /// Writes the tags, in the order of the original file if they are unchanged.
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
  private mutating func takeBack(_ extra: ForeignExtra) {
    kept[TaskwarriorTask.openChildren] = nil
    let isWaiting = kept["status"]?.string == "waiting" && members["wait"] != nil
    let isRecurring =
      kept["status"]?.string == "recurring" && kept["recur"] != nil && series == nil
    let keepsState = (isWaiting || (isRecurring && members["due"] != nil)) && !state.isClosed
    if keepsState, dates == nil { members["status"] = kept["status"] }
    // A closed task keeps its recurrence, which Taskwarrior accepts only with a due date.
    let isDate = kept["parent"] != nil && series == nil
    let keepsRule = keepsState || ((isRecurring || isDate) && members["due"] != nil)
    let stateNames: Set<String> = keepsRule ? [] : ["recur", "mask"]
    // The old end of a changed series no longer applies.
    let hadRule = extra.base?.fields.contains(Field.Todo.repeat) ?? false
    for (name, value) in kept where members[name] == nil {
      if ["status", "due", "annotations"].contains(name) || stateNames.contains(name) { continue }
      if name == "until", hadRule { continue }
      // A readable time would belong to a start that the to-do no longer has.
      if name == "wait", value.string.flatMap(settings.taskDay) != nil { continue }
      members[name] = value
    }
  }

  /// Returns the children of the task, in the order of their dates.
  func children(_ ids: TaskwarriorIDs) -> [TaskwarriorMembers] {
    guard let series, let dates else { return [] }
    return dates.children.map { child in
      var own = members.ofChild(parent: Self.uuid(of: document))
      let occurrence = child.document
      own["uuid"] = .string(ids.uuid(of: child.slot, occurrence))
      own["imask"] = .integer(Int64(child.index))
      if let title = occurrence?.text(Field.Todo.title) { own["description"] = .string(title) }
      own["status"] = .string(child.status)
      let date = occurrence?.value(Field.Todo.due).date
      let due = date.map { date in
        TaskwarriorDue(
          day: date, minute: occurrence?.integer(Field.Todo.dueTime),
          zone: occurrence?.text(Field.Todo.zone))
      }
      let usual = TaskwarriorDue(
        day: series.state.series.due(of: child.slot), minute: todo.dueTime, zone: todo.zone)
      own.setDue(due ?? usual, keeping: nil, settings)
      let start =
        occurrence?.value(Field.Todo.start).date ?? series.state.series.start(of: child.slot)
      if let start, let instant = settings.start(of: start) { own.set("wait", instant) }
      own.close(child.stored, settings)
      if let note = occurrence?.note { own.setNote(note) }
      own.setOwn(.occurrence, [child.slot.iso])
      return own
    }
  }
}
