internal import Domain

/// The meanings of the columns of a table, according to its header, its program and the user.
struct CSVLayout {
  struct Column: Equatable {
    /// The header as written.
    var name: String
    /// The meaning; nil for a column that is kept as text.
    var meaning: CSVColumn?
    /// The column's rank among columns with the same meaning.
    var rank = 0
    /// Whether unused cells are kept; false if the user ignores the column, or its name is too long.
    var isKept = true

    /// Whether the column has no meaning and is kept.
    var isText: Bool { meaning == nil && isKept }
  }

  private(set) var columns: [Column]
  let program: CSVProgram?
  /// Whether daybook wrote the table; if so, unknown columns contain text that daybook kept.
  let isOwn: Bool

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - header: The cells of the header.
  ///   - settings: The program and the meanings that the user gave, and the limits.
  /// - Throws: ``ForeignFault`` if the user names a column that does not exist, or a program with different columns.
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

  /// Returns the first headers, for a message.
  static func brief(_ names: [String]) -> [String] {
    names.prefix(8).map { String($0.prefix(40)) } + (names.count > 8 ? ["…"] : [])
  }

  /// Returns the given headers, made unique with numbers.
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
    // The book's own columns come first. They are followed by columns of kept text, which may have the same headers.
    let meaning = CSVColumn.written.first { $0.rawValue == name }
    return Column(name: name, meaning: isFirst ? meaning : nil)
  }

  /// Reads separate columns for month and day as parts of a birthday, unless a single column contains the whole date.
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

  /// Applies the meanings that the user gave, which take precedence over all others.
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
        // This rank precedes the ranks that the program or the header determines.
        columns[place].rank = -1
        columns[place].isKept = told.meaning != nil
      }
    }
  }

  func has(_ meaning: CSVColumn) -> Bool { columns.contains { $0.meaning == meaning } }

  /// Returns whether another column with the same meaning takes precedence.
  ///
  /// This is false for known programs, and for meanings of which every column is read.
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

  /// Sets the meaning of a column.
  mutating func take(_ meaning: CSVColumn, at place: Int) { columns[place].meaning = meaning }

  /// Treats as text the columns whose meanings satisfy a condition.
  mutating func forget(where isForeign: (CSVColumn) -> Bool) {
    for place in columns.indices where columns[place].meaning.map(isForeign) ?? false {
      columns[place].meaning = nil
    }
  }

  /// Treats as text the columns that records of a kind do not have.
  ///
  /// For people without another name, the title becomes the name.
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
  /// Columns that address books have, but task lists do not.
  private static let contactColumns: Set<String> = [
    "phone", "mobile", "telephone", "telefon", "homephone", "workphone", "mobilephone", "email",
    "emailaddress", "address", "adresse", "company", "organization", "organisation", "nickname",
  ]

  private var isOfContacts: Bool {
    columns.contains { Self.contactColumns.contains(CSVColumn.plain($0.name)) }
  }

  /// The subject of the rows of a table.
  enum Subject: Equatable {
    case all(Kind)
    /// Each row has its own kind.
    case each
  }

  /// The subject of the rows; nil if no column shows it.
  ///
  /// One column is not enough evidence, because a to-do may have a name, and a person may have a title.
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
