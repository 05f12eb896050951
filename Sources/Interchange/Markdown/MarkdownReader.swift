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
    reader.series.finish(&reader.file)
    return reader.file
  }

  private var file = ForeignFile(.markdown)
  private let settings: ForeignSettings
  private var names = ContentNames()
  private var list: String?
  private var fence: String?
  /// Whether there is a to-do under the current heading.
  private var hasTodo = true
  /// The list items that can contain the next line: their indentations, and the uid of the innermost to-do of each.
  private var above: [(indent: Int, uid: String?)] = []

  private var series: SeriesEntries<MarkdownRepeat>

  private init(_ settings: ForeignSettings) {
    self.settings = settings
    series = SeriesEntries(settings)
  }

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
    case .point(let indent):
      leaveItems(beside: indent)
      above.append((indent, above.last?.uid))
      file.passOver(.otherLine)
    case .heading(let name):
      endHeading()
      (list, hasTodo, above) = (name, false, [])
    case .fence(let start):
      fence = start
      file.passOver(.otherLine)
    case .blank: return
    case .other(let indent):
      if indent == 0 { above = [] }
      file.passOver(.otherLine)
    }
  }

  /// Counts the current heading as passed over if it has no to-dos, because most headings do not name lists.
  private mutating func endHeading() {
    if !hasTodo { file.passOver(.headingWithoutTodo) }
    hasTodo = true
  }

  /// Closes the items that cannot contain an item with the given indentation; an item contains items that are indented
  /// by at least two more columns.
  private mutating func leaveItems(beside indent: Int) {
    while let last = above.last, indent < last.indent + 2 { above.removeLast() }
  }

  private mutating func take(_ item: MarkdownItem, at place: ForeignPlace) {
    hasTodo = true
    leaveItems(beside: item.indent)
    let parent = above.last?.uid
    guard !item.title.isEmpty else {
      above.append((item.indent, parent))
      return file.skip(place, .missing("title"))
    }
    var item = item
    let unread = item.takeUnreadSigns()
    var record = item.record(on: list, under: parent, settings, at: place)
    for (sign, value) in unread {
      record.unread.formUnion(sign.fields)
      file.remark(place, .unread(field: sign.text, value))
    }
    if let comment = item.comment, comment.id.utf8.count <= Operation.Limit.idBytes {
      record.uid = comment.id
      if let mark = comment.base { record.takeMark(mark) }
    } else {
      record.uid = names.name([list, item.title])
    }
    if record.parentUID == record.uid { record.fields[Field.Todo.parent] = nil }
    let repeats = series.take(
      item.comment?.series ?? SeriesWords(), item.values[.repeat], of: &record,
      at: file.records.count)
    for note in item.notes(repeats: repeats) { file.remark(place, note) }
    above.append((item.indent, record.uid))
    file.records.append(record)
  }
}

extension MarkdownItem {
  /// Takes out the signs that had a value when daybook wrote the item, and have a value now that cannot be read.
  fileprivate mutating func takeUnreadSigns() -> [(sign: MarkdownSign, value: String)] {
    guard let base = comment?.base.flatMap({ FieldDigests(String($0.prefix { $0 != "@" })) }) else {
      return []
    }
    var unread: [(MarkdownSign, String)] = []
    // The sign may be a part of the title.
    while !base.isSame(Field.Todo.title, .value(.text(title)), in: .todo),
      let (sign, value, before) = MarkdownText.unreadSign(endingIn: title), values[sign] == nil
    {
      let isWritten = base.isSame(Field.Todo.title, .value(.text(before.title)), in: .todo)
      let isOfField = sign.fields.contains(where: base.fields.contains)
      guard isWritten || (isOfField && (value.first?.isNumber ?? false || sign == .repeat)) else {
        break
      }
      title = before.title
      values.merge(before.values) { own, _ in own }
      tags = before.tags + tags
      unread.append((sign, value))
    }
    return unread
  }

  /// Returns the content of the item, without a uid.
  func record(
    on list: String?, under parent: String?, _ settings: ForeignSettings, at place: ForeignPlace
  ) -> ForeignRecord {
    var record = ForeignRecord(.todo, uid: "", at: place)
    record.set(Field.Todo.title, title)
    if let list { record.fields[Field.Todo.list] = .list(named: list) }
    setState(of: &record, settings)
    setDays(of: &record, settings)
    if let sign = values[.priority] {
      let priority = MarkdownSign.priority(of: sign)
      record.set(Field.Todo.priority, .integer(priority.rawValue))
      if MarkdownSign.sign(for: priority) != sign {
        record.extra[MarkdownSign.priority.rawValue] = sign
      }
    }
    let all = tags + own(.tags)
    record.set(.tags, all.isEmpty ? nil : .texts(all))
    let leads = own(.remind)
    record.set(Field.Todo.remind, leads.isEmpty ? nil : .texts(leads))
    if let parent = parent ?? own(.parent).first {
      record.fields[Field.Todo.parent] = .record(uid: parent)
    }
    for sign in MarkdownSign.kept { record.extra[sign.rawValue] = values[sign] }
    record.extra[Self.anchorName] = anchor
    return record
  }

  private func own(_ key: MarkdownComment.Key) -> [String] {
    comment?.values[key].map(EncodedWord.items) ?? []
  }

  private func day(_ sign: MarkdownSign) -> CivilDate? { values[sign].flatMap(MarkdownSign.day) }

  private func setState(of record: inout ForeignRecord, _ settings: ForeignSettings) {
    record.set(Field.Todo.done, .boolean(state == .done))
    if state == .cancelled {
      record.set(Field.Todo.cancelled, .boolean(true))
      record.set(Field.Todo.closedOn, day(.cancelled).map { .date($0) })
    } else {
      record.extra[MarkdownSign.cancelled.rawValue] = values[.cancelled]
    }
    if state == .done {
      let completed = day(.done).flatMap(settings.start)
      record.set(Field.Todo.completedAt, completed.map { .integer($0) })
    } else {
      record.extra[MarkdownSign.done.rawValue] = values[.done]
    }
    if state == .begun { record.extra[Self.stateName] = String(state.rawValue) }
  }

  private func setDays(of record: inout ForeignRecord, _ settings: ForeignSettings) {
    record.time = day(.created).flatMap(settings.start)
    record.set(Field.Todo.start, day(.start).map { .date($0) })
    guard let due = day(.due) else { return }
    let time = comment?.values[.time].flatMap { TimeOfDay(text: $0) }
    record.setDue(due, minute: time?.minute, zone: own(.zone).first)
  }

  /// The names of the kept properties that have no sign.
  static let (stateName, anchorName) = ("state", "anchor")

  /// Returns notes about the properties that are kept without effect.
  fileprivate func notes(repeats: Bool) -> [ForeignNote] {
    let signs = MarkdownSign.kept.filter { $0 != .id && !($0 == .repeat && repeats) }
    return signs.compactMap { sign in values[sign].map { .notActedOn("\(sign.text): \($0)") } }
      + [unreadableDay].compactMap { $0.map { .keptAsWritten(field: "a date", $0) } }
  }
}

extension MarkdownSign {
  /// The signs that no field represents, and the sign of a rule, whose words may differ from those of a book.
  static let kept: [MarkdownSign] = [.id, .dependsOn, .repeat, .onCompletion, .scheduled]
}
