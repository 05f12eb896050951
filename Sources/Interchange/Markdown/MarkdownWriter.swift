internal import Domain

/// Writes to-dos as check lists under the names of their lists; to-dos without a list come first.
enum MarkdownWriter {
  static func write(_ contents: ExportContents, _ settings: ExportSettings) -> ForeignText.Written {
    var written = ForeignText.Written()
    let todos = contents.documents(.todo).sorted { $0.key < $1.key }
    var passages: [String] = []
    let owned = Dictionary(grouping: todos) { todo in
      contents.listName(of: todo) == nil ? nil : contents.document(Field.Todo.list, of: todo)?.key
    }
    func items(_ todos: [Document], on list: String?) -> String {
      let entries = MarkdownOutline(todos, parent: contents.parent).entries
      let items = entries.compactMap { MarkdownWriting($0, on: list, contents, settings) }
      for item in items { item.count(&written) }
      return items.map { $0.item.text + "\n" }.joined()
    }
    if let loose = owned[nil] { passages.append(items(loose, on: nil)) }
    for list in lists(of: todos, contents) {
      guard let name = list.text(Field.List.name) else { continue }
      let own = owned[list.key] ?? []
      let heading = "# " + name.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
      if MarkdownLine(heading.dropLast()) != .heading(name) {
        written.lose("exact name of a list", "exact names of lists")
      }
      passages.append(heading + (own.isEmpty ? "" : "\n" + items(own, on: name)))
    }
    written.losePartialDues(of: contents)
    written.loseFormerOccurrences(of: contents)
    written.loseDetailsOfOccurrences(of: contents)
    written.loseFields(ofListsIn: contents)
    written.loseAll(of: contents, but: [.todo, .list])
    written.bytes = Array(passages.joined(separator: "\n").utf8)
    written.count = todos.count
    return written
  }

  /// Returns the lists in the order in which they were added, including lists of which only the to-dos are exported.
  private static func lists(of todos: [Document], _ contents: ExportContents) -> [Document] {
    var lists = contents.documents(.list)
    var known = Set(lists.map(\.key))
    for todo in todos {
      guard let list = contents.document(Field.Todo.list, of: todo),
        known.insert(list.key).inserted
      else { continue }
      lists.append(list)
    }
    return lists.sorted { $0.key < $1.key }
  }
}

/// A to-do that is being written as an item.
private struct MarkdownWriting {
  private(set) var item: MarkdownItem
  private let todo: Todo
  private let document: Document
  private let contents: ExportContents
  private let settings: ExportSettings
  /// The parent, if the item is not nested in the parent's item.
  private let parentElsewhere: Document?
  private let kept: [String: String]
  private let series: ExportedSeries?
  /// How the item says that the to-do repeats.
  private let repetition: SeriesEntry<MarkdownRepeat>?

  init?(
    _ entry: MarkdownOutline.Entry, on list: String?, _ contents: ExportContents,
    _ settings: ExportSettings
  ) {
    guard let todo = Todo(entry.todo) else { return nil }
    (self.todo, document) = (todo, entry.todo)
    parentElsewhere = entry.depth == 0 ? entry.parent : nil
    (self.contents, self.settings) = (contents, settings)
    let extra = ForeignExtra(of: document, format: .markdown)
    kept = extra.properties
    series = ExportedSeries(document, in: contents)
    let text = kept[MarkdownSign.repeat.rawValue]
    repetition = series.map { SeriesEntry($0, keeping: text, alone: settings.omitsIDs) }
    item = MarkdownItem(title: todo.title)
    item.indent = entry.depth * 2
    fillState()
    fillDays()
    item.tags = document.tags
    item.values[.priority] = priority
    for sign in MarkdownSign.kept { item.values[sign] = kept[sign.rawValue] }
    // The rule of an earlier file no longer applies.
    if series != nil || extra.base?.fields.contains(Field.Todo.repeat) ?? false {
      item.values[.repeat] = repetition?.text
    }
    item.anchor = kept[MarkdownItem.anchorName]
    guard !settings.omitsIDs else { return }
    item.comment = comment
    let base = mark(on: list, under: entry.depth == 0 ? nil : entry.parent)
    item.comment?.base = base
  }

  private mutating func fillState() {
    let state = contents.state(of: todo, document)
    switch (state.isDone, state.isCancelled) {
    case (true, _): item.state = .done
    case (_, true): item.state = .cancelled
    default: item.state = kept[MarkdownItem.stateName] == nil ? .open : .begun
    }
    if state.isDone {
      let repeats = contents.recurrence(of: document) != nil
      let time = repeats ? state.completedAt : contents.toldCompletion(of: document)
      item.values[.done] = time.flatMap(settings.localDay)?.iso
    } else {
      item.values[.done] = kept[MarkdownSign.done.rawValue]
    }
    if state.isCancelled, !state.isDone {
      item.values[.cancelled] = state.closedOn.flatMap(Self.text)
    } else {
      item.values[.cancelled] = kept[MarkdownSign.cancelled.rawValue]
    }
  }

  private mutating func fillDays() {
    let created = contents.toldCreation(of: document).flatMap(settings.localDay)
    item.values[.created] = created?.iso
    item.values[.start] = (series.map(\.shownStart) ?? todo.start).flatMap(Self.text)
    item.values[.due] = (series?.shownDue ?? todo.due).flatMap(Self.text)
  }

  private static func text(_ day: CivilDate) -> String? { day.isComplete ? day.iso : nil }

  /// The sign of the priority: the original sign if it still means the same; nil if no priority was ever set.
  private var priority: String? {
    if let sign = kept[MarkdownSign.priority.rawValue],
      MarkdownSign.priority(of: sign) == todo.priority
    {
      return sign
    }
    if document.value(Field.Todo.priority) == .null { return nil }
    return MarkdownSign.sign(for: todo.priority)
  }

  /// The comment with the data that has no other place in the item.
  private var comment: MarkdownComment {
    var comment = MarkdownComment(id: Self.id(of: document))
    if item.values[.due] != nil, let time = todo.dueTime.flatMap({ TimeOfDay(minute: $0) }) {
      comment.values[.time] = time.text
      comment.values[.zone] = todo.zone.map { MarkdownComment.encoded([$0]) }
    }
    let part = SeriesWords(ExportedSubtask(document, in: contents))
    if let words = repetition?.words ?? part { comment.series = words }
    if !todo.remind.isEmpty { comment.values[.remind] = MarkdownComment.encoded(todo.remind) }
    comment.values[.parent] = parentElsewhere.map { MarkdownComment.encoded([Self.id(of: $0)]) }
    let others = tagsWithoutWords
    if !others.isEmpty { comment.values[.tags] = MarkdownComment.encoded(others) }
    return comment
  }

  private var tagsWithoutWords: [String] { item.tags.filter { MarkdownTag.word(for: $0) == nil } }

  private static func id(of document: Document) -> String {
    document.uid(from: .markdown).flatMap { $0.hasPrefix("=") ? nil : $0 } ?? document.id.uuid
  }

  /// Returns the mark of the record that a later import finds if the item is unchanged.
  private func mark(on list: String?, under parent: Document?) -> String? {
    guard case .item(let found) = MarkdownLine(item.text[...]) else { return nil }
    var reading = ForeignSettings()
    reading.localOffset = settings.localOffset
    var told = found.record(on: list, under: parent.map(Self.id), reading, at: .line(0))
    SeriesEntries<MarkdownRepeat>.read(
      found.comment?.series ?? SeriesWords(), found.values[.repeat], into: &told, reading)
    return contents.mark(of: document, as: told, in: .markdown)
  }

  /// Counts the data that the item cannot hold.
  func count(_ written: inout ForeignText.Written) {
    if case .item(let found) = MarkdownLine(item.text[...]), found.title != todo.title {
      written.lose(
        "title with words that mean something else there",
        "titles with words that mean something else there")
    }
    if document.note != nil { written.lose("note", "notes") }
    if todo.position != nil { written.lose("position", "positions") }
    contents.countTimes(of: document, settings, &written)
    repetition?.count(&written)
    if settings.omitsIDs { countWithoutComment(&written) }
  }

  private func countWithoutComment(_ written: inout ForeignText.Written) {
    if !tagsWithoutWords.isEmpty {
      written.lose(
        "tag with a space or punctuation", "tags with spaces or punctuation",
        count: tagsWithoutWords.count)
    }
    if item.values[.due] != nil, todo.dueTime != nil { written.lose("due time", "due times") }
    if !todo.remind.isEmpty { written.lose("to-do's reminders", "to-dos' reminders") }
    if parentElsewhere != nil { written.lose("parent of a sub-task", "parents of sub-tasks") }
    if let text = repetition?.text, repetition?.words.rule != nil, !text.isEmpty {
      written.lose("end or exact rule of a repeat", "ends or exact rules of repeats")
    }
  }
}
