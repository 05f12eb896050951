internal import Domain

/// Builds a to-do from the cells of a row.
struct CSVTodoBuilder {
  var base: CSVRecordBuilder

  /// Continues a record whose common fields have already been read.
  init(_ base: CSVRecordBuilder) { self.base = base }

  /// Reads the fields of a to-do.
  ///
  /// - Parameters:
  ///   - file: The list that the whole file represents, if any.
  ///   - section: The current section of the list.
  /// - Returns: The record, with the cells to keep and the notes.
  /// - Throws: ``ForeignFault`` if there is no title, or a cell is ambiguous.
  mutating func build(
    list file: String?, section: String?
  ) throws(ForeignFault) -> CSVRecordBuilder {
    guard let title = base.text(.title) ?? base.text(.name) else { throw .missing("a title") }
    var tags: [String] = []
    base.record.set(Field.Todo.title, title)
    if base.layout.program?.hasTagsInTitle ?? false { tags = takeTags(from: title) }
    if let list = takeList() ?? file { base.record.fields[Field.Todo.list] = .list(named: list) }
    try fillState()
    base.record.set(Field.Todo.priority, try priority())
    try fillDue()
    try fillStart()
    fillReminders()
    takeParent()
    base.record.time = try instant(.createdAt)
    base.record.set(Field.Todo.createdAt, base.record.time.map { .integer($0) })
    base.record.set(Field.Todo.position, try base.number(.position))
    add(tags + [section].compactMap(\.self) + takeSection() + takeFlags())
    var repetition = CSVRepetition(base)
    repetition.read()
    return repetition.base
  }

  /// Removes the tags from the words of a title, unless all words are tags.
  private mutating func takeTags(from title: String) -> [String] {
    let words = title.split(separator: " ")
    let tags = words.filter { $0.first == "@" && $0.count > 1 }
    guard !tags.isEmpty, tags.count < words.count else { return [] }
    let others = words.filter { $0.first != "@" || $0.count == 1 }
    base.record.set(Field.Todo.title, others.joined(separator: " "))
    return tags.map { String($0.dropFirst()) }
  }

  /// Reads the list; if the cell contains several lists, the first one is used, and the cell is kept.
  private mutating func takeList() -> String? {
    guard let cell = base.row.cells(.list).first else { return nil }
    let names = cell.text.split(separator: ",").map { String($0).trimmed }
    guard base.layout.program?.hasSeveralLists ?? false, names.count > 1 else {
      return base.text(.list)
    }
    base.notes.append(.changed(field: cell.header, cell.text, to: names[0]))
    return names[0]
  }

  private mutating func takeSection() -> [String] { base.text(.section).map { [$0] } ?? [] }

  private mutating func takeFlags() -> [String] {
    base.row.cells(.flagged).compactMap { cell in
      guard let state = base.words.state(cell.text) else {
        base.keepUnread(cell)
        base.record.unread.insert(.tags)
        return nil
      }
      base.take(cell)
      return state == .done ? cell.header : nil
    }
  }

  private mutating func add(_ tags: [String]) {
    guard !tags.isEmpty else { return }
    var all: [String] = []
    if case .value(.texts(let found))? = base.record.fields[.tags] { all = found }
    for tag in tags where !all.contains(tag) { all.append(tag) }
    base.record.set(.tags, .texts(all))
  }
}

/// The state of a to-do.
extension CSVTodoBuilder {
  private mutating func fillState() throws(ForeignFault) {
    var states: [CSVWords.State] = []
    let noteCount = base.notes.count
    if let isDone = flag() { states.append(isDone ? .done : .open) }
    for cell in base.row.cells(.status) where !CSVWords.isNone(cell.text) {
      if let state = state(cell) { states.append(state) }
    }
    if let percent = try percent() { states.append(percent == 100 ? .done : .open) }
    let isUnread = states.isEmpty && base.notes.count > noteCount
    let hasState = base.layout.has(anyOf: .done, .status, .percent)
    let completed = base.row.cells(.completedAt).contains { !Self.isEmptyDay($0.text) }
    if !hasState, completed { states = [.done] }
    let isCancelled = try isCancelled()
    if !states.contains(.done), isCancelled || states.contains(.cancelled) {
      base.record.set(Field.Todo.cancelled, .boolean(true))
    }
    if !states.isEmpty { base.record.set(Field.Todo.done, .boolean(states.contains(.done))) }
    // A state that cannot be read says neither that the to-do is open nor that it is done.
    if isUnread, !isCancelled { return base.record.unread.formUnion(Field.stateFields) }
    // The completion time of a reopened to-do is kept as text, but not read.
    guard states.isEmpty || states.contains(.done) else { return }
    base.record.set(Field.Todo.completedAt, try instant(.completedAt).map { .integer($0) })
  }

  /// Reads a yes-or-no column; a date is read as the completion date, and an unknown word is noted and kept.
  private mutating func flag() -> Bool? {
    guard let cell = base.row.cells(.done).first, !CSVWords.isNone(cell.text) else { return nil }
    if let state = base.words.state(cell.text) {
      if state == .cancelled { base.record.set(Field.Todo.cancelled, .boolean(true)) }
      if state != .open || CSVWords.isPlain(cell.text) { base.take(cell) }
      return state == .done
    }
    do throws(ForeignFault) {
      let moment = try ForeignMoment(cell.text, field: cell.header, order: base.order)
      base.record.set(Field.Todo.completedAt, moment.instant(base.settings).map { .integer($0) })
    } catch {
      base.keepUnread(cell)
      return nil
    }
    base.take(cell)
    return true
  }

  /// Returns the state that a word means; nil for an unknown word, which is noted.
  private mutating func state(_ cell: CSVRow.Cell) -> CSVWords.State? {
    guard let state = base.words.state(cell.text) else {
      base.keepUnread(cell)
      return nil
    }
    let isProgramsOwn = base.words.states[CSVWords.plain(cell.text)] != nil
    switch state {
    case .cancelled, .done: base.take(cell)
    case .open: if isProgramsOwn || CSVWords.isPlain(cell.text) { base.take(cell) }
    }
    return state
  }

  private mutating func percent() throws(ForeignFault) -> Int? {
    try base.first(.percent) { cell throws(ForeignFault) -> CSVRecordBuilder.Read<Int>? in
      let text = cell.text.hasSuffix("%") ? String(cell.text.dropLast()).trimmed : cell.text
      guard let number = Double(text), (0...100).contains(number) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      let percent = Int(number)
      return CSVRecordBuilder.Read(content: percent, isWhole: percent == 0 || percent == 100)
    }
  }
}

/// The due date, and the times of creation and completion.
extension CSVTodoBuilder {
  static func isEmptyDay(_ text: String) -> Bool {
    CSVWords.isNone(text) || ForeignDate.isNone(text)
  }

  private mutating func instant(_ column: CSVColumn) throws(ForeignFault) -> Int64? {
    let (order, settings) = (base.order, base.settings)
    return try base.first(column) { cell throws(ForeignFault) -> CSVRecordBuilder.Read<Int64>? in
      if ForeignDate.isNone(cell.text) { return nil }
      if let instant = Instant.parse(cell.text) { return CSVRecordBuilder.Read(content: instant) }
      let moment = try ForeignMoment(cell.text, field: cell.header, order: order)
      guard let instant = moment.instant(settings) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      return CSVRecordBuilder.Read(content: instant)
    }
  }

  private mutating func priority() throws(ForeignFault) -> Value? {
    let words = base.words
    var ranked: ForeignNote?
    let priority = try base.first(.priority) {
      cell throws(ForeignFault) -> CSVRecordBuilder.Read<Value>? in
      if words.priorities.isEmpty, let rank = Self.rank(cell) {
        ranked = .changed(field: cell.header, cell.text, to: "\(rank)")
        return CSVRecordBuilder.Read(content: .integer(rank.rawValue), isWhole: false)
      }
      guard let (priority, isWhole) = words.priority(cell.text) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      return CSVRecordBuilder.Read(content: .integer(priority.rawValue), isWhole: isWhole)
    }
    base.notes += [ranked].compactMap(\.self)
    return priority
  }

  /// Returns the priority for a rank, of which 1 is the highest; nil in a column with a book's priority numbers.
  private static func rank(_ cell: CSVRow.Cell) -> Priority? {
    if CSVColumn.plain(cell.header).hasPrefix("prioritynum") { return nil }
    return ["1": .high, "2": .normal, "3": .low][cell.text]
  }
}
