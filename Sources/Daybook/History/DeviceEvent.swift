package import Bytes
package import Journaling

/// An event of the logs that is about no record's fields: who takes part in the book, and what is to be forgotten.
package struct DeviceEvent: Sendable {
  package enum Action: Hashable, Sendable {
    case admitted(AdmissionRoute?)
    case revoked
    case renamed
    /// The device began its log.
    case began
    /// The device left a branch of its forked log behind.
    case left
    /// A record is to be taken out of every log; it is held where this device waits for its user to accept that.
    case erased(isHeld: Bool)
  }

  package var action: Action
  /// The device it is about: what it is called by the event, or is called now if that says nothing of it.
  ///
  /// Of an erasure it is the event that added the record, `DEVICE:NUMBER`, as nothing else is left of it.
  package var name: String
  /// Words that stand for the key of that device; none of an erasure.
  package var fingerprint: [String]
  /// The log it stands in, what the device is called that wrote it, and its sequence there.
  package var replica: UniqueID
  package var author: String
  package var sequence: UInt64
  /// When it was written, by the author's clock.
  package var time: Int64
}

extension Book {
  /// Every such event by a device of the book, the earliest first.
  ///
  /// Events that are lost and only remembered have no time and are left out.
  package func deviceEvents() throws(DaybookError) -> [DeviceEvent] {
    let ledger = try remembered(by: try view()).ledger
    let trust = try trust(by: ledger)
    let erases = Dictionary(
      ledger.erasing.erases.map { (EventName(log: $0.place.log, sequence: $0.place.sequence), $0) }
    ) { first, _ in first }
    let listed = trust.hasNamesakes ? try devices().names : trust.names
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
        subject = (trust.listedName(of: key), key.fingerprint)
      case .open(let opening):
        action = .began
        subject = (opening.name, opening.publicKey.fingerprint)
      case .retire(let branch):
        action = .left
        subject = (
          trust.names[branch.log] ?? branch.log.hex, trust.keys[event.log]?.fingerprint ?? []
        )
      case .erase:
        guard let erase = erases[place] else { continue }
        action = .erased(isHeld: ledger.erasing.heldBack.contains(erase.place.mark))
        let author = trust.names[erase.entity.log] ?? erase.entity.log.hex
        subject = ("\(author):\(erase.entity.sequence)", [])
      }
      events.append(
        DeviceEvent(
          action: action, name: subject.name, fingerprint: subject.fingerprint,
          replica: event.log, author: listed[event.log] ?? event.log.hex,
          sequence: event.sequence, time: time))
    }
    return events.sorted { ($0.time, $0.replica, $0.sequence) < ($1.time, $1.replica, $1.sequence) }
  }
}
