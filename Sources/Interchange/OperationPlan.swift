internal import Bytes
package import Domain

/// Plans the events that apply operations to the records of a book.
///
/// A planner finds records by the source ids of their adds, including adds by other devices, and otherwise by their ids
/// in the book, so that an export can be imported again. A planner that keeps no uids finds only the records that were
/// passed to ``noteAdded(_:as:)``.
package struct OperationPlanner: Sendable {
  private struct Name: Hashable {
    let kind: Kind
    let uid: Source.UID
  }

  package let keepsUIDs: Bool
  /// The namespace of the ids.
  package let importer: UInt64
  private var added: [Name: EventKey] = [:]

  package init(keepsUIDs: Bool, importer: UInt64 = 0) {
    self.keepsUIDs = keepsUIDs
    self.importer = importer
  }

  /// Remembers which entity an operation added.
  ///
  /// Call this after the drafts of the operation have been written, if the first draft is an add.
  package mutating func noteAdded(_ operation: Operation, as key: EventKey) {
    guard !keepsUIDs else { return }
    added[Name(kind: operation.kind, uid: Source.UID(operation.id))] = key
  }

  /// Returns the events that apply an operation, as one command.
  ///
  /// Each event must have the *when* that ``date(_:at:on:_:)`` returns.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - records: The records of the book.
  /// - Returns: The events; empty if nothing would change.
  /// - Throws: ``OperationFault`` if the operation cannot be applied.
  package func plan(
    _ operation: Operation, on records: Records
  ) throws(OperationFault) -> [Draft] {
    guard let command = try command(for: operation, on: records) else { return [] }
    do throws(Refusal) {
      // No operation results in a command that makes a random draw.
      return operation.annotating(try decide(command, on: records, dice: { 0 }))
    } catch {
      if case .edit(let key, _) = command, records.document(of: key)?.isAlive == false {
        throw .dead(operation.kind, operation.id)
      }
      throw .refused(error)
    }
  }

  /// Returns the entity with the given id, which another device may have added.
  package func entity(_ kind: Kind, _ id: String, in records: Records) -> EventKey? {
    let source = Source(importer: importer, uidText: id)
    guard keepsUIDs else {
      return added[Name(kind: kind, uid: source.uid)].flatMap(records.shownMember)
    }
    if let key = records.entity(withSource: source, kind: kind) { return key }
    guard case .bytes(let identity) = source.uid, let key = records.entity(withID: identity),
      records.entity(of: key)?.kind == kind
    else { return nil }
    return records.shownMember(of: key)
  }
}

extension OperationPlanner {
  /// Returns the command for an operation; nil if there is nothing to do.
  private func command(
    for operation: Operation, on records: Records
  ) throws(OperationFault) -> Command? {
    let known = entity(operation.kind, operation.id, in: records)
    let fields = droppingStrayDue(
      try fields(of: operation, on: records), of: operation.kind,
      before: operation.verb == .edit ? known.flatMap { records.document(of: $0) } : nil)
    if let known, operation.verb == .edit, !operation.writesFixedField {
      try refuseUnshownClosing(by: operation, of: known, on: records)
      // Most operations are such edits, so the document is not looked up. The decision checks that the record is alive.
      return .edit(known, fields)
    }
    guard let key = known, let document = records.document(of: key) else {
      guard operation.verb == .add else { throw .unknownID(operation.kind, operation.id) }
      return .add(
        operation.kind, fields,
        source: keepsUIDs ? Source(importer: importer, uidText: operation.id) : nil)
    }
    switch operation.verb {
    case .add where document.isAlive:
      // A field is not written again if it shows the same value, because that would resolve a conflict.
      let changing = try changing(fields, of: document)
      return .edit(key, changing.filter { document.value($0.key) != $0.value })
    case .add:
      return .revive(key, try changing(fields, of: document))
    case .edit:
      guard document.isAlive else { throw .dead(operation.kind, operation.id) }
      return .edit(key, try changing(fields, of: document))
    case .delete: return document.isAlive ? .delete([key]) : nil
    case .restore: return .restore(key)
    }
  }

  /// Refuses to close a repeating to-do if none of its dates would be shown as closed.
  ///
  /// The state of the series itself stands for its first date, unless there is an occurrence for that date. A line
  /// cannot mean the current date, because repeating the import would then close the next date. A line with a time is
  /// from the history of a book, which is reproduced as it was.
  private func refuseUnshownClosing(
    by operation: Operation, of key: EventKey, on records: Records
  ) throws(OperationFault) {
    guard importer == 0, operation.kind == .todo, operation.time == nil, operation.closes,
      let recurrence = records.recurrence(of: key), !recurrence.isOfSubtask
    else { return }
    let state = recurrence.state
    let isStored = state.stored.contains { $0.slot == state.series.anchor && !$0.keys.isEmpty }
    if isStored { throw .closesNoDate(operation.id) }
  }

  /// Returns the fields, with source ids replaced by entities.
  private func fields(
    of operation: Operation, on records: Records
  ) throws(OperationFault) -> [Field: Value] {
    var fields: [Field: Value] = [:]
    for assignment in operation.assignments {
      switch assignment.content {
      case .value(let value): fields[assignment.field] = value
      case .source(let id):
        let schema = Schema.field(assignment.field, of: operation.kind)
        guard let schema, case .reference(let kind) = schema.type else {
          throw .refused(.unknownField(operation.kind, assignment.field))
        }
        guard let key = entity(kind, id, in: records) else {
          throw .unknownReference(operation.kind, schema.name, id: id)
        }
        fields[assignment.field] = .reference(key)
      }
    }
    return fields
  }

  /// Returns the fields that an edit can write; fields that only an add can write must be unchanged.
  private func changing(
    _ fields: [Field: Value], of document: Document
  ) throws(OperationFault) -> [Field: Value] {
    var changing: [Field: Value] = [:]
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard Schema.field(field, of: document.kind)?.isFixed == true else {
        changing[field] = value
        continue
      }
      guard document.value(field) == value else { throw .refused(.fixed(document.kind, field)) }
    }
    return changing
  }
}

extension Operation {
  /// Whether the operation marks a to-do as done or cancelled.
  fileprivate var closes: Bool {
    assignments.contains { assignment in
      guard case .value(.boolean(true)) = assignment.content else { return false }
      return [Field.Todo.done, Field.Todo.cancelled].contains(assignment.field)
    }
  }

  fileprivate var writesFixedField: Bool {
    assignments.contains { Schema.field($0.field, of: kind)?.isFixed == true }
  }

  /// Returns the drafts; the first contains the reason and the remarks.
  fileprivate func annotating(_ drafts: [Draft]) -> [Draft] {
    guard !drafts.isEmpty else { return [] }
    var notes: [Write] = []
    if let because { notes.append(Write(.because, .text(because))) }
    if !provenance.isEmpty {
      notes.append(Write(.provenance, .map(provenance.map { ($0.name, $0.text) })))
    }
    var drafts = drafts
    drafts[0].body.writes.insert(contentsOf: notes, at: 0)
    return drafts
  }
}
