package import Bytes
internal import Domain

// MARK: - Reading

extension Operation {
  /// Parses a line of an operation log.
  ///
  /// - Parameter line: The line, with or without its line break.
  /// - Throws: ``OperationFault`` if the line is not a valid operation.
  package init(line: [UInt8]) throws(OperationFault) {
    try self.init(line: line.span)
  }

  /// Parses a line of an operation log.
  ///
  /// - Parameter line: The line, with or without its line break.
  /// - Throws: ``OperationFault`` if the line is not a valid operation.
  package init(line: Span<UInt8>) throws(OperationFault) {
    guard line.count <= Limit.lineBytes else { throw .tooLong(maximumBytes: Limit.lineBytes) }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: line)
    } catch {
      throw .notJSON(error)
    }
    guard let members = json.members else { throw .notAnObject }
    let verbName = try Self.text("op", in: json)
    guard let verb = Verb(rawValue: verbName) else { throw .unknownOperation(verbName) }
    let kindName = try Self.text("kind", in: json)
    guard let schema = Schema.schema(named: kindName) else { throw .unknownKind(kindName) }
    var reading = OperationReading(
      schema, Operation(verb, schema.kind, id: try Self.text("id", in: json)))
    for member in members { try reading.take(member) }
    self = try reading.finish()
  }

  /// Returns the text of a key that every line must have.
  private static func text(_ key: String, in json: JSON) throws(OperationFault) -> String {
    guard let value = json[key], value != .null else { throw .missing(key) }
    guard let text = value.string, !text.isEmpty, text.utf8.count <= Limit.idBytes else {
      throw .badKey(key)
    }
    return text
  }
}

/// Sorts the keys of a line into fields and provenance.
private struct OperationReading {
  private let schema: KindSchema
  private var operation: Operation
  private var hasSet = false
  private var provenanceBytes = 0

  init(_ schema: KindSchema, _ operation: Operation) {
    self.schema = schema
    self.operation = operation
  }

  /// Whether keys can name fields; in a delete or restore, such keys are provenance.
  private var takesFields: Bool { operation.verb == .add || operation.verb == .edit }

  mutating func take(_ member: JSON.Member) throws(OperationFault) {
    switch member.name {
    case "op", "kind", "id": return
    // This value has a meaning only in the log of the source.
    case "replica": return
    case "t": operation.time = try time(member.value)
    case "because": operation.because = try reason(member.value)
    case "set": try takeSet(member.value)
    default:
      if takesFields, let field = schema.field(ofKey: member.name) {
        try assign(field, member)
      } else {
        try remark(member)
      }
    }
  }

  func finish() throws(OperationFault) -> Operation {
    if operation.verb == .edit, !hasSet, operation.assignments.isEmpty { throw .missing("set") }
    return operation
  }

  private mutating func takeSet(_ json: JSON) throws(OperationFault) {
    guard takesFields, let members = json.members else { throw .badKey("set") }
    hasSet = true
    for member in members {
      guard let field = schema.field(ofKey: member.name) else {
        throw .unknownField(schema.kind, member.name)
      }
      try assign(field, member)
    }
  }

  private mutating func assign(
    _ field: FieldSchema, _ member: JSON.Member
  ) throws(OperationFault) {
    guard !operation.assignments.contains(where: { $0.field == field.field }) else {
      throw .repeated(member.name)
    }
    do throws(OperationFault.Reason) {
      let content = try field.content(of: member.value)
      operation.assignments.append(Operation.Assignment(field.field, content))
    } catch {
      throw .badValue(schema.kind, member.name, error)
    }
  }

  private mutating func remark(_ member: JSON.Member) throws(OperationFault) {
    guard member.value != .null else { return }
    let text = member.value.string ?? member.value.text()
    provenanceBytes += member.name.utf8.count + text.utf8.count
    guard provenanceBytes <= Operation.Limit.provenanceBytes else {
      throw .provenanceTooLong(maximumBytes: Operation.Limit.provenanceBytes)
    }
    operation.provenance.append(Operation.Remark(member.name, text))
  }

  private func time(_ json: JSON) throws(OperationFault) -> Int64? {
    guard json != .null else { return nil }
    guard let time = json.integer ?? json.string.flatMap(Instant.parse),
      Operation.Limit.time.contains(time)
    else { throw .badTime }
    return time
  }

  private func reason(_ json: JSON) throws(OperationFault) -> String? {
    guard json != .null else { return nil }
    guard let text = json.string?.trimmed, text.utf8.count <= Schema.Limit.noteBytes else {
      throw .badKey("because")
    }
    return text.isEmpty ? nil : text
  }
}

// MARK: - Writing

extension Operation {
  /// The operation as a line without a line break; parsing it yields the same operation.
  package var line: String { json.text() }

  /// The operation as a JSON object: an add contains its fields next to the other keys, and an edit has them in `set`.
  package var json: JSON {
    var members: [JSON.Member] = []
    if let time { members.append(JSON.Member("t", .integer(time))) }
    members.append(JSON.Member("op", .string(verb.rawValue)))
    members.append(JSON.Member("kind", .string(schema?.name ?? "")))
    members.append(JSON.Member("id", .string(id)))
    let fields = assignments.compactMap(member)
    switch verb {
    case .add: members += fields
    case .edit: members.append(JSON.Member("set", .object(fields)))
    case .delete, .restore: break
    }
    if let because { members.append(JSON.Member("because", .string(because))) }
    for remark in provenance where !isTaken(remark.name) {
      members.append(JSON.Member(remark.name, .string(remark.text)))
    }
    return .object(members)
  }

  private var schema: KindSchema? { Schema.schema(of: kind) }

  private func member(of assignment: Assignment) -> JSON.Member? {
    guard let field = schema?.field(assignment.field) else { return nil }
    switch assignment.content {
    case .source(let id): return JSON.Member(field.name, .string(id))
    case .value(let value): return field.json(of: value).map { JSON.Member(field.name, $0) }
    }
  }

  /// Returns whether a key has a fixed meaning; if so, it cannot be used for a remark.
  ///
  /// Only events from other importers can have remarks with such names.
  private func isTaken(_ name: String) -> Bool {
    if ["t", "op", "kind", "id", "replica", "because", "set"].contains(name) { return true }
    return (verb == .add || verb == .edit) && schema?.field(ofKey: name) != nil
  }
}
