/// The role of a table in a store, determined by its columns.
struct CoreDataShape {
  /// Parents come before their children.
  enum Role: CaseIterable {
    case birthday, list, todo, question, choice
  }

  let table: CoreDataStore.Table
  let role: Role?
  /// The column for each attribute.
  let columns: [ForeignAttribute: String]
  /// The columns without a meaning here, in the order of the table.
  let others: [String]
  /// The position of each column in the rows.
  let places: [String: Int]

  var tableName: String { "Z" + table.entity.uppercased() }

  static func shapes(of store: CoreDataStore) -> [CoreDataShape] {
    let found = store.tables.map { ($0, attributes(of: $0)) }
    // A table with only names may contain lists or questions. Its role is determined by the tables that refer to it.
    let hasTodos = found.contains { $0.1[.done] != nil && $0.1[.parent] != nil }
    let hasChoices = found.contains { $0.1[.question] != nil }
    return found.map { table, attributes in
      var role = self.role(of: attributes)
      let isNamed = role == nil && attributes[.title] != nil
      if isNamed, hasChoices, refers(to: table, .question, in: found) { role = .question }
      if isNamed, role == nil, hasTodos, refers(to: table, .parent, in: found) { role = .list }
      return CoreDataShape(table, role, attributes)
    }
  }

  private init(
    _ table: CoreDataStore.Table, _ role: Role?, _ attributes: [ForeignAttribute: String]
  ) {
    self.table = table
    self.role = role
    columns =
      role.map { role in attributes.filter { Self.attributes(of: role).contains($0.key) } } ?? [:]
    let used = Set(columns.values)
    others = table.columns.filter { !used.contains($0) }
    places = Dictionary(zip(table.columns, table.columns.indices)) { first, _ in first }
  }

  /// Returns the first column for each meaning; other columns with the same meaning are kept as they are.
  private static func attributes(of table: CoreDataStore.Table) -> [ForeignAttribute: String] {
    var attributes: [ForeignAttribute: String] = [:]
    for column in table.columns {
      guard let attribute = ForeignAttribute(column), attributes[attribute] == nil else { continue }
      attributes[attribute] = column
    }
    return attributes
  }

  private static func role(of attributes: [ForeignAttribute: String]) -> Role? {
    func has(_ attribute: ForeignAttribute) -> Bool { attributes[attribute] != nil }
    if has(.firstName) || has(.lastName) { return .birthday }
    if has(.title), has(.done) { return .todo }
    if has(.title), has(.question) { return .choice }
    return has(.title) && attributes[.birthdate].map { $0 != "DATE" } ?? false ? .birthday : nil
  }

  /// Returns whether the children in a store seem to belong to the rows of a table, judging by names.
  private static func refers(
    to table: CoreDataStore.Table, _ attribute: ForeignAttribute,
    in found: [(CoreDataStore.Table, [ForeignAttribute: String])]
  ) -> Bool {
    let columns = found.compactMap { $0.1[attribute] }
    let named = columns.contains { $0.contains(table.entity.uppercased()) }
    // If no column is named after a table, the table must be the only one that contains nothing but names.
    let candidates = found.filter { role(of: $0.1) == nil && $0.1[.title] != nil }
    return named || candidates.count == 1
  }

  private static func attributes(of role: Role) -> Set<ForeignAttribute> {
    switch role {
    case .birthday: [.firstName, .lastName, .birthdate]
    case .list: [.title, .colour]
    case .todo: [.title, .done, .created, .completed, .priority, .due, .note, .parent]
    case .question: [.title]
    case .choice: [.title, .question, .weight]
    }
  }
}
