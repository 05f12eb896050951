internal import Domain

/// Reads tables of birthdays, to-dos or questions: columns are known by their headers.
enum CSVReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let (text, encoding) = ForeignText.decode(bytes)
    let table = CSVTable(text, separator: CSVTable.separator(of: text))
    guard let header = table.rows.first else { return ForeignFile(.csv) }
    var rows = CSVRows(header: header.cells, settings)
    guard rows.isUseful else { throw .notOfFormat(.csv) }
    if encoding == .windows1252 {
      rows.file.remark(.line(1), .readAs(encoding: encoding.rawValue))
    }
    let body = table.rows.dropFirst()
    rows.learnDateOrder(from: body)
    for row in body {
      guard rows.file.records.count <= settings.limits.records else { break }
      rows.take(row)
    }
    if let line = table.openQuote { rows.file.skip(.line(line), .broken("a quotation never ends")) }
    return rows.file
  }
}

/// The rows of a table under way.
private struct CSVRows {
  var file = ForeignFile(.csv)
  private let settings: ForeignSettings
  private let header: [String]
  private let columns: [CSVColumn?]
  private var names = ContentNames()
  /// The uids of the questions so far, by what is asked.
  private var questions: [String: String] = [:]
  private var order: ForeignSettings.DateOrder?

  init(header: [String], _ settings: ForeignSettings) {
    self.header = header.map(\.trimmed)
    self.settings = settings
    var known: Set<CSVColumn> = []
    columns = header.map { cell in
      guard let column = CSVColumn(header: cell) else { return nil }
      // Of two columns of a meaning the first counts; the other is kept as it is.
      return known.insert(column).inserted ? column : nil
    }
    order = settings.dateOrder
  }

  var isUseful: Bool { columns.contains { $0.map(Self.telling.contains) ?? false } }

  private static let telling: Set<CSVColumn> = [
    .firstName, .lastName, .name, .birthday, .title, .list, .question, .choice,
  ]

  /// Learns from the dates that can only be read in one way how the others are meant.
  mutating func learnDateOrder(from rows: ArraySlice<CSVTable.Row>) {
    guard order == nil else { return }
    let places = columns.indices.filter { columns[$0] == .birthday || columns[$0] == .due }
    var orders: Set<ForeignSettings.DateOrder> = []
    for row in rows {
      for place in places where row.cells.indices.contains(place) {
        if let order = ForeignDate.order(of: row.cells[place]) { orders.insert(order) }
      }
    }
    if orders.count == 1 { order = orders.first }
  }

  /// Whether it is an address book, in which not everybody has a birthday.
  private var isOfPeople: Bool {
    columns.contains(.birthday) && !columns.contains(.kind) && !settings.takesAll
  }

  mutating func take(_ row: CSVTable.Row) {
    let place = ForeignPlace.line(row.line)
    if let cell = row.cells.first(where: { $0.utf8.count > settings.limits.fieldBytes }) {
      let name = row.cells.firstIndex(of: cell).flatMap {
        header.indices.contains($0) ? header[$0] : nil
      }
      return file.skip(place, .tooLarge(name ?? "a cell", limit: settings.limits.fieldBytes))
    }
    guard row.cells.count <= header.count else {
      return file.skip(
        place, .broken("it has \(row.cells.count) cells, and the header \(header.count)"))
    }
    let reading = CSVRow(row, columns, header, order: order, settings)
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
