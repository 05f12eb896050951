internal import Bytes
internal import Domain

/// Reads `Tasks.json`, in which Google Takeout writes all lists of Google Tasks with their tasks.
///
/// Source: the resources Tasklists and Tasks of the Google Tasks API, whose format the file follows.
struct GoogleTasksReader {
  static func read(
    _ bytes: [UInt8], _ settings: ForeignSettings
  ) throws(ForeignFault) -> ForeignFile {
    let json: JSON
    do throws(JSONError) { json = try JSON(parsing: bytes) } catch { throw error.fault }
    guard let kind = json["kind"]?.string else { throw .notOfFormat(.googleTasks) }
    // The file omits empty arrays.
    guard let items = (json["items"] ?? .array([])).array else {
      throw .broken("its items are not an array")
    }
    var reader = GoogleTasksReader(settings)
    switch kind {
    case "tasks#taskLists":
      for (place, list) in items.enumerated() { reader.takeList(list, at: "items[\(place)]") }
    case "tasks#tasks": reader.takeList(json, at: "")
    default: throw .notOfFormat(.googleTasks)
    }
    return reader.file
  }

  private var file = ForeignFile(.googleTasks)
  private let settings: ForeignSettings
  private var ids: Set<String> = []

  private init(_ settings: ForeignSettings) { self.settings = settings }

  private mutating func takeList(_ list: JSON, at path: String) {
    let name = list["title"]?.string.map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    let items = list["items"]?.array ?? []
    if items.isEmpty, let name {
      // If the list does not exist yet, it is added with its first task, so only a list without tasks needs a record.
      var record = ForeignRecord(.list, uid: "list:" + name, at: .path(path))
      record.set(Field.List.name, name)
      return file.records.append(record)
    }
    for (place, item) in items.enumerated() {
      // One record beyond the limit shows that there are too many.
      guard file.records.count <= settings.limits.records else { return }
      take(item, of: name, at: .path(path.isEmpty ? "items[\(place)]" : "\(path).items[\(place)]"))
    }
  }

  private mutating func take(_ item: JSON, of list: String?, at place: ForeignPlace) {
    guard let task = item.members.map(GoogleTask.init) else {
      return file.skip(place, .broken("it is not a JSON object"))
    }
    guard task.members.count <= settings.limits.properties else {
      return file.skip(place, .tooManyParts("properties", limit: settings.limits.properties))
    }
    if task.isDeleted, !settings.takesDeleted { return file.passOver(.deletedTask) }
    // The program shows a blank task as an empty row without a title.
    if task.isBlank { return file.passOver(.emptyRow) }
    do throws(ForeignFault) {
      var record = try record(task, at: place)
      if let list { record.fields[Field.Todo.list] = .list(named: list) }
      guard ids.insert(record.uid).inserted else {
        throw .broken("an earlier task has the same id")
      }
      keepOthers(of: task, in: &record)
      file.records.append(record)
    } catch {
      file.skip(place, error)
    }
  }

  private func record(
    _ task: GoogleTask, at place: ForeignPlace
  ) throws(ForeignFault) -> ForeignRecord {
    guard let id = try task.text("id") else { throw .missing("id") }
    guard let title = try task.text("title") else { throw .missing("title") }
    var record = ForeignRecord(.todo, uid: id, at: place)
    record.set(Field.Todo.title, title)
    record.set(.note, try task.text("notes"))
    if task.isDeleted { record.standing = .deleted }
    record.set(Field.Todo.done, .boolean(try task.isDone()))
    let completed = try task.moment("completed")?.instant(settings)
    record.set(Field.Todo.completedAt, completed.map { .integer($0) })
    record.time = try task.moment("created")?.instant(settings)
    record.set(Field.Todo.createdAt, record.time.map { .integer($0) })
    if let parent = try task.text("parent"), parent != id {
      record.fields[Field.Todo.parent] = .record(uid: parent)
    }
    // The value contains only a day, given as midnight in UTC.
    record.set(Field.Todo.due, try task.moment("due").map { .date($0.date) })
    return record
  }

  /// Keeps the properties that no field represents, as JSON.
  private mutating func keepOthers(of task: GoogleTask, in record: inout ForeignRecord) {
    for member in task.members where !GoogleTask.ownNames.contains(member.name) {
      let text = member.value.text()
      guard text.utf8.count <= ForeignAttribute.keptBytes else {
        file.remark(record.place, .leftOut(member.name, bytes: text.utf8.count))
        continue
      }
      record.extra[member.name] = text
    }
    if let value = task["recurrence"], value != .null {
      file.remark(record.place, .notActedOn("recurrence: \(value.string ?? value.text())"))
    }
  }
}
