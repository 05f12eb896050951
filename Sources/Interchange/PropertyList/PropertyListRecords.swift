internal import Bytes
internal import Domain

/// Finds to-dos in the property lists of other programs.
///
/// The list is either an array of to-dos, or the preferences of a program with such an array under a key.
struct PropertyListRecords {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let list: PropertyList
    do throws(PropertyListError) {
      list = try PropertyList(parsing: bytes, settings.limits)
    } catch {
      throw error.fault
    }
    var records = PropertyListRecords(settings)
    switch list {
    case .array(let items):
      records.file.named = records.listName
      try records.take(items, list: records.listName, at: "")
    case .dictionary(let entries): try records.take(entries)
    default: throw Self.nothingFound
    }
    return records.file
  }

  private static let nothingFound = ForeignFault.missing(
    "an array of to-dos, or an array under the key 'ToDoListArray'")

  private var file = ForeignFile(.propertyList)
  private let settings: ForeignSettings
  private var names = ContentNames()

  private init(_ settings: ForeignSettings) { self.settings = settings }

  /// The name of the list: a file of to-dos is one list, with the name of the file.
  private var listName: String {
    guard let name = settings.fileName, name.lowercased().hasSuffix(".plist"),
      !name.dropLast(6).allSatisfy(\.isWhitespace)
    else { return "Items" }
    return String(name.dropLast(6))
  }

  /// Reads the preferences of a program.
  private mutating func take(_ entries: [PropertyList.Entry]) throws(ForeignFault) {
    guard !entries.contains(where: { $0.key == "$archiver" }) else { throw Self.archive }
    var isFound = false
    for entry in entries {
      // Programs differ in the capitalisation of this key.
      guard entry.key.lowercased() == "todolistarray" else {
        file.passOver(.otherEntry)
        continue
      }
      isFound = true
      switch entry.value {
      case .array(let items): try take(items, list: nil, at: entry.key)
      case .data: throw Self.archive
      default: throw .unreadable(field: entry.key, entry.value.words)
      }
    }
    guard isFound else { throw Self.nothingFound }
  }

  private static let archive = ForeignFault.unsupported(
    "an archive of a program's own objects (NSKeyedArchiver)")

  private mutating func take(
    _ items: [PropertyList], list: String?, at path: String
  ) throws(ForeignFault) {
    for (place, item) in items.enumerated() {
      let place = ForeignPlace.path("\(path)[\(place)]")
      do throws(ForeignFault) {
        file.records.append(try record(item, list: list, at: place))
      } catch {
        file.skip(place, error)
      }
      guard file.records.count <= settings.limits.records else { return }
    }
  }

  private mutating func record(
    _ item: PropertyList, list: String?, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    var record = ForeignRecord(.todo, uid: "", at: place)
    switch item {
    case .string(let title): try set(title, of: &record)
    case .dictionary(let entries): try take(entries, into: &record)
    default: throw .unreadable(field: "the entry", item.words)
    }
    guard case .value(.text(let title))? = record.fields[Field.Todo.title] else {
      throw .missing("title")
    }
    record.uid = names.name([list, title])
    if let list { record.fields[Field.Todo.list] = .list(named: list) }
    return record
  }

  private func set(_ title: String, of record: inout ForeignRecord) throws(ForeignFault) {
    guard title.utf8.count <= settings.limits.fieldBytes else {
      throw .tooLarge("title", limit: settings.limits.fieldBytes)
    }
    record.set(Field.Todo.title, title)
  }

  private mutating func take(
    _ entries: [PropertyList.Entry], into record: inout ForeignRecord
  ) throws(ForeignFault) {
    record.set(Field.Todo.done, .boolean(false))
    for entry in entries {
      switch ForeignAttribute(entry.key) {
      case .title? where record.fields[Field.Todo.title] == nil:
        guard let title = entry.value.string else {
          throw .unreadable(field: entry.key, entry.value.words)
        }
        try set(title, of: &record)
      case .done?:
        guard let isDone = entry.value.truth else {
          throw .unreadable(field: entry.key, entry.value.words)
        }
        record.set(Field.Todo.done, .boolean(isDone))
      default: keep(entry, in: &record)
      }
    }
  }

  private mutating func keep(_ entry: PropertyList.Entry, in record: inout ForeignRecord) {
    let words = entry.value.words
    guard words.utf8.count <= ForeignAttribute.keptBytes else {
      return file.remark(record.place, .leftOut(entry.key, bytes: words.utf8.count))
    }
    record.extra[entry.key] = words
  }
}

extension PropertyListError {
  fileprivate var fault: ForeignFault {
    switch reason {
    case .tooDeep(let limit): .tooDeep(limit: limit)
    case .tooLong(let limit): .tooLarge("a text in \(place)", limit: limit)
    case .unpacksTooMuch(let limit):
      .unpacksTooMuch("the content up to \(place)", limit: limit)
    case .unexpectedEnd: .broken("it ends too early (\(place))")
    default: .broken("\(words) in \(place)")
    }
  }

  private var place: String { line.map { "line \($0)" } ?? "byte \(offset)" }

  private var words: String {
    switch reason {
    case .unexpected: "unexpected content"
    case .unknownElement(let name): "an unknown element '\(name)'"
    case .badText: "invalid text"
    case .badNumber: "an invalid number"
    case .badDate: "an invalid date"
    case .badData: "invalid data"
    case .repeatedKey(let key): "the key '\(key)' appears twice"
    case .ownEntities: "an entity that XML does not define"
    case .encoding(let name): "an unsupported encoding, '\(name)',"
    case .version(let version): "an unsupported version, '\(version)',"
    case .badReference: "a reference that points outside the list"
    case .openStep:
      "the old form with braces, which is not supported ('plutil -convert xml1 FILE' on a Mac converts it to XML),"
    case .unexpectedEnd, .tooDeep, .tooLong, .unpacksTooMuch: "too much"
    }
  }
}

extension PropertyList {
  /// The value as text, or as JSON if it is an array or dictionary.
  fileprivate var words: String {
    switch self {
    case .string(let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .data(let bytes): Hex.encode(bytes)
    case .date(let time): Instant.text(time) ?? String(time)
    case .uid(let number): String(number)
    case .null: "null"
    case .array, .dictionary: json.text()
    }
  }

  // Recursion is safe here, because the depth of a list is limited.
  private var json: JSON {
    switch self {
    case .array(let items): .array(items.map(\.json))
    case .dictionary(let entries): .object(entries.map { JSON.Member($0.key, $0.value.json) })
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): Int64(exactly: number).map(JSON.integer) ?? .string(words)
    default: .string(words)
    }
  }
}
