internal import Bytes
internal import Domain
internal import SQLite

/// A row of a store, read by the meaning of its columns.
struct CoreDataRow {
  enum Kept {
    case kept(String)
    case tooLarge(Int)
  }

  let shape: CoreDataShape
  private let cells: [CoreDataStore.Cell?]
  private let settings: ForeignSettings

  init(_ row: CoreDataStore.Row, _ shape: CoreDataShape, _ settings: ForeignSettings) {
    self.shape = shape
    self.settings = settings
    cells = row.cells
  }

  /// Returns the cell in a column; nil if the row has no value there.
  subscript(column: String) -> CoreDataStore.Cell? { shape.places[column].flatMap { cells[$0] } }

  /// Returns the column of an attribute and its value; nil if the row has no value there.
  private func find(
    _ attribute: ForeignAttribute
  ) throws(ForeignFault) -> (column: String, value: SQLiteValue)? {
    guard let column = shape.columns[attribute], let cell = self[column] else { return nil }
    switch cell {
    case .value(let value): return ("Z" + column, value)
    case .tooLarge: throw .tooLarge("Z" + column, limit: settings.limits.fieldBytes)
    }
  }

  func text(_ attribute: ForeignAttribute) throws(ForeignFault) -> String? {
    guard let (column, value) = try find(attribute) else { return nil }
    switch value {
    case .text(let text): return text
    case .integer(let number): return String(number)
    default: throw .unreadable(field: column, words(of: value))
    }
  }

  func required(_ attribute: ForeignAttribute) throws(ForeignFault) -> String {
    guard let text = try text(attribute), !text.trimmed.isEmpty else {
      throw .missing(shape.columns[attribute].map { "Z" + $0 } ?? "name")
    }
    return text
  }

  func integer(_ attribute: ForeignAttribute) throws(ForeignFault) -> Int64? {
    guard let (column, value) = try find(attribute) else { return nil }
    switch value {
    case .integer(let number): return number
    case .real(let number):
      if let whole = Int64(exactly: number) { return whole }
    case .text(let text):
      if let whole = Int64(text.trimmed) { return whole }
    default: break
    }
    throw .unreadable(field: column, words(of: value))
  }

  func truth(_ attribute: ForeignAttribute) throws(ForeignFault) -> Bool? {
    guard let (column, value) = try find(attribute) else { return nil }
    let list: PropertyList? =
      switch value {
      case .integer(let number): .integer(Int128(number))
      case .real(let number): .real(number)
      case .text(let text): .string(text)
      default: nil
      }
    guard let truth = list?.truth else { throw .unreadable(field: column, words(of: value)) }
    return truth
  }

  func instant(_ attribute: ForeignAttribute) throws(ForeignFault) -> Int64? {
    guard let (column, value) = try find(attribute) else { return nil }
    let seconds: Double
    switch value {
    case .real(let number): seconds = number
    case .integer(let number): seconds = Double(number)
    default: throw .unreadable(field: column, words(of: value))
    }
    guard let time = AppleTime.milliseconds(seconds) else {
      throw .unreadable(field: column, String(seconds))
    }
    return time
  }

  /// Returns the day of an instant in local time and in UTC.
  ///
  /// For a date stored as text, the day in UTC is nil.
  func day(
    _ attribute: ForeignAttribute
  ) throws(ForeignFault) -> (here: CivilDate, utc: CivilDate?)? {
    guard let (column, value) = try find(attribute) else { return nil }
    if case .text(let words) = value {
      return (try ForeignDate.read(words, field: column, order: settings.dateOrder), nil)
    }
    guard let time = try instant(attribute) else { return nil }
    guard let date = settings.localDay(of: time) else {
      throw .unreadable(field: column, String(time))
    }
    return (date, CivilDate(ofInstant: time))
  }

  private func words(of value: SQLiteValue) -> String {
    switch keptText(of: value) {
    case .kept(let text): text
    case .tooLarge(let bytes): "\(bytes) bytes"
    }
  }

  /// Returns a value without a meaning here as text; a blob of sixteen bytes becomes a UUID.
  func keptText(of cell: CoreDataStore.Cell) -> Kept {
    switch cell {
    case .value(let value): keptText(of: value)
    case .tooLarge(let bytes): .tooLarge(bytes)
    }
  }

  private func keptText(of value: SQLiteValue) -> Kept {
    let text: String
    switch value {
    case .null: text = ""
    case .integer(let number): text = String(number)
    case .real(let number): text = String(number)
    case .text(let words): text = words
    case .blob(let bytes) where bytes.count == 16: text = UniqueID(bytes).uuid
    case .blob(let bytes) where bytes.count > ForeignAttribute.keptBytes:
      return .tooLarge(bytes.count)
    case .blob(let bytes): text = Hex.encode(bytes)
    }
    let count = text.utf8.count
    return count <= ForeignAttribute.keptBytes ? .kept(text) : .tooLarge(count)
  }
}
