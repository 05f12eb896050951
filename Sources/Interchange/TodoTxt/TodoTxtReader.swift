internal import Domain

/// Reads a todo.txt file, in which each line is a task.
struct TodoTxtReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let (text, encoding) = ForeignText.decode(bytes)
    var reader = TodoTxtReader(settings)
    if encoding == .windows1252 {
      reader.file.remark(.line(1), .readAs(encoding: encoding.rawValue))
    }
    for (place, line) in TextLines(text).enumerated() {
      guard reader.file.records.count <= settings.limits.records else { break }
      reader.take(line, at: .line(place + 1))
    }
    reader.series.finish(&reader.file)
    return reader.file
  }

  private var file = ForeignFile(.todoTxt)
  private let settings: ForeignSettings
  private var names = ContentNames()
  private var series: SeriesEntries<TodoTxtRepeat>

  private init(_ settings: ForeignSettings) {
    self.settings = settings
    series = SeriesEntries(settings)
  }

  private mutating func take(_ text: Substring, at place: ForeignPlace) {
    guard !text.allSatisfy(\.isWhitespace) else { return }
    guard text.utf8.count <= settings.limits.fieldBytes else {
      return file.skip(place, .tooLarge("the line", limit: settings.limits.fieldBytes))
    }
    var line = TodoTxtLine(String(text))
    let unread = line.takeUnreadDates()
    var record = line.record(settings, at: place)
    if let uuid = line.identity.uuid, uuid.utf8.count <= Operation.Limit.idBytes {
      record.uid = uuid
      if let base = line.identity.base { TodoTxtBase.read(base, into: &record) }
    } else {
      record.uid = names.name([line.created?.iso, line.title])
    }
    for (key, value, fields) in unread {
      record.unread.formUnion(fields)
      file.remark(place, .unread(field: key, value))
    }
    for word in line.unreadableDues {
      file.remark(place, .keptAsWritten(field: "due", word))
    }
    let repeats = take(line, into: &record)
    for (key, value) in line.others.sorted(by: { $0.key < $1.key }) {
      if key == TodoTxtLine.repeatKey, repeats { continue }
      file.remark(place, .notActedOn("\(key):\(value)"))
    }
    file.records.append(record)
  }

  /// Reads how a to-do repeats; returns whether its rule has an effect.
  private mutating func take(_ line: TodoTxtLine, into record: inout ForeignRecord) -> Bool {
    let words = SeriesWords(line.when.series)
    let repeats = series.take(words, line.rule, of: &record, at: file.records.count)
    if !repeats, let rule = words.rule?.text {
      record.extra[SeriesWords.Key.rule.rawValue] = EncodedWord.text(rule)
      file.remark(record.place, .notActedOn("\(SeriesWords.Key.rule.rawValue):\(rule)"))
    }
    return repeats
  }
}

extension TodoTxtLine {
  /// A word that cannot be read, with the fields that it was meant for.
  fileprivate typealias Unread = (key: String, value: String, fields: [Field])

  /// Takes out the words that had a date when daybook wrote the line, and now have a value that is not a date.
  fileprivate mutating func takeUnreadDates() -> [Unread] {
    guard identity.uuid != nil, let base = identity.base.flatMap(TodoTxtBase.base) else {
      return []
    }
    let due = when.due == nil ? takeUnread("due", Field.dueFields, base) : nil
    // Without its due time, a time zone means nothing.
    if due != nil { others["zone"] = nil }
    let start = when.start == nil ? takeUnread("t", [Field.Todo.start], base) : nil
    return [due, start].compactMap(\.self)
  }

  private mutating func takeUnread(
    _ key: String, _ fields: [Field], _ base: FieldDigests
  ) -> Unread? {
    guard fields.contains(where: base.fields.contains) else { return nil }
    if let value = others.removeValue(forKey: key) { return (key, value, fields) }
    func isWritten(_ title: String) -> Bool {
      base.isSame(Field.Todo.title, .value(.text(title)), in: .todo)
    }
    // The word may be a part of the title, and the date may have been removed.
    if isWritten(title) { return nil }
    var words = title.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let place = words.lastIndex(where: { $0.hasPrefix(key + ":") }) else { return nil }
    let value = String(words.remove(at: place).dropFirst(key.count + 1))
    let rest = words.joined(separator: " ").trimmed
    guard !rest.isEmpty, isWritten(rest) || value.first?.isNumber ?? false else { return nil }
    title = rest
    return (key, value, fields)
  }

  /// How the to-do repeats, in the notation that several programs share.
  var rule: String? { others[Self.repeatKey] }

  /// Returns the content of the line, without a uid.
  func record(_ settings: ForeignSettings, at place: ForeignPlace) -> ForeignRecord {
    var record = ForeignRecord(.todo, uid: "", at: place)
    record.set(Field.Todo.title, title)
    record.set(Field.Todo.done, .boolean(isClosed && !isCancelled))
    if isCancelled {
      record.set(Field.Todo.cancelled, .boolean(true))
      record.set(Field.Todo.closedOn, completed.map { .date($0) })
    } else {
      record.set(Field.Todo.completedAt, completed.flatMap(settings.start).map { .integer($0) })
    }
    record.time = created.flatMap(settings.start)
    if let due = when.due { record.setDue(due, minute: when.dueTime?.minute, zone: when.zone) }
    record.set(Field.Todo.start, when.start.map { .date($0) })
    record.set(Field.Todo.remind, when.remind.isEmpty ? nil : .texts(when.remind))
    if let parent = identity.parent { record.fields[Field.Todo.parent] = .record(uid: parent) }
    if let priority {
      record.set(Field.Todo.priority, .integer(Self.meaning(of: priority).rawValue))
      if Self.letter(for: Self.meaning(of: priority)) != priority {
        record.extra["priority"] = priority
      }
    }
    if let list { record.fields[Field.Todo.list] = .list(named: list) }
    let tags = contexts + projects.dropFirst().map { "+" + $0 }
    record.set(.tags, tags.isEmpty ? nil : .texts(tags))
    record.extra.merge(others) { _, other in other }
    return record
  }

  /// The name of the list, which is the exact name if it still matches the project.
  private var list: String? {
    guard let project = projects.first else { return nil }
    guard let listName, TodoTxtName.word(listName) == project else { return project }
    return listName
  }

  static func meaning(of letter: String) -> Priority {
    switch letter {
    case "A": .high
    case "B": .normal
    default: .low
    }
  }

  static func letter(for priority: Priority) -> String {
    switch priority {
    case .high: "A"
    case .normal: "B"
    case .low: "C"
    }
  }
}
