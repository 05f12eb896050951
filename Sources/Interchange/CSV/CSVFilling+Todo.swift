internal import Domain

/// What a row says of a to-do.
extension CSVFilling {
  /// Takes the fields of a to-do.
  ///
  /// - Parameters:
  ///   - file: The list that the whole file is, if it is one.
  ///   - section: The part of the list that the rows above have begun.
  /// - Throws: ``ForeignFault`` where there is no title, or it is not clear what a cell says.
  mutating func fillTodo(list file: String?, section: String?) throws(ForeignFault) {
    guard let title = text(.title) ?? text(.name) else { throw .missing("a title") }
    var tags: [String] = []
    record.set(Field.Todo.title, title)
    if layout.program?.hasTagsInTitle ?? false { tags = takeTags(from: title) }
    if let list = takeList() ?? file { record.fields[Field.Todo.list] = .list(named: list) }
    try fillState()
    record.set(Field.Todo.priority, try priority())
    record.set(Field.Todo.due, try due())
    record.time = try instant(.createdAt)
    record.set(Field.Todo.createdAt, record.time.map { .integer($0) })
    record.set(Field.Todo.position, try number(.position))
    add(tags + [section].compactMap(\.self) + takeSection() + takeFlags())
    for column in CSVColumn.kept { keep(column) }
  }

  /// Takes the words of a title that are tags, unless there are no others.
  private mutating func takeTags(from title: String) -> [String] {
    let words = title.split(separator: " ")
    let tags = words.filter { $0.first == "@" && $0.count > 1 }
    guard !tags.isEmpty, tags.count < words.count else { return [] }
    let others = words.filter { $0.first != "@" || $0.count == 1 }
    record.set(Field.Todo.title, others.joined(separator: " "))
    return tags.map { String($0.dropFirst()) }
  }

  /// The list; of several that are in one cell the first, and the cell is kept.
  private mutating func takeList() -> String? {
    guard let cell = row.cells(.list).first else { return nil }
    let names = cell.text.split(separator: ",").map { String($0).trimmed }
    guard layout.program?.hasSeveralLists ?? false, names.count > 1 else { return text(.list) }
    return names[0]
  }

  private mutating func takeSection() -> [String] { text(.section).map { [$0] } ?? [] }

  private mutating func takeFlags() -> [String] {
    row.cells(.flagged).compactMap { cell in
      guard let state = words.state(cell.text) else {
        keepUnread(cell)
        return nil
      }
      take(cell)
      return state == .done ? cell.header : nil
    }
  }

  private mutating func add(_ tags: [String]) {
    guard !tags.isEmpty else { return }
    var all: [String] = []
    if case .value(.texts(let found))? = record.fields[.tags] { all = found }
    for tag in tags where !all.contains(tag) { all.append(tag) }
    record.set(.tags, .texts(all))
  }

  /// Keeps what no field stands for, and says so where it says something.
  private mutating func keep(_ column: CSVColumn) {
    for cell in row.cells(column) where !CSVWords.isNone(cell.text) {
      switch column {
      case .cancelled where words.state(cell.text) == .open: continue
      case .parent where cell.text == layout.program?.topLevel: continue
      case .start where cell.text == row[.due]:
        // A task of one day begins when it is due.
        take(cell)
      default: notes.append(.notActedOn("\(cell.header): \(cell.text)"))
      }
    }
  }
}

/// Whether it is done.
extension CSVFilling {
  private mutating func fillState() throws(ForeignFault) {
    var states: [CSVWords.State] = []
    if let isDone = try flag() { states.append(isDone ? .done : .open) }
    for cell in row.cells(.status) where !CSVWords.isNone(cell.text) { states.append(state(cell)) }
    if let percent = try percent() { states.append(percent == 100 ? .done : .open) }
    let hasState = layout.has(anyOf: .done, .status, .percent)
    let completed = row.cells(.completedAt).contains { !Self.isEmptyDay($0.text) }
    if !hasState, completed { states = [.done] }
    if !states.isEmpty { record.set(Field.Todo.done, .boolean(states.contains(.done))) }
    // That of a to-do which is open again is kept.
    guard states.isEmpty || states.contains(.done) else { return }
    record.set(Field.Todo.completedAt, try instant(.completedAt).map { .integer($0) })
  }

  /// Whether a column of yes and no says yes; a day there is that of completion.
  private mutating func flag() throws(ForeignFault) -> Bool? {
    guard let cell = row.cells(.done).first, !CSVWords.isNone(cell.text) else { return nil }
    if let state = words.state(cell.text) {
      if state == .cancelled { notes.append(.notActedOn("\(cell.header): \(cell.text)")) }
      if state == .done || (state == .open && CSVWords.isPlain(cell.text)) { take(cell) }
      return state == .done
    }
    do throws(ForeignFault) {
      let moment = try ForeignMoment(cell.text, field: cell.header, order: order)
      record.set(Field.Todo.completedAt, moment.instant(settings).map { .integer($0) })
    } catch {
      throw .unreadable(field: cell.header, cell.text)
    }
    take(cell)
    return true
  }

  /// The state that a word tells; one that is not known is open, and is told.
  private mutating func state(_ cell: CSVRow.Cell) -> CSVWords.State {
    guard let state = words.state(cell.text) else {
      keepUnread(cell)
      return .open
    }
    let isProgramsOwn = words.states[CSVWords.plain(cell.text)] != nil
    switch state {
    case .cancelled: notes.append(.notActedOn("\(cell.header): \(cell.text)"))
    case .done: take(cell)
    case .open: if isProgramsOwn || CSVWords.isPlain(cell.text) { take(cell) }
    }
    return state
  }

  private mutating func percent() throws(ForeignFault) -> Int? {
    try first(.percent) { cell throws(ForeignFault) -> Read<Int>? in
      let text = cell.text.hasSuffix("%") ? String(cell.text.dropLast()).trimmed : cell.text
      guard let number = Double(text), (0...100).contains(number) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      let percent = Int(number)
      return Read(content: percent, isWhole: percent == 0 || percent == 100)
    }
  }
}

/// When it is due, and when it was made and done.
extension CSVFilling {
  private static func isEmptyDay(_ text: String) -> Bool {
    CSVWords.isNone(text) || ForeignDate.isNone(text)
  }

  private mutating func due() throws(ForeignFault) -> Value? {
    let isWholeDay = row[.allDay].flatMap(words.state) == .done
    var told: [ForeignNote] = []
    let (order, settings) = (order, settings)
    let due = try first(.due) { cell throws(ForeignFault) -> Read<Value>? in
      if ForeignDate.isNone(cell.text) { return nil }
      let moment = try ForeignMoment(Self.end(of: cell.text), field: cell.header, order: order)
      let day = isWholeDay ? moment.dayOfMidnight : moment.day(settings)
      guard day.isComplete else { throw .unreadable(field: cell.header, cell.text) }
      let isRange = Self.end(of: cell.text) != cell.text
      let isWhole = !isRange && (isWholeDay || !moment.isTimed)
      if !isWhole { told.append(.notActedOn("\(cell.header): \(cell.text)")) }
      return Read(content: .date(day), isWhole: isWhole)
    }
    notes += told
    if due != nil, isWholeDay { for cell in row.cells(.allDay) { take(cell) } }
    return due
  }

  /// The end of a range such as `December 3, 2026 → December 5, 2026`, or all of another text.
  private static func end(of text: String) -> String {
    guard let arrow = text.lastIndex(of: "→") else { return text }
    return String(text[text.index(after: arrow)...]).trimmed
  }

  private mutating func instant(_ column: CSVColumn) throws(ForeignFault) -> Int64? {
    let (order, settings) = (order, settings)
    return try first(column) { cell throws(ForeignFault) -> Read<Int64>? in
      if ForeignDate.isNone(cell.text) { return nil }
      if let instant = Instant.parse(cell.text) { return Read(content: instant) }
      let moment = try ForeignMoment(cell.text, field: cell.header, order: order)
      guard let instant = moment.instant(settings) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      return Read(content: instant)
    }
  }

  private mutating func priority() throws(ForeignFault) -> Value? {
    let words = words
    return try first(.priority) { cell throws(ForeignFault) -> Read<Value>? in
      guard let (priority, isWhole) = words.priority(cell.text) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      return Read(content: .integer(priority.rawValue), isWhole: isWhole)
    }
  }
}
