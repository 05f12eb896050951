internal import Domain

/// Builds a record from the cells of a row.
///
/// Each cell is either read as a field or kept as text under its header, so no cell is lost.
struct CSVRecordBuilder {
  /// The content of a cell, and whether the cell contains nothing else.
  struct Read<Content> {
    var content: Content
    var isWhole = true
  }

  var record: ForeignRecord
  /// Notes about the record for the user.
  var notes: [ForeignNote] = []
  let row: CSVRow
  let settings: ForeignSettings
  let order: ForeignSettings.DateOrder?
  private var taken: Set<Int> = []

  init(
    _ kind: Kind, _ row: CSVRow, at place: ForeignPlace, order: ForeignSettings.DateOrder?,
    _ settings: ForeignSettings
  ) {
    record = ForeignRecord(kind, uid: "", at: place)
    (self.row, self.order, self.settings) = (row, order, settings)
  }

  var layout: CSVLayout { row.layout }
  var words: CSVWords {
    layout.program?.words ?? CSVWords(tagSeparator: layout.isOwn ? "," : nil)
  }

  /// Marks a cell as read, so that it is not kept as text.
  mutating func take(_ cell: CSVRow.Cell) { taken.insert(cell.place) }

  /// Notes that a cell cannot be read and is kept.
  mutating func keepUnread(_ cell: CSVRow.Cell) {
    notes.append(.keptAsWritten(field: cell.header, cell.text))
  }

  /// Notes why a cell cannot be read; the cell is kept.
  mutating func keepUnread(_ cell: CSVRow.Cell, _ fault: ForeignFault) {
    if case .severalReadings(_, _, let readings) = fault {
      notes.append(.severalReadings(field: cell.header, cell.text, readings))
    } else {
      keepUnread(cell)
    }
  }

  /// Reads text; if there are several cells, the first one is used.
  mutating func text(_ column: CSVColumn) -> String? {
    guard let cell = row.cells(column).first else { return nil }
    take(cell)
    return cell.text
  }

  /// Reads the first readable cell, and keeps the others.
  ///
  /// - Parameters:
  ///   - column: The meaning of the cells.
  ///   - read: Reads a cell; returns nil if the cell says that there is no value.
  /// - Returns: The value; nil if no cell contains one.
  /// - Throws: The error of `read`, unless the cell is noted and kept because of it.
  mutating func first<Content>(
    _ column: CSVColumn, _ read: (CSVRow.Cell) throws(ForeignFault) -> Read<Content>?
  ) throws(ForeignFault) -> Content? {
    var found: Content?
    for cell in row.cells(column) where found == nil {
      do throws(ForeignFault) {
        guard !CSVWords.isNone(cell.text), let told = try read(cell) else {
          take(cell)
          continue
        }
        found = told.content
        if told.isWhole { take(cell) }
      } catch {
        switch error {
        case .unreadable, .date: keepUnread(cell)
        // Without the date, a to-do is still useful, unlike a person without a birthday.
        case .severalReadings where record.kind == .todo: keepUnread(cell, error)
        default: throw error
        }
      }
    }
    return found
  }

  /// Keeps all cells that have not been read.
  mutating func keepOthers() {
    for cell in row.all where !taken.contains(cell.place) && layout.columns[cell.place].isKept {
      record.extra[cell.header] = cell.text
    }
  }

  /// The headers of kept cells that have no meaning.
  var unknownHeaders: [String] {
    row.all.filter { !taken.contains($0.place) }.map(\.place).filter { place in
      layout.columns[place].isKept && layout.columns[place].meaning == nil
    }.map { layout.columns[$0].name }
  }
}

extension CSVRecordBuilder {
  /// The headers of cells that are kept as text because another cell with the same meaning was read.
  var headersBeside: [String] {
    row.all.filter { cell in
      let column = layout.columns[cell.place]
      guard !taken.contains(cell.place), column.isKept, let meaning = column.meaning,
        let first = row.cells(meaning).first
      else { return false }
      return first != cell && taken.contains(first.place)
    }.map(\.header)
  }

  /// Reads the fields that all kinds have.
  mutating func fillCommon() {
    for cell in row.cells(.id) { take(cell) }
    if row[.id] != nil, let cell = row.cells(.base).first, record.takeMark(cell.text) { take(cell) }
    for cell in row.cells(.rowKind) {
      let isKnown = layout.program?.rowKinds[cell.text.lowercased()] != nil
      if isKnown { take(cell) } else { keepUnread(cell) }
    }
    record.set(.note, text(.note))
    var tags: [String] = []
    for cell in row.cells(.tags) {
      let (found, isWhole) = words.tags(cell.text)
      tags += found
      if isWhole { take(cell) }
    }
    record.set(.tags, tags.isEmpty ? nil : .texts(tags))
    // An unknown word is noted and kept.
    if let cell = row.cells(.kind).first {
      if Schema.schema(named: cell.text.lowercased()) != nil {
        take(cell)
      } else {
        keepUnread(cell)
      }
    }
  }

  mutating func fillList() throws(ForeignFault) {
    record.set(Field.List.name, text(.list) ?? text(.name) ?? text(.title))
    let colour = try first(.colour) { cell throws(ForeignFault) -> Read<Int64>? in
      guard cell.text.hasPrefix("#"), cell.text.utf8.count == 7,
        let number = Int64(cell.text.dropFirst(), radix: 16)
      else { throw .unreadable(field: cell.header, cell.text) }
      return Read(content: number)
    }
    record.set(Field.List.colour, colour.map { .integer($0) })
  }

  mutating func fillQuestion() {
    record.set(Field.Question.content, text(.question) ?? text(.title))
  }

  mutating func fillChoice(of question: String?) throws(ForeignFault) {
    guard let question else { throw .missing("a question") }
    record.set(Field.Choice.name, text(.choice) ?? text(.name))
    for cell in row.cells(.question) { take(cell) }
    record.set(Field.Choice.weight, try number(.weight))
    record.fields[.owner] = .record(uid: question)
  }

  mutating func number(_ column: CSVColumn) throws(ForeignFault) -> Value? {
    try first(column) { cell throws(ForeignFault) -> Read<Value>? in
      guard let number = Int64(cell.text) else {
        throw .unreadable(field: cell.header, cell.text)
      }
      return Read(content: .integer(number))
    }
  }
}
