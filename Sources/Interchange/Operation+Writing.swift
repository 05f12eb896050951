package import Bytes
internal import Domain

extension Operation {
  /// The operation as a line without a line break; parsing it gives the same operation.
  package var line: String { json.text() }

  /// The operation as a JSON object: an add has its fields next to the other keys, an edit has them in `set`.
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
