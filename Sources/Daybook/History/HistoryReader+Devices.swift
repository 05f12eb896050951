import Bytes
import Journaling

extension HistoryReader {
  /// Returns the device events of all logs that belong to the book, including those of revoked devices, earliest first.
  ///
  /// Events that exist only in the second copy of the trust events are omitted, because they have no time.
  package func deviceEvents() throws(DaybookError) -> [DeviceEvent] {
    let ledger = try projector.posting().ledger
    let trust = try trustReader.trust(by: ledger)
    let erases = Dictionary(ledger.erasing.erases.map { ($0.place, $0) }) { first, _ in first }
    let listed = trust.names.merging(try listedNames(by: trust)) { _, listed in listed }
    var events: [DeviceEvent] = []
    for event in ledger.trustEvents where trust.known.contains(event.log) {
      guard let time = ledger.trustTimes[event.place] else { continue }
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
        let key = trust.keys[branch.log] ?? trust.keys[event.log]
        subject = (listed[branch.log] ?? branch.log.hex, key?.fingerprint ?? [])
      case .erase:
        guard let erase = erases[event.place] else { continue }
        action = .erased(isHeld: ledger.erasing.heldBack.contains(erase.place.mark))
        let author = listed[erase.entity.log] ?? erase.entity.log.hex
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
