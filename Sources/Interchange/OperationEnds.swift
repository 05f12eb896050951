package import Domain

/// The final states of the records in a history of operations.
package struct OperationEnds {
  /// The identity of a record.
  package struct Name: Hashable, Sendable {
    fileprivate let kind: Kind
    fileprivate let id: String

    package init(_ operation: Operation) { (kind, id) = (operation.kind, operation.id) }
  }

  fileprivate struct End {
    var fields: [Field: Operation.Content] = [:]
    var isAlive = true
  }

  private var ends: [Name: End] = [:]

  package init(_ lines: OperationLines) {
    for place in 0..<lines.count {
      guard case .operations(let operations, _)? = try? lines.step(at: place) else { continue }
      for operation in operations { ends[Name(operation), default: End()].take(operation) }
    }
  }

  /// Returns a function that computes the final states when it is first called.
  ///
  /// Few imports need these states, because few contain the history of existing records.
  package static func found(in lines: OperationLines) -> () -> OperationEnds {
    var ends: OperationEnds?
    return {
      let found = ends ?? OperationEnds(lines)
      ends = found
      return found
    }
  }

  /// Returns whether a record of a book is in the final state of its operations.
  package func areReached(_ name: Name, in records: Records, _ planner: OperationPlanner) -> Bool {
    guard let end = ends[name], let schema = Schema.schema(of: name.kind),
      let document = planner.entity(name.kind, name.id, in: records).flatMap(records.document),
      document.isAlive == end.isAlive
    else { return false }
    return end.fields.allSatisfy { field, content in
      guard let field = schema.field(field) else { return false }
      let shown = field.meaning(of: document.value(field.field))
      switch content {
      case .value(let value):
        guard let value = try? field.type.admit(value) else { return false }
        return shown.isIdentical(to: field.meaning(of: value))
      case .source(let id):
        guard case .reference(let kind) = field.type else { return false }
        return shown.reference == planner.entity(kind, id, in: records)
      }
    }
  }
}

extension OperationEnds.End {
  fileprivate mutating func take(_ operation: Operation) {
    switch operation.verb {
    case .delete: isAlive = false
    case .restore: isAlive = true
    case .add, .edit:
      // An add that brings a record back contains all of its fields.
      if operation.verb == .add, !isAlive { fields = fields.mapValues { _ in .value(.null) } }
      isAlive = isAlive || operation.verb == .add
      for assignment in operation.assignments { fields[assignment.field] = assignment.content }
    }
  }
}
