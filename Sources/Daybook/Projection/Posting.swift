import Bytes
import Domain
import Journaling
import ReadModel

/// Events on their way from the journal to the records: what they saw, whom they trust, and what they say.
///
/// Every event is posted, also of logs that are not folded, since trust and pasts come from all of them.
struct Posting {
  var causality: Causality
  var ledger: Ledger
  /// What the events posted had newly seen, for the read model to remember.
  private(set) var notes: [Sighting] = []
  /// What the commands that undid others are, by their first events and those that belong to them.
  private(set) var undoing: [EventKey: Undoer] = [:]
  /// The events of the commands that have several, by their logs and in order.
  private(set) var commands: [UInt32: [ClosedRange<UInt64>]] = [:]
  /// Whether what the events saw is known from a posting before: noting it once more would look for what a late note
  /// of an early event changes.
  private let knowsPasts: Bool
  /// The runs of commands, by their logs and in order.
  var runs: [UInt32: [RunStretch]] = [:]

  init(causality: Causality, ledger: Ledger) {
    (self.causality, self.ledger, knowsPasts) = (causality, ledger, false)
  }

  /// Posts once more what was posted, for what the events say.
  init(again posting: Posting) {
    (causality, ledger) = (posting.causality, Ledger())
    ledger.leads = posting.ledger.leads
    knowsPasts = true
  }

  /// Posts those of a frame's events that are asked for, and hands on the facts among them.
  ///
  /// The table holds the ids that the log's indices stand for, as of its end. An event names only those that
  /// its author had told by then: else what it says would depend on when it is read. Where only the deeds count,
  /// the facts come without what they write.
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
      // The frame was checked when it was read, so a header that fails now cannot be; it names nothing.
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
      // What is stripped says nothing.
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
        runs[number, default: []].take(marker, at: event.sequence, event.time)
      case .observation: break
      case .unread: ledger.unreadCount += 1
      }
    }
  }

  /// Notes whom an event trusts, or what it erases.
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

  /// What the indices of an author stand for at one of its events; it is not copied for each of them.
  private struct Table: ~Copyable {
    var ids: ArraySlice<UniqueID>
    let author: UniqueID
    let tree: LogTree
  }

  /// The number of a log, that of its trunk given before it.
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
      // Total by design: what does not read as a domain event changes nothing and stays in the log.
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
    // What a link or a body names, its author knew by the entries of the same event.
    for seen in header.seen { try note(seen, of: key, table) }
    guard let link = header.link, let undone = self.key(of: link, in: key.log, table) else {
      return
    }
    let undoer: Undoer = undoing[undone] == .undo ? .redo : .undo
    for sequence in key.sequence...(key.sequence + header.more) {
      undoing[EventKey(log: key.log, sequence: sequence)] = undoer
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
    // What a lost event had added to the table is not known.
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

  /// The event that a reference of an author's leads to.
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

  /// An event that is named in a log, in the part of it where its author had seen it.
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

  /// Lets a branch go on with what its trunk has told.
  mutating func begin(_ log: UniqueID, in tree: LogTree) {
    ledger.leads[log] = tree.forks[log].flatMap { ledger.leads[$0.trunk] }
  }

  /// Notes what the author of an event had folded by then.
  mutating func saw(_ sighting: Sighting) {
    guard !knowsPasts else { return }
    causality.note(sighting)
    notes.append(sighting)
  }

  /// Called when the read model remembers the notes.
  mutating func forgetNotes() { notes = [] }

  /// Remembers the time of an event that is folded, unless its clock cannot be believed.
  mutating func witness(_ time: Int64, now: Int64) {
    if time > ledger.latestTime, Posting.isCredible(time, now: now) { ledger.latestTime = time }
  }

  static func isCredible(_ time: Int64, now: Int64) -> Bool { time <= now + credulityMilliseconds }

  /// How far ahead of ours another device's clock may be before ours stops following it.
  static let credulityMilliseconds: Int64 = 24 * 60 * 60 * 1000
}

/// What a command that took another back was to its user.
package enum Undoer: Sendable {
  case undo
  /// The undo of an undo.
  case redo
}
