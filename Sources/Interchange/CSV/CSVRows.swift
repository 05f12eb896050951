internal import Domain

/// Reads the rows of a table into records.
struct CSVRows {
  var file = ForeignFile(.csv)
  private let settings: ForeignSettings
  private let header: CSVHeader
  private var names: CSVNames
  private var order: ForeignSettings.DateOrder?
  /// The list that the file represents, if its program writes each list to a separate file.
  private let list: String?
  /// The section that contains the current row.
  private var section: String?
  /// The headers of columns with content but no meaning.
  private var keptHeaders: Set<String> = []
  /// The headers of columns with content for which another column with the same meaning was read.
  private var headersBeside: Set<String> = []
  /// The number of notes on the record above; nil if there is no such record or it was skipped.
  private var noteCount: Int?
  private var parents: CSVParents

  init(_ header: CSVHeader, _ settings: ForeignSettings) {
    (self.header, self.settings) = (header, settings)
    let layout = header.layout
    parents = CSVParents(layout.program)
    list = layout.program?.isListByFile ?? false ? settings.fileName.flatMap(Self.listName) : nil
    names = CSVNames(header.layout.program, list: list)
    file.named = list
    file.program = layout.program?.title
    file.columns = layout.columns.enumerated().map { place, column in
      let isUnused = column.meaning == nil || layout.isBeside(place)
      return ForeignFile.Column(
        name: column.name, field: column.meaning?.fieldName, isKept: isUnused && column.isKept)
    }
    for _ in 0..<header.rowsBefore { file.passOver(.rowBeforeHeader) }
    for column in layout.columns where column.name.utf8.count > settings.limits.nameBytes {
      file.remark(
        .line(header.row.line),
        .leftOut("the column '\(column.name.prefix(40))…'", bytes: column.name.utf8.count))
    }
    order = settings.dateOrder
    if order == nil {
      let found = CSVDateOrder(header)
      order = found.order
      if let remark = found.remark { file.remark(remark.place, remark.note) }
    }
    if let place = header.stateColumn {
      file.remark(.line(header.row.line), .takenForDone(layout.columns[place].name))
    }
    let isTold = layout.has(anyOf: .birthday, .birthYear, .birthMonth, .birthDay)
    if header.subject == .all(.birthday), !isTold {
      file.remark(.line(header.row.line), .noBirthdayColumn)
    }
  }

  /// Returns the name of a file without its extension, and without the number that a backup appends.
  private static func listName(_ file: String) -> String? {
    let end = file.lastIndex(of: ".") ?? file.endIndex
    var name = String(file[..<end])
    if name.last == "]", let bracket = name.lastIndex(of: "[") {
      let number = name[name.index(after: bracket)...].dropLast()
      if !number.isEmpty, number.allSatisfy(\.isNumber) { name = String(name[..<bracket]) }
    }
    return name.trimmed.isEmpty ? nil : name.trimmed
  }

  /// Whether the table is an address book; if so, some people have no birthday.
  private var isOfPeople: Bool {
    let layout = header.layout
    return layout.has(anyOf: .birthday, .birthMonth, .birthDay, .birthYear) && !layout.has(.kind)
      && !settings.takesAll
  }
}

extension CSVRows {
  mutating func take(_ row: CSVTable.Row) {
    let place = ForeignPlace.line(row.line)
    let columns = header.layout.columns
    let isTooLong = row.cells.dropFirst(columns.count).contains { !$0.trimmed.isEmpty }
    guard !row.isTooWide, !isTooLong else {
      let count = row.isTooWide ? "more than \(row.cells.count)" : "\(row.cells.count)"
      return file.skip(place, .broken("it has \(count) cells, but the header has \(columns.count)"))
    }
    for (cell, column) in zip(row.cells, columns)
    where cell.utf8.count > settings.limits.fieldBytes {
      return file.skip(place, .tooLarge(column.name, limit: settings.limits.fieldBytes))
    }
    let row = CSVRow(row, header.layout)
    guard !row.all.isEmpty else { return file.passOver(.emptyRow) }
    do throws(ForeignFault) {
      switch rowKind(row) {
      case .record:
        noteCount = nil
        try takeRecord(row, place)
      case .note: try takeNote(row)
      case .section: section = row[.title]
      case .other: file.passOver(.otherLine)
      }
    } catch {
      file.skip(place, error)
    }
  }

  /// Returns the type of a row; an unknown word means a record.
  private func rowKind(_ row: CSVRow) -> CSVProgram.RowKind {
    let word = row[.rowKind]?.lowercased()
    return word.flatMap { header.layout.program?.rowKinds[$0] } ?? .record
  }

  private mutating func takeRecord(
    _ row: CSVRow, _ place: ForeignPlace
  ) throws(ForeignFault) {
    let told: Kind? =
      if case .all(let kind) = header.subject { kind } else { try row.kind() }
    guard let kind = told else { return file.passOver(.emptyRow) }
    if kind == .choice { takeQuestion(row, place) }
    let builder = try built(kind, row, place)
    var record = builder.record
    record.uid = names.uid(of: record, row)
    record.formerName = names.formerUID(of: record, row)
    if file.silent[kind] == nil { file.silent[kind] = header.layout.silentFields(of: kind) }
    if kind == .birthday, isOfPeople, record.fields[Field.Birthday.birthdate] == nil {
      let isUnread = builder.notes.contains { $0.fault != nil }
      guard row[.id] != nil || isUnread else { return file.passOver(.cardWithoutBirthday) }
      if !isUnread { record.standing = .incidental }
    }
    if kind == .birthday, record.fields.keys.allSatisfy({ $0 < Field.Birthday.firstName }) {
      throw .missing("a name or a date")
    }
    if kind == .question, let content = row[.question] ?? row[.title] {
      names.note(question: content, as: record.uid)
    }
    keptHeaders.formUnion(builder.unknownHeaders)
    headersBeside.formUnion(builder.headersBeside)
    noteCount = 0
    for note in builder.notes { file.remark(place, note) }
    file.records.append(record)
    parents.note(row, at: file.records.count - 1, in: &file)
  }

  /// Builds the record for a row, with the cells to keep and the notes.
  private func built(
    _ kind: Kind, _ row: CSVRow, _ place: ForeignPlace
  ) throws(ForeignFault) -> CSVRecordBuilder {
    var builder = CSVRecordBuilder(kind, row, at: place, order: order, settings)
    builder.fillCommon()
    switch kind {
    case .birthday:
      var person = CSVPersonBuilder(builder)
      builder = try person.build()
    case .list: try builder.fillList()
    case .todo:
      var todo = CSVTodoBuilder(builder)
      builder = try todo.build(list: list, section: section)
    case .question: builder.fillQuestion()
    case .choice: try builder.fillChoice(of: row[.question].flatMap(names.question))
    default: break
    }
    builder.keepOthers()
    return builder
  }

  /// Adds the question that a choice belongs to, unless an earlier row has already added it.
  private mutating func takeQuestion(_ row: CSVRow, _ place: ForeignPlace) {
    guard let content = row[.question], names.question(content) == nil else { return }
    let uid = names.note(question: content)
    var question = ForeignRecord(.question, uid: uid, at: place)
    question.set(Field.Question.content, content)
    file.records.append(question)
  }

  /// Appends a note to the record above.
  private mutating func takeNote(_ row: CSVRow) throws(ForeignFault) {
    guard let last = file.records.indices.last, let above = noteCount else {
      throw .missing("the task of the note")
    }
    noteCount = above + 1
    var notes: [String] = []
    if case .value(.text(let note))? = file.records[last].fields[.note] { notes.append(note) }
    notes += [row[.title], row[.note]].compactMap(\.self)
    file.records[last].set(.note, notes.joined(separator: "\n"))
    for cell in row.all where !(row.cells(.title) + row.cells(.note)).contains(cell) {
      guard row.layout.columns[cell.place].meaning != .rowKind else { continue }
      file.records[last].extra["\(cell.header) of note \(above + 1)"] = cell.text
    }
  }

  /// Sets the parents, and reports which columns were kept, once for all rows.
  mutating func finish() {
    parents.finish(&file)
    let names = header.layout.columns.map(\.name).filter(keptHeaders.contains)
    if !header.layout.isOwn, !names.isEmpty {
      file.remark(.line(header.row.line), .columnsKept(names))
    }
    // Several columns with the same meaning are expected in a known program's table.
    let beside = header.layout.columns.map(\.name).filter(headersBeside.contains)
    if header.layout.program == nil, !beside.isEmpty {
      file.remark(.line(header.row.line), .columnsBeside(beside))
    }
  }
}
