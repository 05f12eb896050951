internal import Domain

/// Reads tables of birthdays, to-dos or questions: columns are known by their headers.
enum CSVReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let (text, encoding) = ForeignText.decode(bytes)
    let limits = settings.limits
    var table = CSVTable(
      text, separator: CSVTable.separator(of: text), mostCells: limits.properties)
    guard let header = table.next() else { return ForeignFile(.csv) }
    guard !header.isTooWide else {
      throw .tooManyParts("columns", limit: limits.properties)
    }
    var rows = CSVRows(header: header, settings)
    guard rows.isUseful else { throw .notOfFormat(.csv) }
    if encoding == .windows1252 {
      rows.file.remark(.line(1), .readAs(encoding: encoding.rawValue))
    }
    rows.learnDateOrder(from: table)
    while rows.file.records.count <= limits.records, let row = table.next() { rows.take(row) }
    if let line = table.openQuote { rows.file.skip(.line(line), .broken("a quotation never ends")) }
    return rows.file
  }
}

/// The rows of a table under way.
private struct CSVRows {
  var file = ForeignFile(.csv)
  private let settings: ForeignSettings
  private let columns: [CSVRow.Column]
  private var names = ContentNames()
  /// The uids of the questions so far, by what is asked.
  private var questions: [String: String] = [:]
  private var order: ForeignSettings.DateOrder?

  init(header: CSVTable.Row, _ settings: ForeignSettings) {
    self.settings = settings
    order = settings.dateOrder
    var known: Set<CSVColumn> = []
    columns = header.cells.enumerated().map { place, cell in
      // Of two columns of a meaning the first counts; the other is kept as it is.
      if let column = CSVColumn(header: cell), known.insert(column).inserted {
        return .known(column)
      }
      let name = FormulaGuard.unmarked(cell) ?? cell.trimmed
      return name.utf8.count > settings.limits.nameBytes
        ? .leftOut : .other(name.isEmpty ? "column \(place + 1)" : name)
    }
    for (column, name) in zip(columns, header.cells) where column == .leftOut {
      file.remark(
        .line(header.line),
        .leftOut("the column '\(name.prefix(40))…'", bytes: name.utf8.count))
    }
  }

  var isUseful: Bool { columns.contains { $0.known.map(Self.telling.contains) ?? false } }

  private static let telling: Set<CSVColumn> = [
    .firstName, .lastName, .name, .birthday, .title, .list, .question, .choice,
  ]

  /// Learns from the dates that can only be read in one way how the others are meant.
  mutating func learnDateOrder(from table: CSVTable) {
    let places = columns.indices.filter { [.known(.birthday), .known(.due)].contains(columns[$0]) }
    guard order == nil, !places.isEmpty else { return }
    var orders: Set<ForeignSettings.DateOrder> = []
    var table = table
    while let row = table.next() {
      for place in places where row.cells.indices.contains(place) {
        if let order = ForeignDate.order(of: row.cells[place]) { orders.insert(order) }
      }
    }
    if orders.count == 1 { order = orders.first }
  }

  /// Whether it is an address book, in which not everybody has a birthday.
  private var isOfPeople: Bool {
    columns.contains(.known(.birthday)) && !columns.contains(.known(.kind)) && !settings.takesAll
  }

  mutating func take(_ row: CSVTable.Row) {
    let place = ForeignPlace.line(row.line)
    guard !row.isTooWide, row.cells.count <= columns.count else {
      let count = row.isTooWide ? "more than \(row.cells.count)" : "\(row.cells.count)"
      return file.skip(place, .broken("it has \(count) cells, and the header \(columns.count)"))
    }
    for (cell, column) in zip(row.cells, columns)
    where cell.utf8.count > settings.limits.fieldBytes {
      return file.skip(place, .tooLarge(column.name, limit: settings.limits.fieldBytes))
    }
    let reading = CSVRow(row, columns, order: order, settings)
    do throws(ForeignFault) {
      guard let kind = try reading.kind() else { return file.passOver(.emptyRow) }
      if kind == .choice { takeQuestion(reading, place) }
      let owner = reading[.question].flatMap { questions[$0] }
      var record = try reading.record(kind, of: owner, at: place, &names)
      if kind == .birthday, isOfPeople, reading[.birthday] == nil {
        guard reading[.id] != nil else { return file.passOver(.cardWithoutBirthday) }
        record.isIncidental = true
      }
      if kind == .question, let content = reading[.question] ?? reading[.title] {
        questions[content] = record.uid
      }
      file.records.append(record)
    } catch {
      file.skip(place, error)
    }
  }

  /// Adds the question of a choice, unless a row before has.
  private mutating func takeQuestion(_ row: CSVRow, _ place: ForeignPlace) {
    guard let content = row[.question], questions[content] == nil else { return }
    let uid = CSVRow.uid(ofQuestion: content)
    questions[content] = uid
    var question = ForeignRecord(.question, uid: uid, at: place)
    question.set(Field.Question.content, content)
    file.records.append(question)
  }
}
