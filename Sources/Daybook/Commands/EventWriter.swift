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
  /// The number of times that this process has appended events for a command.
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

  /// Appends commands to this device's own log.
  ///
  /// The commands are durable when this function returns.
  ///
  /// The facts of the commands are read from the journal, just like the facts of other devices.
  ///
  /// - Returns: The key of the first event of each command.
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

  /// The time of this machine's clock, if the next event must have a later time and the clock is plausible; otherwise
  /// nil.
  ///
  /// An event's time determines its order and is never earlier than the time of a preceding event. Users see the
  /// clock's time instead, so a clock that was once ahead does not affect the dates of later events.
  private func clockTime(
    insteadOf time: Int64, in log: UniqueID
  ) throws(DaybookError) -> Int64? {
    let clock = store.folder.now
    let carried = max(time, store.journal.end(of: log, on: .logs)?.time ?? time)
    guard carried - Self.clockSlackMilliseconds > clock, store.folder.isClockSet else { return nil }
    let mark = try store.folder.mark()
    let own = Set(
      [log] + [store.file.left[mark]?.log].compactMap(\.self)
        + (store.file.earlier[mark] ?? []).map(\.log))
    let others = store.journal.logs.filter {
      !own.contains(store.journal.lineage(of: $0.key).replica)
    }
    return others.allSatisfy { Posting.isCredible($0.value.time, now: clock) } ? clock : nil
  }

  /// A clock time that is at most this far behind the event's time is not stored separately.
  private static let clockSlackMilliseconds: Int64 = 60_000

  /// The latest time of any folded event, ignoring times from implausible clocks.
  ///
  /// The ledger contains the times of record events. The logs also contain other events.
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
    let log = try ownLogKeeper.ownLogForWriting(knowing: posting)
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

  /// Adds *seen* entries for other logs' events that have been folded since the last entries of this device's own log.
  ///
  /// If the table has no space for a log, its events remain concurrent with those that are written here.
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
      // A branch gets a separate index, even if all its events were seen as part of its trunk.
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

/// A command that has been decided and is ready to be written.
struct DecidedCommand {
  var drafts: [Draft]
  /// The time at which an imported fact happened.
  var when: Int64?
  /// The first event of the command that this command undoes.
  var link: EventKey?

  init(_ drafts: [Draft], when: Int64? = nil, link: EventKey? = nil) {
    self.drafts = drafts
    self.when = when
    self.link = link
  }
}

/// The marks around commands that are undone together.
struct Run {
  var source: Digest
  /// The numbers of source records that had been processed before and after these commands.
  var done: Range<UInt64>
  /// The first event of the commands that the run undoes.
  var link: EventKey?
}
