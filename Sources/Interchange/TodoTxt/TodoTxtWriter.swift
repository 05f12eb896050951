internal import Domain

/// Writes to-dos as a todo.txt file, in the order in which they were added.
enum TodoTxtWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var written = ForeignText.Written()
    var lines: [String] = []
    for document in contents.documents(.todo).sorted(by: { $0.key < $1.key }) {
      guard let todo = Todo(document) else { continue }
      let writing = TodoTxtWriting(todo, document, contents, settings)
      writing.count(&written)
      lines.append(writing.line.text + "\n")
    }
    written.losePartialDues(of: contents)
    written.loseFormerOccurrences(of: contents)
    written.loseDetailsOfOccurrences(of: contents)
    written.loseFields(ofListsIn: contents)
    written.loseAll(of: contents, but: [.todo, .list])
    written.bytes = Array(lines.joined().utf8)
    written.count = lines.count
    return written
  }
}

/// A to-do that is being written as a line.
private struct TodoTxtWriting {
  private(set) var line: TodoTxtLine
  private let todo: Todo
  private let document: Document
  private let contents: ExportContents
  private let settings: ExportSettings
  private let parent: Document?
  private let series: ExportedSeries?

  init(
    _ todo: Todo, _ document: Document, _ contents: ExportContents, _ settings: ExportSettings
  ) {
    (self.todo, self.document, parent) = (todo, document, contents.parent(of: document))
    (self.contents, self.settings) = (contents, settings)
    series = ExportedSeries(document, in: contents)
    line = TodoTxtLine()
    line.title = todo.title
    fillState()
    fillTimes()
    fillListAndTags()
    let extra = ForeignExtra(of: document, format: .todoTxt)
    line.priority = priority(extra.properties["priority"])
    line.others = extra.properties.filter { TodoTxtLine.otherKeys.contains($0.key) }
    // These words would now have a meaning in the line, which they did not have when the line was read.
    if line.isClosed { line.others["status"] = nil }
    if line.when.dueTime != nil { line.others["zone"] = nil }
    fillSeries(extra)
    guard !settings.omitsIDs else { return }
    line.identity.parent = parent.map(Self.uuid)
    line.identity.uuid = Self.uuid(of: document)
    fillBase()
  }

  private mutating func fillState() {
    let state = contents.state(of: todo, document)
    line.isClosed = state.isClosed
    line.isCancelled = state.isCancelled
    line.created = contents.toldCreation(of: document).flatMap(settings.localDay)
    if state.isCancelled {
      line.completed = state.closedOn.flatMap { $0.isComplete ? $0 : nil }
    } else if contents.recurrence(of: document) != nil {
      line.completed = state.completedAt.flatMap(settings.localDay)
    } else {
      line.completed = contents.toldCompletion(of: document).flatMap(settings.localDay)
    }
  }

  private mutating func fillTimes() {
    if let due = series?.shownDue ?? todo.due, due.isComplete {
      line.when.due = due
      line.when.dueTime = todo.dueTime.flatMap { TimeOfDay(minute: $0) }
      line.when.zone = line.when.dueTime == nil || isUnreadable(zone: todo.zone) ? nil : todo.zone
    }
    let start = series.map(\.shownStart) ?? todo.start
    line.when.start = start.flatMap { $0.isComplete ? $0 : nil }
    line.when.remind = isUnreadable(remind: todo.remind) ? [] : todo.remind
  }

  /// Writes how the to-do repeats: as far as possible in `rec:`, and the rest in words that only daybook reads.
  private mutating func fillSeries(_ extra: ForeignExtra) {
    let rule = TodoTxtLine.repeatKey
    let own = SeriesWords.Key.rule.rawValue
    let kept = line.others[rule]
    // The rule of an earlier file no longer applies.
    if series != nil || extra.base?.fields.contains(Field.Todo.repeat) ?? false {
      (line.others[rule], line.others[own]) = (nil, nil)
    }
    guard let series else {
      let words = settings.omitsIDs ? nil : SeriesWords(ExportedSubtask(document, in: contents))
      return line.when.series = words?.values ?? [:]
    }
    let entry = SeriesEntry<TodoTxtRepeat>(series, keeping: kept, alone: settings.omitsIDs)
    line.others[rule] = entry.text
    line.when.series = entry.words.values
  }

  // Without an id, a reader cannot tell that daybook wrote the line, so any text could be a part of the title.

  private func isUnreadable(zone: String?) -> Bool {
    settings.omitsIDs && !(zone.map(TodoTxtLine.isZone) ?? true)
  }

  private func isUnreadable(remind: [String]) -> Bool {
    settings.omitsIDs && !TodoTxtLine.areLeads(remind)
  }

  private mutating func fillListAndTags() {
    if let list = contents.listName(of: document) {
      line.projects = [TodoTxtName.word(list)]
      line.listName = TodoTxtName.word(list) == list ? nil : list
    }
    // The first project is the list, so without a list all tags are contexts.
    let isOnList = !line.projects.isEmpty
    let projects = document.tags.filter { isOnList && $0.hasPrefix("+") && $0.count > 1 }
    line.contexts = document.tags.filter { !projects.contains($0) }
    line.projects += projects.map { String($0.dropFirst()) }
  }

  /// Returns the original letter if it still has the same meaning; nil if the priority has never been set.
  private func priority(_ letter: String?) -> String? {
    if let letter, TodoTxtLine.meaning(of: letter) == todo.priority { return letter }
    if document.value(Field.Todo.priority) == .null { return nil }
    return TodoTxtLine.letter(for: todo.priority)
  }

  private static func uuid(of document: Document) -> String {
    document.uid(from: .todoTxt).flatMap { $0.hasPrefix("=") ? nil : $0 } ?? document.id.uuid
  }

  /// Sets the base, which describes the record that a later import finds if the line is unchanged.
  private mutating func fillBase() {
    var reading = ForeignSettings()
    reading.localOffset = settings.localOffset
    line.identity.base = TodoTxtBase.nothing
    let found = TodoTxtLine(line.text)
    var told = found.record(reading, at: .line(0))
    SeriesEntries<TodoTxtRepeat>.read(
      SeriesWords(found.when.series), found.rule, into: &told, reading)
    let digests = FieldDigests(told.fields, of: .todo)
    let kept = ForeignExtra(of: document, format: .todoTxt)
    let origin = contents.origin(of: document, as: digests, kept)?.text(beside: digests)
    line.identity.base = TodoTxtBase.word(told) + (origin ?? "")
  }

  /// Counts the data that the line cannot hold.
  func count(_ written: inout ForeignText.Written) {
    let found = TodoTxtLine(line.text)
    if found.title != todo.title {
      written.lose(
        "title with words that mean something else there",
        "titles with words that mean something else there")
    }
    if found.contexts != line.contexts || found.projects.dropFirst() != line.projects.dropFirst() {
      written.lose("space in tags", "spaces in tags")
    }
    if document.note != nil { written.lose("note", "notes") }
    if todo.position != nil { written.lose("position", "positions") }
    if parent != nil, line.identity.parent == nil {
      written.lose("parent of a sub-task", "parents of sub-tasks")
    }
    if let series {
      SeriesEntry<TodoTxtRepeat>(series, alone: settings.omitsIDs).count(&written)
    }
    if isUnreadable(remind: todo.remind) {
      written.lose("to-do's reminders", "to-dos' reminders")
    }
    if line.when.dueTime != nil, isUnreadable(zone: todo.zone) {
      written.lose("time zone", "time zones")
    }
    countDays(&written)
  }

  private func countDays(_ written: inout ForeignText.Written) {
    contents.countTimes(
      ofCreation: line.created != nil, ofCompletion: line.completed != nil, of: document, settings,
      &written)
    if line.isClosed, line.completed == nil, line.created != nil {
      written.lose(
        "creation day of a to-do with an unknown completion day",
        "creation days of to-dos with unknown completion days")
    }
  }
}
