import Bytes
import Domain
import Journaling
import ReadModel
import Syncing

/// Writes events of this device to its log.
package final class EventWriter {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let ownLogKeeper: OwnLogKeeper
  let access: WriteAccess
  /// How often this process has appended events for a command.
  package internal(set) var writtenCount = 0

  init(
    store: LogStore, localDevice: LocalDevice, trustReader: TrustReader, projector: Projector,
    ownLogKeeper: OwnLogKeeper, access: WriteAccess
  ) {
    self.store = store
    self.localDevice = localDevice
    self.trustReader = trustReader
    self.projector = projector
    self.ownLogKeeper = ownLogKeeper
    self.access = access
  }

  /// Writes commands to the own log and returns when they are durable.
  ///
  /// Whoever wants their facts reads them back from the journal, like anyone else's.
  ///
  /// - Returns: The key of each command's first event.
  func append(
    _ commands: [DecidedCommand], in run: Run? = nil, trusting verbs: [TrustVerb] = [],
    erasing entities: [EventKey] = [], knowing posting: inout Posting
  ) throws(DaybookError) -> [EventKey] {
    var eventEncoder = try takePen(&posting)
    let trustBodies = verbs.map { $0.encode() }
    var events = eventEncoder.observations(before: trustBodies)
    let observationCount = events.count
    var places: [EventKey] = []
    if let run {
      let marker = RunMarker(.begin, source: run.source, count: run.done.lowerBound)
      events.append([try eventEncoder.event(body: marker.encode(), link: run.link)])
    }
    for command in commands where !command.drafts.isEmpty {
      places.append(EventKey(log: eventEncoder.number, sequence: eventEncoder.next))
      events.append(try eventEncoder.events(of: command))
    }
    for body in trustBodies { events.append([eventEncoder.event(body: body)]) }
    if !entities.isEmpty {
      var erases: [NewEvent] = []
      for entity in entities {
        let add = try posting.name(of: entity).flatMap { name throws(DaybookError) in
          try store.chainHash(of: name.log, at: name.sequence)?.prefix16
        }
        let reference = try eventEncoder.reference(entity)
        erases.append(eventEncoder.event(body: TrustVerb.erase(reference, add: add).encode()))
      }
      events.append(erases)
    }
    if let run {
      let marker = RunMarker(.end, source: run.source, count: run.done.upperBound)
      events.append([eventEncoder.event(body: marker.encode())])
    }
    guard events.count > observationCount else { return [] }
    let keys = try provenKeys(of: eventEncoder.log)
    let time = max(store.folder.now, latestTime(of: posting.ledger))
    let when = try clockTime(insteadOf: time, in: eventEncoder.log)
    let commands = events.map { events in
      Journaling::Command(
        time: time,
        events: events.map { event in
          var event = event
          if event.when == nil { event.when = when }
          return event
        })
    }
    _ = try wrap(DaybookError.journal) { () throws(JournalError) in
      try store.journal.append(commands, to: eventEncoder.log, keys: keys)
    }
    writtenCount += 1
    localDevice.bearWitness(of: eventEncoder.log)
    if !verbs.isEmpty || !entities.isEmpty { rememberTrust() }
    return places
  }

  /// What the clock says, where the next event of the own log has to carry a later time and the clock can be believed.
  ///
  /// Order stays with the time of the event, which follows all that was written; what is shown is the clock's own, so
  /// that a clock that was ahead once does not date everything that is written later.
  private func clockTime(
    insteadOf time: Int64, in log: UniqueID
  ) throws(DaybookError) -> Int64? {
    let clock = store.folder.now
    let carried = max(time, store.journal.end(of: log, on: .logs)?.time ?? time)
    guard carried - Self.clockSlackMilliseconds > clock, clock >= Self.earliestClock else {
      return nil
    }
    let mark = try store.folder.mark()
    let own = Set(
      [log] + [store.file.left[mark]?.log].compactMap(\.self)
        + (store.file.earlier[mark] ?? []).map(\.log))
    let others = store.journal.logs.filter {
      !own.contains(store.journal.lineage(of: $0.key).replica)
    }
    return others.allSatisfy { Posting.isCredible($0.value.time, now: clock) } ? clock : nil
  }

  /// A clock that is no further behind tells as well as the time that is carried.
  private static let clockSlackMilliseconds: Int64 = 60_000

  /// 2026-01-01, before which this program was not there: a clock that tells an earlier time was never set.
  private static let earliestClock: Int64 = 1_767_225_600_000

  /// The latest time of any event that is folded, but for clocks that cannot be believed.
  ///
  /// The ledger has the times of what the domain folds; logs hold more than that.
  private func latestTime(of ledger: Ledger) -> Int64 {
    let ends = ledger.folded.compactMap { log, last -> Int64? in
      guard let end = store.journal.end(of: log, on: .logs), end.sequence <= last else {
        return nil
      }
      return end.time
    }
    let limit = store.folder.now + Posting.credulityMilliseconds
    return ends.filter { $0 <= limit }.reduce(ledger.latestTime) { max($0, $1) }
  }

  private func takePen(_ posting: inout Posting) throws(DaybookError) -> EventEncoder {
    let log = try ownLogKeeper.ownLogForWriting(knowing: posting.causality)
    guard let end = store.journal.end(of: log, on: .logs) else {
      throw .noKey(store.layout.key(of: log))
    }
    let tree = store.logTree
    let number = posting.number(of: log, in: tree)
    var eventEncoder = EventEncoder(log: log, number: number, next: end.sequence + 1)
    for id in end.table { eventEncoder.introduce(posting.number(of: id, in: tree)) }
    try nameNewlyFolded(posting, &eventEncoder)
    eventEncoder.noteUnreadable(among: posting.causality.logs)
    return eventEncoder
  }

  /// Has a pen name what was folded of other logs since the own log last did.
  ///
  /// A log for which the table has no room is not named: what it says stays concurrent with what is written here.
  private func nameNewlyFolded(
    _ posting: Posting, _ eventEncoder: inout EventEncoder
  ) throws(DaybookError) {
    for (log, last) in posting.ledger.folded.sorted(by: { $0.key < $1.key })
    where log != eventEncoder.log {
      guard let end = store.journal.end(of: log, on: .logs),
        let number = posting.causality.number(of: log)
      else {
        continue
      }
      let upTo = min(last, end.sequence)
      guard upTo >= store.journal.lineage(of: log).first else { continue }
      let missing = store.unread(of: log, upTo: upTo, posting.ledger)
      // A branch gets an index of its own, also where all of it was seen as part of its trunk.
      let isNamed =
        eventEncoder.indices[number] != nil || store.journal.lineage(of: log).fork == nil
      let isTold = posting.causality.hasSeen(
        number, upTo: upTo, except: missing, by: eventEncoder.number)
      if isNamed, isTold { continue }
      let hash =
        upTo == end.sequence ? end.hash.prefix16 : try store.landmark(of: log, at: upTo).hash
      guard let hash else { continue }
      let name = eventEncoder.indices[number].map(Seen.Log.index) ?? .introduced(log)
      guard eventEncoder.introduce(number) else { continue }
      eventEncoder.seen.append(Seen(log: name, sequence: upTo, hash: hash, missing: missing))
    }
  }
}

/// A command decided and ready to be written.
struct DecidedCommand {
  var drafts: [Draft]
  /// When it happened, for facts taken from elsewhere.
  var when: Int64?
  /// The first event of the command it undoes.
  var link: EventKey?

  init(_ drafts: [Draft], when: Int64? = nil, link: EventKey? = nil) {
    self.drafts = drafts
    self.when = when
    self.link = link
  }
}

/// The marks around a run of commands, which one undo takes back together.
struct Run {
  var source: Digest
  /// How many records of the source were done before, and are done after.
  var done: Range<UInt64>
  /// The first event of what the run undoes.
  var link: EventKey?
}
