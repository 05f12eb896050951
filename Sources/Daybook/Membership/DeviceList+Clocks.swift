import Bytes
import Domain
import Journaling

// Estimates of other devices' clocks. The estimates need no query over the network, because they are derived from the
// times of events, their arrival times, and the events that their authors had seen.

extension DeviceList {
  /// Sets, for each device, the time at which its events last arrived and the offset of its clock.
  func tellClocks(of devices: inout [Device]) throws(DaybookError) {
    let heard = try peerNotes.peers().heard
    let now = store.folder.now
    let own = try ownStamps()
    for place in devices.indices {
      let device = devices[place]
      devices[place].lastHeard = heard[device.replica]?.time
      // A time before the arrival proves nothing, because the event may have arrived long after it was written.
      devices[place].clockOffset = heard[device.replica].flatMap { $0.lead > 0 ? $0.lead : nil }
      guard let stamp = device.lastWritten else { continue }
      let leads = [stamp.subtracted(now), heard[device.replica]?.lead ?? .min]
      let isAhead = leads.contains(where: \.isIncredible)
      let lastWritten = isAhead ? try timeOfLastEvent(of: device.replica) ?? stamp : stamp
      if isAhead { devices[place].lastWritten = lastWritten }
      // Offsets are relative to the clock of this device.
      if device.isThis { continue }
      let excess = stamp.subtracted(lastWritten)
      var offset = leads.map { $0.subtracted(excess) }.first { $0.isIncredible }
      if offset == nil, excess > 0 { devices[place].clockOffset = nil }
      if offset == nil { offset = try lag(of: device, writing: lastWritten, own) }
      guard let offset else { continue }
      devices[place].clockOffset = offset
      devices[place].isClockSuspect = true
    }
  }

  /// Whether the time of an event is too far ahead to come from a correct clock.
  package func isSuspect(_ time: Int64) -> Bool { time.subtracted(store.folder.now).isIncredible }

  /// The time at which the last event of a log was written, by the clock of its author.
  ///
  /// The times of a log never decrease. After a clock that was ahead has been corrected, the times stay ahead, but each
  /// event also contains the clock's time.
  private func timeOfLastEvent(of log: UniqueID) throws(DaybookError) -> Int64? {
    guard let end = store.journal.end(of: log, on: .logs) ?? store.journal.end(of: log, on: .aside)
    else {
      return nil
    }
    return try timeWritten(log, end.sequence)
  }

  /// The time at which an event was written, by the clock of its author; nil if the event cannot be read.
  private func timeWritten(_ log: UniqueID, _ sequence: UInt64) throws(DaybookError) -> Int64? {
    var time: Int64?
    try store.forEachFrame(of: log, from: sequence, upTo: sequence) { _, events in
      for event in events where event.sequence == sequence {
        time = event.when ?? event.time
      }
    }
    return time
  }

  /// The number of record events that are dated more than a day ahead of this machine's clock.
  ///
  /// The count uses the time that is shown, not the time that orders events.
  func countOfMisdated() throws(DaybookError) -> UInt64 {
    var count: UInt64 = 0
    for log in store.journal.logs.keys {
      let last = store.journal.end(of: log, on: .logs)?.sequence ?? 0
      try store.forEachFrame(of: log, upTo: last) { _, events in
        for event in events where isSuspect(event.when ?? event.time) {
          if let verb = event.verb, JournalVerb.domain.contains(verb) { count += 1 }
        }
      }
    }
    return count
  }

  /// The state of this device's log from which the lag of other clocks is computed.
  private struct OwnStamps {
    let log: UniqueID
    let end: LogEnd
    let causality: Causality
  }

  private func ownStamps() throws(DaybookError) -> OwnStamps? {
    guard let log = try localDevice.lastOwnLog, let end = store.journal.end(of: log, on: .logs)
    else { return nil }
    return OwnStamps(
      log: log, end: end, causality: try projector.posting().causality)
  }

  /// The offset of a clock that is certainly far behind, as a negative number; nil otherwise.
  ///
  /// An event is dated after all events that its author had seen, unless these are too far ahead of the author's clock.
  /// A device that has seen an event of this device and writes an earlier time therefore considers the time of that
  /// event implausible.
  private func lag(
    of device: Device, writing lastWritten: Int64, _ own: OwnStamps?
  ) throws(DaybookError) -> Int64? {
    guard !device.isThis, let own, own.end.time.subtracted(lastWritten).isIncredible else {
      return nil
    }
    let (causality, end) = (own.causality, own.end)
    guard let author = causality.number(of: device.replica),
      let number = causality.number(of: own.log)
    else { return nil }
    let seen = min(causality.lastSeen(of: number, by: author), end.sequence)
    guard seen > 0 else { return nil }
    guard let time = try timeWritten(own.log, seen),
      let last = try timeWritten(own.log, end.sequence)
    else { return nil }
    // The clock of this device may have been ahead when it wrote the event, and may have been corrected later.
    guard !isSuspect(time), !time.subtracted(last).isIncredible else { return nil }
    let lag = time.subtracted(lastWritten)
    return lag.isIncredible ? -lag : nil
  }
}

extension Int64 {
  /// The difference, limited to the range of the type.
  ///
  /// An unadmitted device's stamp can be any number.
  fileprivate func subtracted(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (self < 0 ? -.max : .max) : difference
  }

  fileprivate var isIncredible: Bool { self > Posting.credulityMilliseconds }
}
