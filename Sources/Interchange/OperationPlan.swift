internal import Bytes
package import Domain

/// Works out what operations mean for the records of a book.
///
/// Records are found by the source ids that their adds carry, also those of other devices, or else by the id
/// that the book itself gave them, so that what was exported finds itself again. A planner that keeps no uids
/// knows only what it was told in this run with ``noteAdded(_:as:)``.
package struct OperationPlanner: Sendable {
  private struct Name: Hashable {
    let kind: Kind
    let uid: Source.UID
  }

  package let keepsUIDs: Bool
  /// The name space that the ids belong to.
  package let importer: UInt64
  private var added: [Name: EventKey] = [:]

  package init(keepsUIDs: Bool, importer: UInt64 = 0) {
    self.keepsUIDs = keepsUIDs
    self.importer = importer
  }

  /// Remembers what an operation added: to be told after its drafts were written, if the first is an add.
  package mutating func noteAdded(_ operation: Operation, as key: EventKey) {
    guard !keepsUIDs else { return }
    added[Name(kind: operation.kind, uid: Source.UID(operation.id))] = key
  }

  /// The events that carry out an operation, one command; none when nothing would differ.
  ///
  /// Each is to carry what ``date(_:at:on:_:)`` tells as its *when*.
  package func plan(
    _ operation: Operation, on records: Records
  ) throws(OperationFault) -> [Draft] {
    guard let command = try command(for: operation, on: records) else { return [] }
    do throws(Refusal) {
      // No command that comes of an operation throws dice.
      return operation.annotating(try decide(command, on: records, dice: { 0 }))
    } catch {
      if case .edit(let key, _) = command, records.document(of: key)?.isAlive == false {
        throw .dead(operation.kind, operation.id)
      }
      throw .refused(error)
    }
  }

  /// The entity that an id names; one that another device added, if it came by sync.
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
  /// What is to be done, if anything.
  private func command(
    for operation: Operation, on records: Records
  ) throws(OperationFault) -> Command? {
    let fields = try fields(of: operation, on: records)
    let known = entity(operation.kind, operation.id, in: records)
    if let known, operation.verb == .edit, !operation.writesFixedField {
      // The decision looks whether it is alive; most operations are such edits.
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
      // To say what is shown already is to take no side where several values stand.
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

  /// The fields with the entities that source ids name.
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

  /// The fields without those that only an add writes, which must be as they are.
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
  fileprivate var writesFixedField: Bool {
    assignments.contains { Schema.field($0.field, of: kind)?.isFixed == true }
  }

  /// The drafts, the first of them with what the source said beyond the fields.
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
