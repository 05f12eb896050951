import Bytes
import Domain
import Journaling
import ReadModel

/// Events on their way from the journal to the records: what they have seen, whom they trust, and their facts.
///
/// Every event is posted, even if its log is not folded, because trust and causality depend on all logs.
struct Posting {
  var causality: Causality
  var ledger: Ledger
  /// What the posted events have newly seen, for the read model to store.
  private(set) var notes: [Sighting] = []
  /// Whether each command that undid another was an undo or a redo, by each event of that command.
  private(set) var undoing: [EventKey: Undoer] = [:]
  /// The events of commands with several events, by log and in order.
  private(set) var commands: [UInt32: [ClosedRange<UInt64>]] = [:]
  /// Whether what the events saw is known from an earlier posting.
  ///
  /// Adding it again would search for the effects of a late entry.
  private let knowsPasts: Bool
  /// The runs of commands, by log and in order.
  var runs: [UInt32: [RunStretch]] = [:]

  init(causality: Causality, ledger: Ledger) {
    (self.causality, self.ledger, knowsPasts) = (causality, ledger, false)
  }

  /// Posts the same events again, for their facts.
  init(again posting: Posting) {
    (causality, ledger) = (posting.causality, Ledger())
    ledger.leads = posting.ledger.leads
    knowsPasts = true
  }

  /// Posts the requested events of a frame, and passes on their facts.
  ///
  /// The table has the ids for the indices of the log, as of its end. An event may use only those that its author had
  /// introduced by then; otherwise its meaning would depend on when it is read. If only the kind of change is needed,
  /// facts come without their values.
  mutating func post(
    _ frame: borrowing Frame, of log: UniqueID, _ events: ClosedRange<UInt64>,
    table: [UniqueID], in tree: LogTree, withWrites: Bool = true,
    _ take: (Fact) throws(DaybookError) -> Void
  ) throws(DaybookError) {
    let number = self.number(of: log, in: tree)
    var told = Table(
      ids: table.prefix(Int(clamping: frame.information.tableCount)), author: log, tree: tree)
    var byteCount = 0
    defer { ledger.valueBytes[log, default: 0] += UInt64(byteCount) }
    for event in frame.events {
      // The frame was checked when it was read, so this does not fail. If it did, the event would name nothing.
      let header = event.namesOthers ? try? frame.header(of: event) : nil
      if let header { told.ids = table.prefix(told.ids.count + header.introduced.count) }
      guard events.contains(event.sequence) else { continue }
      let key = EventKey(log: number, sequence: event.sequence)
      if event.more > 0 {
        commands[number, default: []].append(event.sequence...event.sequence + event.more)
      }
      if event.sequence == 1 { ledger.firstHashes[log] = event.hash.prefix16 }
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
        byteCount += fact.body.valueBytes
        try take(fact)
      case .trust(let verb): try note(verb, of: event, number, told)
      case .marker(let marker):
        runs[number, default: []].take(marker, at: event.sequence, event.time, event.when)
      case .observation: break
      case .unread: ledger.unreadCount += 1
      }
    }
  }

  /// Records whom an event trusts, or what it erases.
  private mutating func note(
    _ verb: TrustVerb, of event: EventRecord, _ number: UInt32, _ table: borrowing Table
  ) throws(DaybookError) {
    let hash = event.hash.prefix16
    ledger.note(
      verb, of: EventName(log: table.author, sequence: event.sequence), hash: hash,
      time: event.when ?? event.time)
    guard case .erase(let target, let add) = verb,
      let entity = key(of: target, in: number, table).flatMap(name)
    else { return }
    let place = Landmark(log: table.author, sequence: event.sequence, hash: hash)
    let erase = ErasureLedger.Erase(place: place, entity: entity, add: add)
    ledger.erasing.note(try table.tree.resolve(erase) ?? erase)
  }

  /// The meaning of the indices of an author at one of its events.
  ///
  /// It is not copied for each event.
  private struct Table: ~Copyable {
    var ids: ArraySlice<UniqueID>
    let author: UniqueID
    let tree: LogTree
  }

  /// The number of a log.
  ///
  /// Its trunk gets a number before it.
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
        index < UInt64(table.ids.count) ? causality.number(of: table.ids[Int(index)]) : nil
      }
    } catch {
      // Total by design: an event that does not decode as one about records changes nothing, and stays in the log.
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
    // The author of a link or a body knew what it names by the entries of the same event.
    for seen in header.seen { try note(seen, of: key, table) }
    guard let link = header.link, let undone = self.key(of: link, in: key.log, table) else {
      return
    }
    let undoer: Undoer = undoing[undone] == .undo ? .redo : .undo
    for sequence in key.sequence...(key.sequence + header.more) {
      undoing[EventKey(log: key.log, sequence: sequence)] = undoer
    }
  }

  /// Follows the open run of a log to its next event.
  ///
  /// All events of a run count as an undo or a redo if its begin or one of its commands does. An event that was
  /// written after the run was interrupted ends it.
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
    // A lost event may have added this entry to the table.
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

  /// The event that a reference of an author leads to.
  private mutating func key(
    of reference: Reference, in author: UInt32, _ table: borrowing Table
  ) -> EventKey? {
    guard let index = reference.index else {
      return placed(EventKey(log: author, sequence: reference.sequence), table)
    }
    guard index < UInt64(table.ids.count),
      let number = causality.number(of: table.ids[Int(index)])
    else { return nil }
    return placed(EventKey(log: number, sequence: reference.sequence), table)
  }

  /// An event that is named in a log, in the branch in which its author had seen it.
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

  /// Lets a branch continue with the state of its trunk.
  mutating func begin(_ log: UniqueID, in tree: LogTree) {
    ledger.leads[log] = tree.forks[log].flatMap { ledger.leads[$0.trunk] }
  }

  /// Records what the author of an event had folded by then.
  mutating func saw(_ sighting: Sighting) {
    guard !knowsPasts else { return }
    causality.note(sighting)
    notes.append(sighting)
  }

  /// Called when the read model has stored the notes.
  mutating func forgetNotes() { notes = [] }

  /// Records the time of a folded event, unless its clock is implausible.
  mutating func witness(_ time: Int64, now: Int64) {
    if time > ledger.latestTime, Posting.isCredible(time, now: now) { ledger.latestTime = time }
  }

  static func isCredible(_ time: Int64, now: Int64) -> Bool { time <= now + credulityMilliseconds }

  /// How far the clock of another device may be ahead before this one stops following it.
  static let credulityMilliseconds: Int64 = 24 * 60 * 60 * 1000
}

/// What a command that undid another was for the user.
package enum Undoer: Sendable {
  case undo
  /// The undo of an undo.
  case redo
}
