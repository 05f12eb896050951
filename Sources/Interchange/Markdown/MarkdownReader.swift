internal import Domain

/// Reads the check lists in Markdown text: each item is a to-do on the list that the heading above it names.
struct MarkdownReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let (text, encoding) = ForeignText.decode(bytes)
    var reader = MarkdownReader(settings)
    if encoding == .windows1252 {
      reader.file.remark(.line(1), .readAs(encoding: encoding.rawValue))
    }
    for (place, line) in TextLines(text).enumerated() {
      guard reader.file.records.count <= settings.limits.records else { break }
      reader.take(line, at: .line(place + 1))
    }
    reader.endHeading()
    return reader.file
  }

  private var file = ForeignFile(.markdown)
  private let settings: ForeignSettings
  private var names = ContentNames()
  private var list: String?
  private var fence: String?
  /// Whether there is a to-do under the current heading.
  private var hasTodo = true

  private init(_ settings: ForeignSettings) { self.settings = settings }

  private mutating func take(_ text: Substring, at place: ForeignPlace) {
    guard text.utf8.count <= settings.limits.fieldBytes else {
      return file.skip(place, .tooLarge("the line", limit: settings.limits.fieldBytes))
    }
    let line = MarkdownLine(text)
    if let fence {
      if case .fence(let end) = line, end.hasPrefix(fence) { self.fence = nil }
      return file.passOver(.otherLine)
    }
    switch line {
    case .item(let item): take(item, at: place)
    case .heading(let name):
      endHeading()
      (list, hasTodo) = (name, false)
    case .fence(let start):
      fence = start
      file.passOver(.otherLine)
    case .blank: return
    case .other: file.passOver(.otherLine)
    }
  }

  /// Adds the list of the current heading only if it has to-dos, because most headings do not name lists.
  private mutating func endHeading() {
    if !hasTodo { file.passOver(.headingWithoutTodo) }
    hasTodo = true
  }

  private mutating func take(_ item: MarkdownItem, at place: ForeignPlace) {
    hasTodo = true
    guard !item.title.isEmpty else { return file.skip(place, .missing("title")) }
    var record = item.record(on: list, at: place)
    if let id = item.id, id.utf8.count <= Operation.Limit.idBytes {
      record.uid = id
      if let mark = item.base { record.takeMark(mark) }
    } else {
      record.uid = names.name([list, item.title])
    }
    file.records.append(record)
  }
}

extension MarkdownItem {
  /// Returns the content of the item, without a uid.
  func record(on list: String?, at place: ForeignPlace) -> ForeignRecord {
    var record = ForeignRecord(.todo, uid: "", at: place)
    record.set(Field.Todo.title, title)
    record.set(Field.Todo.done, .boolean(isDone))
    if let list { record.fields[Field.Todo.list] = .list(named: list) }
    if indent > 0 { record.extra["indent"] = String(indent) }
    return record
  }
}
