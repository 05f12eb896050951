import Bytes
import Domain
import Journaling

/// The own log as its next events are made: their numbers, and how they name other logs.
struct EventEncoder {
  let log: UniqueID
  let number: UInt32
  private(set) var next: UInt64
  /// The index in the log's table of each log it has introduced.
  private(set) var indices: [UInt32: UInt64] = [:]
  /// Logs that cannot be introduced though there is room, since of what was folded of them too much is lost.
  private(set) var unreadable: [UInt32: UniqueID] = [:]
  /// What the next events are to name of others' logs.
  var seen = SeenBatches()

  init(log: UniqueID, number: UInt32, next: UInt64) {
    (self.log, self.number, self.next) = (log, number, next)
  }

  /// Gives a log the next index of the table; false where the table is full.
  @discardableResult
  mutating func introduce(_ number: UInt32) -> Bool {
    if indices[number] != nil { return true }
    guard indices.count < Limit.tableEntries else { return false }
    indices[number] = UInt64(indices.count)
    return true
  }

  /// Notes which of all logs are not introduced though there is room for them.
  mutating func noteUnreadable(among logs: [Causality.LogIdentity]) {
    guard indices.count < Limit.tableEntries else { return }
    for (number, log) in logs.enumerated() where indices[UInt32(number)] == nil {
      unreadable[UInt32(number)] = log.id
    }
  }

  /// The events that stand before commands that have more to name as seen than one event may, or that leave no room
  /// for it.
  mutating func observations(before bodies: [[UInt8]]) -> [[NewEvent]] {
    let isLarge = bodies.contains { $0.count > Limit.commandBytes / 2 }
    guard seen.count > (isLarge ? 0 : 1) else { return [] }
    return (0..<seen.count).map { _ in [event(body: Observation.body)] }
  }

  mutating func event(
    body: [UInt8], when: Int64? = nil, link: EventKey?
  ) throws(DaybookError) -> NewEvent {
    event(
      body: body, when: when, link: try link.map { key throws(DaybookError) in try reference(key) })
  }

  private mutating func event(body: [UInt8], when: Int64? = nil, link: Reference?) -> NewEvent {
    defer { next += 1 }
    return NewEvent(when: when, seen: seen.next(), link: link, body: body)
  }

  mutating func event(body: [UInt8]) -> NewEvent { event(body: body, link: nil as Reference?) }

  mutating func events(of command: DecidedCommand) throws(DaybookError) -> [NewEvent] {
    let first = next
    var events: [NewEvent] = []
    for (place, draft) in command.drafts.enumerated() {
      let body = draft.resolved { EventKey(log: number, sequence: first + UInt64($0)) }
      for key in body.references { _ = try reference(key) }
      events.append(
        try event(
          body: body.encode { $0 == number ? nil : indices[$0] }, when: command.when,
          // The link stands on the command, so its first event carries it.
          link: place == 0 ? command.link : nil))
    }
    return events
  }

  /// How an event is named in the log.
  ///
  /// - Throws: ``DaybookError/tooManyLogs``, where it lies in a log for which the table has no room, and
  ///   ``DaybookError/journal(_:)``, where that log is damaged and was never named before.
  func reference(_ key: EventKey) throws(DaybookError) -> Reference {
    if key.log == number { return Reference(index: nil, sequence: key.sequence) }
    guard let index = indices[key.log] else {
      if let log = unreadable[key.log] { throw .journal(.damaged(log)) }
      throw .tooManyLogs
    }
    return Reference(index: index, sequence: key.sequence)
  }
}

extension Body {
  /// The events that it names.
  fileprivate var references: [EventKey] {
    var keys = writes.compactMap(\.value.reference)
    if case .entity(let target) = target { keys.append(target) }
    return keys
  }
}
