internal import Bytes
internal import Crypto
internal import Domain
internal import SQLite

/// Finds birthdays, lists, to-dos, questions and choices in a Core Data store.
///
/// The role of a table is determined by its columns, because programs name their entities freely, and two programs may
/// use the same name with different meanings.
struct CoreDataRecords {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let store: CoreDataStore
    do throws(CoreDataError) {
      store = try CoreDataStore(parsing: bytes, log: settings.writeAheadLog, settings.limits)
    } catch {
      throw error.fault
    }
    var records = CoreDataRecords(store, settings)
    guard records.shapes.contains(where: { $0.role != nil }) else {
      throw .notOfFormat(.coreData)
    }
    // Parents come before their children.
    for role in CoreDataShape.Role.allCases { records.take(role) }
    records.reportOthers()
    return records.file
  }

  var file = ForeignFile(.coreData)
  let settings: ForeignSettings
  private let store: CoreDataStore
  private let shapes: [CoreDataShape]
  /// The uids of the records found so far, by the role and key with which other rows may refer to them.
  private var taken: [CoreDataShape.Role: [Int64: String]] = [:]

  private init(_ store: CoreDataStore, _ settings: ForeignSettings) {
    self.store = store
    self.settings = settings
    shapes = CoreDataShape.shapes(of: store)
  }

  private mutating func take(_ role: CoreDataShape.Role) {
    for shape in shapes where shape.role == role {
      for row in shape.table.rows {
        let place = ForeignPlace.row(shape.tableName, row.key)
        do throws(ForeignFault) {
          let uid = uid(of: row, in: shape.table)
          file.records.append(try record(CoreDataRow(row, shape, settings), uid, at: place))
          taken[role, default: [:]][row.key] = uid
        } catch {
          file.skip(place, error)
        }
      }
    }
  }

  /// Notes the tables and columns that have no meaning here.
  private mutating func reportOthers() {
    for shape in shapes {
      guard shape.role != nil else {
        for _ in shape.table.rows { file.passOver(.otherEntry) }
        continue
      }
      for column in shape.others where ForeignAttribute(column) != .ownID {
        guard let place = shape.places[column],
          shape.table.rows.contains(where: { $0.cells[place] != nil })
        else { continue }
        file.remark(.path(shape.tableName), .notActedOn("Z" + column))
      }
    }
  }

  /// Returns a permanent uid for a row, made from the id of the store, the entity and the key of the row.
  private func uid(of row: CoreDataStore.Row, in table: CoreDataStore.Table) -> String {
    let address = "x-coredata://\(store.id)/\(table.entity)/p\(row.key)"
    var bytes = Array(SHA256.digest(of: Array(address.utf8)).bytes.prefix(16))
    // Sets the version and variant bits of a UUID of version 8.
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    return UniqueID(bytes).uuid
  }

  private mutating func record(
    _ row: CoreDataRow, _ uid: String, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    var record: ForeignRecord
    switch row.shape.role {
    case .birthday: record = try birthday(row, uid, at: place)
    case .list: record = try list(row, uid, at: place)
    case .question: record = try question(row, uid, at: place)
    case .choice: record = try choice(row, uid, at: place)
    default: record = try todo(row, uid, at: place)
    }
    for column in row.shape.others {
      guard let value = row[column] else { continue }
      switch row.keptText(of: value) {
      case .kept(let text): record.extra[column.lowercased()] = text
      case .tooLarge(let bytes): file.remark(place, .leftOut("Z" + column, bytes: bytes))
      }
    }
    return record
  }
}

extension CoreDataRecords {
  private mutating func birthday(
    _ row: CoreDataRow, _ uid: String, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    var record = ForeignRecord(.birthday, uid: uid, at: place)
    record.set(Field.Birthday.firstName, try row.text(.firstName))
    record.set(Field.Birthday.lastName, try row.text(.lastName))
    if let (date, utc) = try row.day(.birthdate) {
      record.set(Field.Birthday.birthdate, .date(date))
      if let utc, utc != date { file.remark(place, .otherDayInUTC(date, utc: utc)) }
    }
    guard !record.fields.isEmpty else { throw .missing("a name or a date") }
    return record
  }

  private mutating func list(
    _ row: CoreDataRow, _ uid: String, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    var record = ForeignRecord(.list, uid: uid, at: place)
    record.set(Field.List.name, try row.required(.title))
    if let words = try row.text(.colour) {
      if let colour = Self.colour(words) {
        record.set(Field.List.colour, .integer(colour))
      } else {
        record.extra["colour"] = words
        file.remark(place, .keptAsWritten(field: "colour", words))
      }
    }
    return record
  }

  /// Parses `#1D9BF6`, with or without its number sign.
  private static func colour(_ words: String) -> Int64? {
    let digits = words.hasPrefix("#") ? words.dropFirst() : words[...]
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit) else { return nil }
    return Int64(digits, radix: 16)
  }

  private mutating func todo(
    _ row: CoreDataRow, _ uid: String, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    var record = ForeignRecord(.todo, uid: uid, at: place)
    record.set(Field.Todo.title, try row.required(.title))
    record.set(Field.Todo.done, .boolean(try row.truth(.done) ?? false))
    if let time = try row.instant(.created) {
      record.time = time
      record.set(Field.Todo.createdAt, .integer(time))
    }
    if let time = try row.instant(.completed) {
      record.set(Field.Todo.completedAt, .integer(time))
    }
    if let (date, _) = try row.day(.due) { record.set(Field.Todo.due, .date(date)) }
    record.set(.note, try row.text(.note))
    if let number = try row.integer(.priority) {
      if !(0...2).contains(number) {
        file.remark(place, .changed(field: "priority", String(number), to: "normal"))
      }
      record.set(Field.Todo.priority, .integer((0...2).contains(number) ? number : 1))
    }
    guard row.shape.columns[.parent] != nil else { return record }
    let list = try row.integer(.parent).flatMap { taken[.list]?[$0] }
    // The original program would not show a to-do without a list anywhere.
    record.fields[Field.Todo.list] = list.map { .record(uid: $0) } ?? .list(named: "Inbox")
    return record
  }

  private func question(
    _ row: CoreDataRow, _ uid: String, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    var record = ForeignRecord(.question, uid: uid, at: place)
    record.set(Field.Question.content, try row.required(.title))
    return record
  }

  private mutating func choice(
    _ row: CoreDataRow, _ uid: String, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    var record = ForeignRecord(.choice, uid: uid, at: place)
    guard let owner = try row.integer(.question).flatMap({ taken[.question]?[$0] }) else {
      throw .missing("question")
    }
    record.fields[.owner] = .record(uid: owner)
    record.set(Field.Choice.name, try row.required(.title))
    if let weight = try row.integer(.weight) {
      if weight < 0 {
        file.remark(place, .changed(field: "weight", String(weight), to: "0"))
      }
      record.set(Field.Choice.weight, .integer(max(0, weight)))
    }
    return record
  }
}

extension CoreDataError {
  fileprivate var fault: ForeignFault {
    switch self {
    case .notADatabase, .notAStore: .notOfFormat(.coreData)
    case .logMissing:
      .broken("it is empty; its content may be in the file '…-wal' that belongs next to it")
    case .foreignLog:
      .broken("the file '…-wal' next to it belongs to another store")
    case .damaged(let finding): .broken("the database is damaged: \(finding)")
    case .tooManyRows(let limit): .tooMany(limit: limit)
    case .computes(let table):
      .unsupported("the table \(table), in which SQLite would compute a column,")
    case .unpacksTooMuch(let table, let limit):
      .unpacksTooMuch("what \(table) holds", limit: limit)
    case .tooLong:
      .broken(
        "a row is longer than \(Connection.longestRow) bytes, or a statement of the schema is longer than "
          + "\(Connection.longestStatement) bytes; no app of this kind writes such data")
    case .unreadable(let error): .broken("the database cannot be read: \(error.message)")
    }
  }
}
