package import Bytes
package import Journaling

/// An event of the logs that says who takes part in the book, for people to read.
package struct DeviceEvent: Sendable {
  package enum Action: Hashable, Sendable {
    case admitted(AdmissionRoute?)
    case revoked
    case renamed
  }

  package var action: Action
  /// The device it is about: what it is called by the event, or is called now if that says nothing of it.
  package var name: String
  /// Words that stand for the key of that device.
  package var fingerprint: [String]
  /// The log it stands in, what the device is called that wrote it, and its sequence there.
  package var replica: UniqueID
  package var author: String
  package var sequence: UInt64
  /// When it was written, by the author's clock.
  package var time: Int64
}

extension Book {
  /// Every admission, revocation and renaming by a device of the book, the earliest first.
  ///
  /// Events that are lost and only remembered have no time and are left out.
  package func deviceEvents() throws(DaybookError) -> [DeviceEvent] {
    let ledger = try remembered(by: try view()).ledger
    let trust = try trust(by: ledger)
    var events: [DeviceEvent] = []
    for event in ledger.trustEvents where trust.known.contains(event.log) {
      let place = EventName(log: event.log, sequence: event.sequence)
      guard let time = ledger.trustTimes[place] else { continue }
      let action: DeviceEvent.Action
      let subject: (name: String, fingerprint: [String])
      switch event.verb {
      case .admit(let key, let name, let naming, let route):
        action = naming > 0 ? .renamed : .admitted(route)
        subject = (name, key.fingerprint)
      case .revoke(let key, _):
        action = .revoked
        subject = (trust.name(of: key), key.fingerprint)
      case .open, .retire, .erase: continue
      }
      events.append(
        DeviceEvent(
          action: action, name: subject.name, fingerprint: subject.fingerprint,
          replica: event.log, author: trust.names[event.log] ?? event.log.hex,
          sequence: event.sequence, time: time))
    }
    return events.sorted { ($0.time, $0.replica, $0.sequence) < ($1.time, $1.replica, $1.sequence) }
  }
}
