import Bytes
import Domain
import Journaling
import ReadModel

/// The state for posting events from the journal to the records: causality, trust and the extracted facts.
///
/// Every event is posted, even if its log is not folded, because trust and causality depend on all logs.
struct Posting {
  var causality: Causality
  var ledger: Ledger
  /// The new *seen* entries of the posted events, which the read model must store.
  private(set) var notes: [Sighting] = []
  /// For each event of a command that was an undo or a redo, which of the two the command was.
  private(set) var undoing: [EventKey: Undoer] = [:]
  /// The events of commands with several events, by log and in order.
  private(set) var commands: [UInt32: [ClosedRange<UInt64>]] = [:]
  /// Whether the *seen* entries are known from an earlier posting.
  ///
  /// If an entry were added again, `causality` would treat it as late and search for its effects.
  private let knowsPasts: Bool
  /// The runs of commands, by log and in order.
  var runs: [UInt32: [RunStretch]] = [:]

  init(causality: Causality, ledger: Ledger) {
    (self.causality, self.ledger, knowsPasts) = (causality, ledger, false)
  }

  /// Prepares to post the same events again, to extract their facts.
  init(again posting: Posting) {
    (causality, ledger) = (posting.causality, Ledger())
    ledger.leads = posting.ledger.leads
    knowsPasts = true
  }

  /// Posts the requested events of a frame, and passes their facts to `take`.
  ///
  /// `table` contains the ids for the indices that the log uses, as of the end of the log. An event may use only
  /// indices that its author had introduced by then, because otherwise its meaning would depend on when it is read.
  /// Without `withWrites`, facts have no values.
  mutating func post(
    _ frame: borrowing Frame, of log: UniqueID, _ events: ClosedRange<UInt64>,
    table: [UniqueID], in tree: LogTree, withWrites: Bool = true,
    _ take: (Fact) throws(DaybookError) -> Void
  ) throws(DaybookError) {
    let number = self.number(of: log, in: tree)
    var told = Table(
      ids: table.prefix(Int(clamping: frame.information.tableCount)), author: log, tree: tree)
    var charged: UInt64 = 0
    defer { ledger.chargedBytes[log, default: 0] += charged }
    for event in frame.events {
      // The frame was checked when it was read, so this step cannot fail. If it did, the event would refer to nothing.
      let header = event.namesOthers ? try? frame.header(of: event) : nil
      if let header { told.ids = table.prefix(told.ids.count + header.introduced.count) }
      guard events.contains(event.sequence) else { continue }
      charged += EventCharge.bytes(of: event, naming: header)
      let key = EventKey(log: number, sequence: event.sequence)
      if event.more > 0 {
        commands[number, default: []].append(event.sequence...event.sequence + event.more)
      }
      if let header { try note(header, of: key, told) }
      if let stripped = frame.strippedBody(of: event) {
        ledger.erasing.note(stripped, at: event.sequence, of: log)
      }
      follow(event, key)
      // A stripped event has no fact.
      guard event.verb != nil else { continue }
      let body = frame.content.span.extracting(event.body)
      switch JournalBody(body) {
      case .domain:
        guard
          let fact = fact(
            of: event, body: body, key: key, table: told, withWrites: withWrites)
        else {
          ledger.unreadCount += 1
          continue
        }
        charged += UInt64(fact.body.fieldBytes)
        try take(fact)
      case .trust(let verb): try note(verb, of: event, number, told)
      case .marker(let marker):
        runs[number, default: []].take(marker, at: event.sequence, event.time, event.when)
      case .observation: break
      case .unread: ledger.unreadCount += 1
      }
    }
  }

  /// Records a trust event, and the entity that it erases, if any.
  private mutating func note(
    _ verb: TrustVerb, of event: EventRecord, _ number: UInt32, _ table: borrowing Table
  ) throws(DaybookError) {
    let place = Landmark(
      log: table.author, sequence: event.sequence, hash: event.hash.prefix16)
    ledger.note(TrustEvent(at: place, verb: verb), time: event.when ?? event.time)
    guard case .erase(let target, let add) = verb,
      let entity = key(of: target, in: number, table).flatMap(name)
    else { return }
    let erase = ErasureLedger.Erase(place: place, entity: entity, add: add)
    ledger.erasing.note(try table.tree.resolve(erase) ?? erase)
  }

  /// The logs that an author's indices denote at one of its events.
  ///
  /// The table cannot be copied, so no copy is made for each event.
  private struct Table: ~Copyable {
    var ids: ArraySlice<UniqueID>
    let author: UniqueID
    let tree: LogTree
  }

  /// The number of a log.
  ///
  /// The trunk of a branch is numbered first.
  mutating func number(of log: UniqueID, in tree: LogTree) -> UInt32 {
    if let number = causality.number(of: log) { return number }
    let trunk = tree.forks[log].map { number(of: $0.trunk, in: tree) }
    return causality.number(of: log, replica: tree.replica(of: log), behind: trunk)
  }

  private mutating func fact(
    of event: EventRecord, body: Span<UInt8>, key: EventKey, table: borrowing Table,
    withWrites: Bool
  ) -> Fact? {
    let decoded: Body?
    do throws(BodyError) {
      decoded = try Body.decode(body, author: key.log, withWrites: withWrites) { index in
        number(ofEntry: index, table)
      }
    } catch {
      // An event that cannot be decoded as an event about records changes nothing, and stays in the log.
      return nil
    }
    guard let decoded else { return nil }
    let body = table.tree.forks.isEmpty ? decoded : placed(decoded, table)
    return Fact(
      key: key, time: event.time, when: event.when, hash: event.hash.prefix16, body: body)
  }

  private mutating func note(
    _ header: Header, of key: EventKey, _ table: borrowing Table
  ) throws(DaybookError) {
    // The link and the body of an event may refer to events that the same event lists as seen.
    for seen in header.seen { try note(seen, of: key, table) }
    guard let link = header.link, let undone = self.key(of: link, in: key.log, table) else {
      return
    }
    let undoer: Undoer = undoing[undone] == .undo ? .redo : .undo
    for sequence in key.sequence...(key.sequence + header.more) {
      undoing[EventKey(log: key.log, sequence: sequence)] = undoer
    }
  }

  /// Extends the open run of a log to its next event.
  ///
  /// All events of a run count as an undo or a redo if its begin marker or one of its commands does. An event that was
  /// written after an interruption of the run ends it.
  private mutating func follow(_ event: EventRecord, _ key: EventKey) {
    guard let run = runs[key.log]?.last, run.isOpen else { return }
    let begin = EventKey(log: key.log, sequence: run.events.lowerBound)
    let isUndo = undoing[begin] != nil
    if run.isInterrupted(before: key.sequence, event.time, event.when, isUndo: isUndo) {
      runs[key.log]?.endLast(before: key.sequence)
    } else if let undoer = undoing[begin] {
      undoing[key] = undoer
    } else if let undoer = undoing[key] {
      undoing[begin] = undoer
    }
  }

  private mutating func note(
    _ seen: Seen, of key: EventKey, _ table: borrowing Table
  ) throws(DaybookError) {
    let id: UniqueID
    switch seen.log {
    case .introduced(let introduced): id = introduced
    case .index(let index):
      guard index < UInt64(table.ids.count) else { return }
      id = table.ids[Int(index)]
    }
    // The id is unknown if a lost event added the entry to the table.
    guard id != .none else { return }
    let landmark = Landmark(log: id, sequence: seen.sequence, hash: seen.hash)
    let (end, reaches) = try table.tree.resolve(landmark)
    if table.tree.isForked(id) { ledger.leads[table.author, default: [:]][id] = end }
    for reach in reaches {
      saw(
        Sighting(
          event: key, other: number(of: reach.log, in: table.tree), upTo: reach.upTo,
          exceptions: seen.missing.filter { $0.lowerBound <= reach.upTo }))
    }
  }

  /// The key of the event that an author's reference identifies.
  private mutating func key(
    of reference: Reference, in author: UInt32, _ table: borrowing Table
  ) -> EventKey? {
    guard let index = reference.index else {
      return placed(EventKey(log: author, sequence: reference.sequence), table)
    }
    guard let number = number(ofEntry: index, table) else { return nil }
    return placed(EventKey(log: number, sequence: reference.sequence), table)
  }

  /// The number of the log that an author's index denotes; nil if the author has not introduced it.
  ///
  /// If the event that introduced the log is lost, the log might not have a number yet.
  private mutating func number(ofEntry index: UInt64, _ table: borrowing Table) -> UInt32? {
    guard index < UInt64(table.ids.count) else { return nil }
    let id = table.ids[Int(index)]
    return id == .none ? nil : number(of: id, in: table.tree)
  }

  /// The key of an event in the branch in which the author had seen it.
  private mutating func placed(_ key: EventKey, _ table: borrowing Table) -> EventKey {
    guard let id = causality.identity(of: key.log)?.id, table.tree.isPartOfFork(id) else {
      return key
    }
    let end = ledger.leads[table.author]?[id] ?? id
    let log = table.tree.log(holding: key.sequence, onPathTo: end)
    return EventKey(log: number(of: log, in: table.tree), sequence: key.sequence)
  }

  private mutating func placed(_ body: Body, _ table: borrowing Table) -> Body {
    var body = body
    if case .entity(let key) = body.target { body.target = .entity(placed(key, table)) }
    for place in body.writes.indices {
      guard let key = body.writes[place].value.reference else { continue }
      body.writes[place].value = .reference(placed(key, table))
    }
    return body
  }

  /// Starts a branch with the state of its trunk.
  mutating func begin(_ log: UniqueID, in tree: LogTree) {
    ledger.leads[log] = tree.forks[log].flatMap { ledger.leads[$0.trunk] }
  }

  /// Records a *seen* entry.
  mutating func saw(_ sighting: Sighting) {
    guard !knowsPasts else { return }
    causality.note(sighting)
    notes.append(sighting)
  }

  /// Called when the read model has stored the notes.
  mutating func forgetNotes() { notes = [] }

  /// Records the time of a folded event, unless the time is implausible.
  mutating func witness(_ time: Int64, now: Int64) {
    if time > ledger.latestTime, Posting.isCredible(time, now: now) { ledger.latestTime = time }
  }

  static func isCredible(_ time: Int64, now: Int64) -> Bool { time <= now + credulityMilliseconds }

  /// The maximum time by which the clock of another device may be ahead and still be followed.
  static let credulityMilliseconds: Int64 = 24 * 60 * 60 * 1000
}

/// The kind of a command that undid another command, as the user sees it.
package enum Undoer: Sendable {
  case undo
  /// The undo of an undo.
  case redo
}
