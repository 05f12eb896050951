package import Bytes
import Daybook
package import Domain
import Platform

extension Snapshot {
  /// Returns a record as JSON: its id, uid, fields by name, and conflicts.
  ///
  /// A to-do has the values that users see; see ``ShownTodo``.
  package func json(_ document: Document) throws -> JSON {
    let todo = document.kind == .todo ? try ShownTodo(document, in: model) : nil
    var members = [
      JSON.Member("id", .string(document.id.uuid)),
      JSON.Member("uid", document.source.map { .string($0.uid.text) } ?? .null),
    ]
    for field in Schema.schema(of: document.kind)?.fields ?? [] {
      guard let todo else {
        let value = document.meaning(of: field)
        members.append(JSON.Member(field.name, try json(value, field.type)))
        continue
      }
      members += try self.members(of: todo, field)
    }
    if let todo { members.append(JSON.Member("hidden", .boolean(todo.isHidden(on: day)))) }
    members.append(JSON.Member("conflicts", try conflictsJSON(of: document)))
    return .object(members)
  }

  /// Returns the members for a field of a to-do, including members computed from the field.
  private func members(of todo: ShownTodo, _ field: FieldSchema) throws -> [JSON.Member] {
    let value = JSON.Member(field.name, try json(todo.value(of: field), field.type))
    switch field.field {
    case Field.Todo.list:
      let name = try todo.value(of: field).reference.flatMap(title)
      return [value, JSON.Member("listName", .words(name))]
    case Field.Todo.zone: return [value, JSON.Member("dueAt", dueAt(todo))]
    case Field.Todo.repeat: return [JSON.Member(field.name, todo.ruleJSON)]
    // It is a part of the rule.
    case Field.Todo.until: return []
    case Field.Todo.slot: return [value, JSON.Member("firstDue", todo.firstDueJSON)]
    default: return [value]
    }
  }

  /// The instant at which a to-do with a due time is due.
  private func dueAt(_ todo: ShownTodo) -> JSON {
    let due = todo.localDue(by: LocalDues(book.machine.timekeeper))
    return .instant(due?.moment?.milliseconds)
  }

  /// Returns a record as JSON with its kind, for output that contains records of several kinds.
  package func jsonWithKind(_ document: Document) throws -> JSON {
    guard case .object(let members) = try json(document) else { return .null }
    return .object([JSON.Member("kind", .string(document.kind.name))] + members)
  }

  package func json(_ value: Value, _ type: FieldType) throws -> JSON {
    switch (type, value) {
    case (_, .null): return .null
    case (.date, _): return value.date.map { .string($0.iso) } ?? .null
    case (.instant, .integer(let time)): return .string(Instant.text(time))
    case (.colour, .integer(let colour)): return .string(colour.colourWords)
    case (.priority, .integer(let number)):
      return Priority(rawValue: number).map { .string($0.words) } ?? .integer(number)
    case (.leapRule, .integer(let number)):
      return LeapRule(rawValue: number).map { .string($0.words) } ?? .integer(number)
    case (.minute, .integer(let minute)):
      return TimeOfDay(minute: minute).map { .string($0.text) } ?? .integer(minute)
    case (_, .boolean(let flag)): return .boolean(flag)
    case (_, .integer(let number)): return .integer(number)
    case (_, .text(let text)): return .string(text)
    case (_, .texts(let texts)): return .array(texts.map { .string($0) })
    case (_, .bytes(let bytes)): return .string(Hex.encode(bytes))
    case (_, .reference(let key)): return try id(of: key).map { .string($0.uuid) } ?? .null
    case (_, .other(let encoded)): return Self.map(encoded) ?? .string(Hex.encode(encoded))
    }
  }

  /// Returns the map of strings in a field such as `extra`; nil if the encoding is not such a map.
  private static func map(_ encoded: [UInt8]) -> JSON? {
    // A value that is not a map of strings is shown as its bytes.
    guard case .map(let pairs)? = try? CBORValue.decode(encoded.span) else { return nil }
    var members: [JSON.Member] = []
    for pair in pairs {
      guard case (.text(let name), .text(let text)) = (pair.key, pair.value) else { return nil }
      members.append(JSON.Member(name, .string(text)))
    }
    return .object(members)
  }

  /// Returns a value of a field, as text for users; an absent value is shown as the default of the field.
  package func words(_ value: Value, of field: FieldSchema) throws -> String {
    try words(field.meaning(of: value), field.type)
  }

  /// Returns a value, as text for users.
  package func words(_ value: Value, _ type: FieldType) throws -> String {
    switch (type, value) {
    case (_, .null): return "none"
    case (_, .reference(let key)): return try title(of: key)?.visible ?? "something unknown"
    case (.instant, .integer(let time)): return book.machine.timekeeper.localText(of: time)
    case (_, .texts(let texts)): return texts.map(\.visible).joined(separator: ", ")
    case (.tag, .boolean(false)): return "removed"
    case (.repeatRule, .text(let rule)):
      return RepeatRule(canonicalIfValid: rule)?.words(from: nil) ?? rule.visible
    case (_, .boolean(let flag)): return flag ? "yes" : "no"
    case (_, .bytes(let bytes)): return "\(bytes.count) bytes"
    default:
      let json = try json(value, type)
      return json.string?.visible ?? json.text()
    }
  }
}

extension Int64 {
  /// The colour as `#rrggbb`.
  package var colourWords: String {
    let digits = String(self, radix: 16)
    return "#" + String(repeating: "0", count: Swift.max(0, 6 - digits.count)) + digits
  }
}

extension Priority {
  package var words: String {
    switch self {
    case .low: "low"
    case .normal: "normal"
    case .high: "high"
    }
  }

  /// The mark of the priority in lists; the normal priority needs no mark.
  package var mark: String {
    switch self {
    case .low: "!"
    case .normal: ""
    case .high: "!!!"
    }
  }
}

extension LeapRule {
  /// Parses a rule in its full or short form; nil if there is no such rule.
  package init?(words: String) {
    switch words.lowercased() {
    case "february-28", "feb28", "feb-28": self = .february28
    case "march-1", "mar1", "mar-1": self = .march1
    default: return nil
    }
  }

  package var words: String {
    switch self {
    case .february28: "february-28"
    case .march1: "march-1"
    }
  }
}
