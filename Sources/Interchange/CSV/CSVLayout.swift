internal import Domain

/// What the columns of a table stand for, as its header, its program and its user tell.
struct CSVLayout {
  struct Column: Equatable {
    /// The header as it stands there.
    var name: String
    /// What it stands for; nil for one that is kept as text.
    var meaning: CSVColumn?
    /// Its place among those of one meaning.
    var rank = 0
    /// Whether its cells are kept where nothing takes them; not where its user ignores it, or the name is too long.
    var isKept = true

    /// Whether it stands for nothing, and is kept.
    var isText: Bool { meaning == nil && isKept }
  }

  private(set) var columns: [Column]
  let program: CSVProgram?
  /// Whether a book wrote the table, so that other columns are of its own keeping.
  let isOwn: Bool

  /// Reads a header.
  ///
  /// - Throws: ``ForeignFault`` where the user names a column that is not there, or a program with other columns.
  init(_ header: [String], _ settings: ForeignSettings) throws(ForeignFault) {
    var names = header.enumerated().map { place, cell in
      let name = FormulaGuard.unmarked(cell) ?? cell.trimmed
      return name.isEmpty ? "column \(place + 1)" : name
    }
    isOwn = names.prefix(2) == [CSVColumn.kind.rawValue, CSVColumn.id.rawValue]
    if !isOwn { names = Self.distinct(names) }
    program = settings.program ?? (isOwn ? nil : CSVProgram(header: header))
    columns = []
    var known: Set<String> = []
    for (name, cell) in zip(names, header) {
      columns.append(column(name, of: cell, isFirst: known.insert(name).inserted))
    }
    takePartsOfBirthday()
    if let program, !columns.contains(where: { $0.meaning == Self.subject(of: program.kind) }) {
      let named = settings.columnMeanings.contains { $0.meaning != nil }
      if !named { throw .notOfProgram(program.title, has: Self.brief(names)) }
    }
    try take(settings.columnMeanings)
    for (place, name) in names.enumerated() where name.utf8.count > settings.limits.nameBytes {
      columns[place].isKept = false
    }
  }

  private static func subject(of kind: Kind) -> CSVColumn { kind == .todo ? .title : .firstName }

  /// The first headers, for an error.
  static func brief(_ names: [String]) -> [String] {
    names.prefix(8).map { String($0.prefix(40)) } + (names.count > 8 ? ["…"] : [])
  }

  /// Headers of which each tells its column from the others.
  private static func distinct(_ names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    var known = Set(names)
    return names.map { name in
      counts[name, default: 0] += 1
      guard var count = counts[name], count > 1 else { return name }
      while !known.insert("\(name) \(count)").inserted { count += 1 }
      return "\(name) \(count)"
    }
  }

  private func column(_ name: String, of header: String, isFirst: Bool) -> Column {
    if let program {
      let found = program.meaning(of: header)
      return Column(name: name, meaning: found?.column, rank: found?.rank ?? 0)
    }
    guard isOwn else { return Column(name: name, meaning: CSVColumn(header: header)) }
    // Behind those of the book come those it keeps, which may have the same headers.
    let meaning = CSVColumn.written.first { $0.rawValue == name }
    return Column(name: name, meaning: isFirst ? meaning : nil)
  }

  /// Takes a month and a day for those of a birthday, where there is no column for all of it.
  private mutating func takePartsOfBirthday() {
    guard program == nil, !isOwn else { return }
    let plain = columns.map { CSVColumn.plain($0.name) }
    let isOfPeople = has(.name) || has(.firstName) || has(.lastName)
    guard isOfPeople, !has(.birthday), let month = Self.place(of: ["month", "monat"], in: plain),
      let day = Self.place(of: ["day", "tag"], in: plain)
    else { return }
    columns[month].meaning = .birthMonth
    columns[day].meaning = .birthDay
    guard let year = Self.place(of: ["year", "jahr"], in: plain) else { return }
    columns[year].meaning = .birthYear
  }

  private static func place(of names: [String], in headers: [String]) -> Int? {
    headers.firstIndex { names.contains($0) }
  }

  /// Takes what a user says of columns, which counts before all else.
  private mutating func take(_ meanings: [ColumnMeaning]) throws(ForeignFault) {
    for told in meanings {
      let plain = CSVColumn.plain(told.column)
      let exact = columns.indices.filter { columns[$0].name == told.column }
      let places =
        exact.isEmpty
        ? columns.indices.filter { CSVColumn.plain(columns[$0].name) == plain } : exact
      guard !places.isEmpty else {
        throw .noSuchColumn(told.column, has: Self.brief(columns.map(\.name)))
      }
      for place in places {
        columns[place].meaning = told.meaning
        // Before all that the program or the header tells.
        columns[place].rank = -1
        columns[place].isKept = told.meaning != nil
      }
    }
  }

  func has(_ meaning: CSVColumn) -> Bool { columns.contains { $0.meaning == meaning } }

  /// Whether another column of the same meaning counts before one of a table of no known program.
  func isBeside(_ place: Int) -> Bool {
    guard program == nil, let meaning = columns[place].meaning,
      ![.tags, .flagged, .status].contains(meaning)
    else { return false }
    return columns.indices.contains { other in
      let ranks = (columns[other].rank, columns[place].rank)
      return columns[other].meaning == meaning && (ranks.0, other) < (ranks.1, place)
    }
  }

  func has(anyOf meanings: CSVColumn...) -> Bool { meanings.contains(where: has) }

  /// Takes a column for something.
  mutating func take(_ meaning: CSVColumn, at place: Int) { columns[place].meaning = meaning }

  /// Takes columns for text that only their program understands.
  mutating func forget(where isForeign: (CSVColumn) -> Bool) {
    for place in columns.indices where columns[place].meaning.map(isForeign) ?? false {
      columns[place].meaning = nil
    }
  }

  /// Takes what records of a kind do not have for text; people whose name is called a title have a name.
  mutating func adapt(to kind: Kind) {
    if kind == .birthday, !has(anyOf: .name, .firstName, .lastName) {
      for place in columns.indices where columns[place].meaning == .title {
        columns[place].meaning = .name
      }
    }
    forget { !$0.isOf(kind) }
  }
}

extension CSVLayout {
  /// Columns that address books have, and lists of tasks have not.
  private static let contactColumns: Set<String> = [
    "phone", "mobile", "telephone", "telefon", "homephone", "workphone", "mobilephone", "email",
    "emailaddress", "address", "adresse", "company", "organization", "organisation", "nickname",
  ]

  private var isOfContacts: Bool {
    columns.contains { Self.contactColumns.contains(CSVColumn.plain($0.name)) }
  }

  /// What the rows of a table are.
  enum Subject: Equatable {
    case all(Kind)
    /// Each row tells on its own.
    case each
  }

  /// What the rows are; nil where no column tells.
  ///
  /// One column says too little: a list has tasks that their program calls cards, and a person has a title, too.
  var subject: Subject? {
    if has(.kind) || has(.question) { return .each }
    if let program { return .all(program.kind) }
    let isOfPeople = has(
      anyOf: .birthday, .firstName, .lastName, .birthYear, .birthMonth, .birthDay)
    let isOfTasks = has(anyOf: .done, .status, .percent, .due, .completedAt)
    if has(.title), isOfPeople { return isOfTasks ? .each : .all(.birthday) }
    if has(.title) { return .all(.todo) }
    if isOfPeople { return .all(.birthday) }
    if has(.name) {
      let isOfTodos = isOfTasks || has(.priority)
      return .all(isOfTodos && !isOfContacts ? .todo : .birthday)
    }
    if has(.list), columns.allSatisfy({ $0.meaning != nil }) { return .all(.list) }
    return nil
  }
}
