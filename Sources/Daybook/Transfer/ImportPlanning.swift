import Bytes
import Domain
import Interchange
import Platform

/// An import in progress: the records as they will be, and the commands to write.
///
/// Each decision is made on records that already contain the earlier decisions, which might not be written yet. Events
/// are numbered in advance, as the journal will number them. No decision depends on the bytes of the events, so their
/// hashes are placeholders.
struct ImportPlanning {
  /// A decided run, and the key that the first event of its first command will have.
  struct Batch {
    var commands: [DecidedCommand]
    var run: Run
    var first: EventKey
  }

  private(set) var records: Records
  var posting: Posting
  /// The index of the next record in the source.
  var next: Int
  var batches: [Batch] = []

  private let number: UInt32
  /// The sequence of the last event before the import.
  private let start: UInt64
  private var planner: OperationPlanner
  /// Finds the final state of each record in the source; nil if the source is not a history or the uids are not kept.
  private let ends: (() -> OperationEnds)?
  /// For each record that the book had before the import and that the import has reached so far, whether the book
  /// already had its final state.
  private var reached: [OperationEnds.Name: Bool] = [:]
  private var sequence: UInt64
  private var commands: [DecidedCommand] = []
  private var events = 0
  private var bytes = 0

  /// Plans an import into the log with the number `own`, after its event `end`, starting with the record `next` of the
  /// source.
  init(
    _ fold: Fold, own: UInt32, end: UInt64, options: ImportOptions, importer: UInt64, next: Int,
    ends: (() -> OperationEnds)?, unread: (UniqueID) -> [ClosedRange<UInt64>]
  ) {
    records = fold.records
    // An operation can name any record by its id.
    records.indexIDs()
    posting = fold.posting
    number = own
    (start, sequence) = (end, end)
    planner = OperationPlanner(keepsUIDs: options.keepsUIDs, importer: importer)
    (self.next, self.ends) = (next, options.keepsUIDs ? ends : nil)
    noteSeen(by: EventKey(log: own, sequence: end + 1), unread)
  }

  /// Notes that the first event of the import, and therefore every later one, has seen all events that are folded now.
  ///
  /// Otherwise, deletes would not apply here to the latest writes of other devices, and later decisions would be wrong.
  private mutating func noteSeen(
    by first: EventKey, _ unread: (UniqueID) -> [ClosedRange<UInt64>]
  ) {
    for (log, last) in posting.ledger.folded {
      guard let other = posting.causality.number(of: log), other != first.log else { continue }
      records.causality.note(first, saw: other, upTo: last, except: unread(log))
    }
  }

  // The limits are meant to fit a batch into one frame. The last record and the marks of the run can exceed them. The
  // batch then takes several frames, which the journal writes as one file.
  private static let batchBytes = 232 << 10
  private static let batchEvents = 16_384

  var isBatchFull: Bool { bytes >= Self.batchBytes || events >= Self.batchEvents }

  /// Decides an operation.
  ///
  /// - Returns: The effect of the operation on its record, or nil if it changes nothing. For example, an add of a
  ///   record that the book already has is an edit.
  mutating func take(
    _ operation: Operation, now: Int64
  ) throws(OperationFault) -> Operation.Verb? {
    if endsAsItIs(operation) { return nil }
    var drafts = try planner.plan(operation, on: records)
    guard let verb = drafts.first.map({ Operation.Verb($0.body.verb) }) else { return nil }
    if operation.verb == .add, verb != .add { try refuseReplacing(operation) }
    let when = date(drafts, of: operation, now: now)
    if when != operation.time { drafts = drafts.map { $0.completed(at: operation.time) } }
    // The mark at the beginning of a run has the sequence before its first command.
    if commands.isEmpty { sequence += 1 }
    let first = sequence + 1
    for (place, draft) in drafts.enumerated() {
      let key = EventKey(log: number, sequence: first + UInt64(place))
      let body = draft.resolved { EventKey(log: number, sequence: first + UInt64($0)) }
      records.absorb(
        Fact(
          key: key, time: now, when: when, hash: UniqueID(high: 0, low: key.sequence),
          body: body))
      bytes += body.encode { _ in 0 }.count + 8
    }
    if operation.verb == .add, drafts[0].body.verb == .add {
      planner.noteAdded(operation, as: EventKey(log: number, sequence: first))
    }
    sequence += UInt64(drafts.count)
    events += drafts.count
    commands.append(DecidedCommand(drafts, when: when))
    return verb
  }

  private func date(_ drafts: [Draft], of operation: Operation, now: Int64) -> Int64? {
    let bringing = OperationPlanner.Bringing(now: now) { [number, start] key in
      key.log == number && key.sequence > start
    }
    return planner.date(drafts, at: operation.time, on: records, bringing)
  }

  /// Whether the book already has the final state of the operation's record; if so, none of its operations is carried
  /// out.
  private mutating func endsAsItIs(_ operation: Operation) -> Bool {
    guard let ends else { return false }
    let name = OperationEnds.Name(operation)
    if let isReached = reached[name] { return isReached }
    guard operation.verb == .add,
      let key = planner.entity(operation.kind, operation.id, in: records),
      key.log != number || key.sequence <= start
    else { return false }
    let isReached = ends().areReached(name, in: records, planner)
    reached[name] = isReached
    return isReached
  }

  /// Refuses an add that would overwrite a record that the same import added.
  ///
  /// An add is accepted if an earlier import added the record, because the add is then a later state of the record. An
  /// add that only fills empty fields is also accepted, because it completes the record.
  private func refuseReplacing(_ operation: Operation) throws(OperationFault) {
    guard let key = planner.entity(operation.kind, operation.id, in: records),
      key.log == number, key.sequence > start,
      let document = records.document(of: key), document.isAlive
    else { return }
    for assignment in operation.assignments {
      guard case .value(let value) = assignment.content,
        let field = Schema.field(assignment.field, of: operation.kind)
      else { continue }
      let shown = document.value(assignment.field)
      if shown != .null, !field.meaning(of: shown).isIdentical(to: field.meaning(of: value)) {
        throw .addedBefore(operation.kind, operation.id, field: field.name)
      }
    }
  }

  /// Ends the batch that began at the record `place`, if the batch has commands.
  mutating func endBatch(from place: Int, of source: Digest) {
    defer { (commands, events, bytes) = ([], 0, 0) }
    guard !commands.isEmpty else { return }
    let count = commands.reduce(0) { $0 + UInt64($1.drafts.count) }
    let first = EventKey(log: number, sequence: sequence - count + 1)
    sequence += 1
    batches.append(
      Batch(
        commands: commands, run: Run(source: source, done: UInt64(place)..<UInt64(next)),
        first: first))
  }
}
