import Bytes
import Domain
import Interchange
import Platform

/// An import under way: the records as they will be, and what is to be written for it.
///
/// Decisions are made against records that already hold what was decided before, though it may not be written
/// yet; events get the names the journal is going to give them. Nothing else depends on their bytes.
struct ImportPlanning {
  /// A run that is decided, and the first event it is going to be.
  struct Batch {
    var commands: [DecidedCommand]
    var run: Run
    var first: EventKey
  }

  private(set) var records: Records
  var posting: Posting
  /// The next record of the source.
  var next: Int
  var batches: [Batch] = []

  private let number: UInt32
  /// The last event before the import.
  private let start: UInt64
  private var planner: OperationPlanner
  /// What a history comes to, if the source is one.
  private let ends: (() -> OperationEnds)?
  /// Whether the book has that of the records it had before, as far as they were met.
  private var reached: [OperationEnds.Name: Bool] = [:]
  private var sequence: UInt64
  private var commands: [DecidedCommand] = []
  private var events = 0
  private var bytes = 0

  /// Plans for the log of that number, behind its last event, from a record on.
  init(
    _ fold: Fold, own: UInt32, end: UInt64, options: ImportOptions, importer: UInt64, next: Int,
    ends: (() -> OperationEnds)?, unread: (UniqueID) -> [ClosedRange<UInt64>]
  ) {
    records = fold.records
    // Any operation may name a record by its id.
    records.indexIDs()
    posting = fold.posting
    number = own
    (start, sequence) = (end, end)
    planner = OperationPlanner(keepsUIDs: options.keepsUIDs, importer: importer)
    (self.next, self.ends) = (next, options.keepsUIDs ? ends : nil)
    noteSeen(by: EventKey(log: own, sequence: end + 1), unread)
  }

  /// Notes that the first event to be written, and so all behind it, has seen what is folded now.
  ///
  /// Else a delete would not be one here of what others wrote last, and what follows it would be decided wrongly.
  private mutating func noteSeen(
    by first: EventKey, _ unread: (UniqueID) -> [ClosedRange<UInt64>]
  ) {
    for (log, last) in posting.ledger.folded {
      guard let other = posting.causality.number(of: log), other != first.log else { continue }
      records.causality.note(first, saw: other, upTo: last, except: unread(log))
    }
  }

  // A batch shall fit one frame, so that it is in the journal whole or not at all.
  private static let batchBytes = 232 << 10
  private static let batchEvents = 16_384

  var isBatchFull: Bool { bytes >= Self.batchBytes || events >= Self.batchEvents }

  /// Decides an operation.
  ///
  /// - Returns: What it does to its record, which an add may know already; nil where it changes nothing.
  mutating func take(
    _ operation: Operation, now: Int64
  ) throws(OperationFault) -> Operation.Verb? {
    if endsAsItIs(operation) { return nil }
    var drafts = try planner.plan(operation, on: records)
    guard let verb = drafts.first.map({ Operation.Verb($0.body.verb) }) else { return nil }
    if operation.verb == .add, verb != .add { try refuseReplacing(operation) }
    let when = date(drafts, of: operation, now: now)
    if when != operation.time { drafts = drafts.map { $0.completed(at: operation.time) } }
    // The mark where the run begins takes the number before the first command's.
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

  /// Whether the book has what the operations of the record come to, so that none of them is to be carried out.
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

  /// Refuses an add that would put another record in the place of one which the same import added.
  ///
  /// Where another import added it, this is a later state of it, and where it says what was left open, more of it.
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

  /// Ends the batch that began at a record, if anything is in it.
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
