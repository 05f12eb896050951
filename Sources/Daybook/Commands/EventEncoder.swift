import Bytes
import Domain
import Journaling

/// Encodes the next events of this device's own log, with their sequences and their references to other logs.
struct EventEncoder {
  let log: UniqueID
  let number: UInt32
  private(set) var next: UInt64
  /// The index of each log in the table of this device's own log.
  private(set) var indices: [UInt32: UInt64] = [:]
  /// Logs that have no index although the table has space, because too many of their events are lost.
  private(set) var unreadable: [UInt32: UniqueID] = [:]
  /// The *seen* entries that the next events must contain.
  var seen = SeenBatches()

  init(log: UniqueID, number: UInt32, next: UInt64) {
    (self.log, self.number, self.next) = (log, number, next)
  }

  /// Gives a log the next index of the table.
  ///
  /// - Returns: false if the table is full.
  @discardableResult
  mutating func introduce(_ number: UInt32) -> Bool {
    if indices[number] != nil { return true }
    guard indices.count < Limit.tableEntries else { return false }
    indices[number] = UInt64(indices.count)
    return true
  }

  /// Records which logs have no index although the table has space for them.
  mutating func noteUnreadable(among logs: [Causality.LogIdentity]) {
    guard indices.count < Limit.tableEntries else { return }
    for (number, log) in logs.enumerated() where indices[UInt32(number)] == nil {
      unreadable[UInt32(number)] = log.id
    }
  }

  /// Events to write before a command, because one event cannot hold all *seen* entries or because the command leaves
  /// no space for them.
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
          // The link applies to the whole command, so only the command's first event contains it.
          link: place == 0 ? command.link : nil))
    }
    return events
  }

  /// A reference to an event, for use in this device's own log.
  ///
  /// - Throws: ``DaybookError/tooManyLogs`` if the table has no space for the event's log, or
  ///   ``DaybookError/journal(_:)`` if that log is damaged and has no index yet.
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
  /// The events that the body refers to.
  fileprivate var references: [EventKey] {
    var keys = writes.compactMap(\.value.reference)
    if case .entity(let target) = target { keys.append(target) }
    return keys
  }
}
