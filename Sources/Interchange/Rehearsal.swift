internal import Bytes
internal import Domain

/// Turns facts into operations and applies them to an empty book, to find where the results differ.
struct Rehearsal {
  /// The records that result from the facts so far; aliases are ignored.
  private(set) var truth: Records
  /// The records that result from the operations so far.
  private(set) var stage = Records()
  private let planner = OperationPlanner(keepsUIDs: true)
  private var names = ExportNames()
  /// The ids of the records in ``truth``, which are called true records below.
  private(set) var ids: [EventKey: String] = [:]
  /// The first true record for each record on the stage.
  private(set) var trueKeys: [EventKey: EventKey] = [:]
  private(set) var operations: [Operation] = []
  private(set) var skippedCount = 0
  private var stageSequence: UInt64 = 0

  init(_ causality: Causality) {
    truth = Records(causality: causality)
    stage.indexIDs()
  }

  mutating func reserveName(of fact: Fact) {
    guard case .kind(let kind) = fact.body.target, let source = fact.source else { return }
    names.reserve(source, kind)
  }

  mutating func take(_ fact: Fact) {
    guard fact.body.verb != .alias else {
      skippedCount += 1
      return
    }
    truth.absorb(fact)
    guard let document = truth.document(of: fact.subject),
      let schema = Schema.schema(of: document.kind)
    else {
      skippedCount += 1
      return
    }
    if ids[fact.subject] == nil {
      // Entities with the same source are one record, whichever devices added them.
      let twin = document.members.compactMap { ids[$0] }.first
      ids[fact.subject] = twin ?? names.name(document.kind, document.sources, document.id)
    }
    // If a value was written to each member of a joined record, it is exported only once.
    let isJoined = document.members.count > 1
    if fact.body.verb == .delete, isJoined, document.isAlive { return }
    guard let operation = operation(for: fact, schema) else {
      skippedCount += 1
      return
    }
    perform(operation, for: fact.subject, keepsIdle: !isJoined)
  }

  /// Returns an operation with the fields of a fact that operations can express; nil for an edit without such fields.
  private func operation(for fact: Fact, _ schema: KindSchema) -> Operation? {
    guard let id = ids[fact.subject] else { return nil }
    var operation = Operation(
      fact.verb, schema.kind, id: id, time: fact.effectiveTime,
      because: fact.value(.because)?.text,
      provenance: fact.value(.provenance)?.textPairs?.map { Operation.Remark($0.0, $0.1) } ?? [])
    guard fact.body.verb == .add || fact.body.verb == .edit else { return operation }
    for write in fact.body.writes where write.field != .tags && !write.field.isTag {
      guard let field = schema.field(write.field), fact.body.verb == .add || !field.isFixed,
        let content = field.content(of: write.value, ids: ids)
      else { continue }
      operation.assignments.append(Operation.Assignment(write.field, content))
    }
    if let tags = tags(after: fact) { operation.assignments.append(tags) }
    if fact.body.verb == .edit, operation.assignments.isEmpty { return nil }
    return operation
  }

  /// Returns all tags as they are after a fact that writes tags, because an operation cannot write single tags.
  private func tags(after fact: Fact) -> Operation.Assignment? {
    guard fact.body.writes.contains(where: { $0.field == .tags || $0.field.isTag }) else {
      return nil
    }
    let tags = truth.document(of: fact.subject)?.value(.tags) ?? .null
    if tags == .null, fact.body.verb == .add { return nil }
    return Operation.Assignment(.tags, .value(tags))
  }
}

extension Rehearsal {
  /// Writes and applies an operation on a true record, with the deletes and restores needed before and after it.
  ///
  /// An operation without effect is written only if `keepsIdle` is true.
  mutating func perform(_ operation: Operation, for key: EventKey, keepsIdle: Bool) {
    let touched = [key] + referred(by: operation)
    if operation.verb == .add || operation.verb == .edit {
      // The author of the operation had not seen the delete.
      for key in touched where stageDocument(of: key)?.isAlive == false {
        setLife(of: key, to: true, at: operation.time)
      }
    }
    if !carryOut(operation, for: key, keepsIdle: keepsIdle) { skippedCount += 1 }
    for key in touched {
      guard let isAlive = stageDocument(of: key)?.isAlive else { continue }
      let shouldLive = truth.document(of: key)?.isAlive ?? false
      if isAlive != shouldLive { setLife(of: key, to: shouldLive, at: operation.time) }
    }
  }

  /// Returns the document on the stage for a true record.
  func stageDocument(of key: EventKey) -> Document? {
    guard let kind = truth.entity(of: key)?.kind, let id = ids[key] else { return nil }
    return planner.entity(kind, id, in: stage).flatMap(stage.document)
  }

  private func referred(by operation: Operation) -> [EventKey] {
    operation.assignments.compactMap { assignment in
      guard case .source(let id) = assignment.content,
        case .reference(let kind)? = Schema.field(assignment.field, of: operation.kind)?.type,
        let key = planner.entity(kind, id, in: stage)
      else { return nil }
      return trueKeys[key]
    }
  }

  private mutating func setLife(of key: EventKey, to isAlive: Bool, at time: Int64?) {
    guard let kind = truth.entity(of: key)?.kind, let id = ids[key] else { return }
    let operation = Operation(isAlive ? .restore : .delete, kind, id: id, time: time)
    _ = carryOut(operation, for: key, keepsIdle: false)
  }

  /// Applies an operation to the stage.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - key: The true record.
  ///   - keepsIdle: Whether an operation without effect is written.
  /// - Returns: Whether the operation was accepted.
  private mutating func carryOut(
    _ operation: Operation, for key: EventKey, keepsIdle: Bool
  ) -> Bool {
    let drafts: [Draft]
    do throws(OperationFault) {
      drafts = try planner.plan(operation, on: stage)
    } catch {
      return false
    }
    if !drafts.isEmpty || keepsIdle { operations.append(operation) }
    let first = stageSequence + 1
    if drafts.first?.body.verb == .add { trueKeys[EventKey(log: 0, sequence: first)] = key }
    for draft in drafts {
      stageSequence += 1
      let body = draft.resolved { EventKey(log: 0, sequence: first + UInt64($0)) }
      stage.absorb(
        Fact(
          key: EventKey(log: 0, sequence: stageSequence), time: Int64(stageSequence),
          when: operation.time, hash: UniqueID(high: 0, low: stageSequence), body: body))
    }
    return true
  }
}

extension Fact {
  /// The entity that the fact is about.
  ///
  /// For an add, this is the added entity.
  fileprivate var subject: EventKey {
    if case .entity(let key) = body.target { key } else { key }
  }

  fileprivate var verb: Operation.Verb { Operation.Verb(body.verb) }

  fileprivate var source: Source? { value(.source).flatMap { Source($0) } }

  fileprivate func value(_ field: Field) -> Value? {
    body.writes.last { $0.field == field }?.value
  }
}
