import Bytes
package import Domain
import Journaling

extension UndoEngine {
  /// Undoes commands of any device, as one step that can itself be undone.
  package func undo(
    _ scope: UndoScope, care: UndoCare = .refusing, because reason: String? = nil
  ) throws(DaybookError) -> Undone {
    try access.withLock(writingOwnLogOnly: true) { () throws(DaybookError) in
      let (target, fold) = try target(of: scope)
      return try undoWriter.takeBack(target, fold, care, because: reason)
    }
  }

  /// Computes what an undo would do, without writing anything.
  package func forecast(
    undoing scope: UndoScope, care: UndoCare = .refusing
  ) throws(DaybookError) -> UndoForecast {
    let (target, fold) = try target(of: scope)
    let plan = try undoWriter.plan(target, fold, care)
    let steps = target.steps.values.joined()
    guard let first = steps.map(\.time).min(), let last = steps.map(\.time).max(),
      let log = target.steps.keys.min().flatMap(fold.posting.causality.identity(of:))?.id
    else { throw .nothingToUndo }
    let tally = UndoTally(of: plan.undoing.drafts, in: fold.records)
    return UndoForecast(
      device: try trustReader.trust(by: fold.posting.ledger).names[log] ?? log.hex,
      commands: steps.count,
      times: first...last, restores: tally.restored.count, edits: tally.edited.count,
      deletes: tally.deleted.count,
      left: plan.undoing.left, editedSince: plan.obstacles)
  }

  /// The number of records that a scope's device has erased at or after the given time, by the clock of that device.
  ///
  /// An undo cannot bring these records back. Held erasures do not count.
  ///
  /// - Parameter scope: The commands to undo; a single command erases nothing.
  /// - Returns: The number of records, each counted once.
  /// - Throws: ``DaybookError`` if the device is unknown or ambiguous, or if the book cannot be read.
  package func countOfErased(by scope: UndoScope) throws(DaybookError) -> Int {
    guard case .device(let words, let moment) = scope else { return 0 }
    let devices = try deviceList.devicesWithoutClocks()
    let device = try DeviceList.device(called: words, among: devices)
    return try countOfErased(in: device.logs(among: devices), since: moment)
  }

  private func countOfErased(
    in logs: [Device], since moment: Int64
  ) throws(DaybookError) -> Int {
    let ledger = try projector.posting().ledger
    let replicas = Set(logs.map(\.replica))
    let erased = ledger.erasing.erases.filter { erase in
      replicas.contains(erase.place.log)
        && erase.place.sequence <= ledger.folded[erase.place.log] ?? 0
        && ledger.trustTimes[erase.place] ?? .min >= moment
        && !ledger.erasing.heldBack.contains(erase.place.mark)
    }
    return Set(erased.map(\.entity)).count
  }

  private func target(of scope: UndoScope) throws(DaybookError) -> (UndoTarget, UndoFold) {
    switch scope {
    case .command(let name): try target(ofCommand: name)
    case .device(let words, let moment): try target(of: words, since: moment)
    }
  }

  private func target(ofCommand name: String) throws(DaybookError) -> (UndoTarget, UndoFold) {
    let event = try self.event(ofCommand: name)
    let fold = try undoReader.foldToUndo([event.log])
    guard let number = fold.posting.causality.number(of: event.log), let steps = fold.steps[number],
      let step = steps.step(holding: event.sequence)
    else { throw .noSuchCommand(name) }
    guard !steps.undone().contains(step.first) else { throw .undoneAlready(name) }
    return (try fold.target(step, of: event.log), fold)
  }

  /// The event that a command name refers to.
  private func event(ofCommand name: String) throws(DaybookError) -> EventName {
    let colon = name.lastIndex(of: ":")
    guard let sequence = UInt64(name[(colon.map(name.index(after:)) ?? name.startIndex)...]) else {
      throw .noSuchCommand(name)
    }
    guard let colon else {
      guard let own = try localDevice.ownLog else { throw .nothingToUndo }
      return EventName(log: own, sequence: sequence)
    }
    let devices = try deviceList.devicesWithoutClocks()
    let found = devices.called(String(name[..<colon]))
    if found.isEmpty { throw .unknownPeer(String(name[..<colon])) }
    // A forked log and its branches have the same name until a branch is named.
    let called = Set(found.map(\.replica))
    let holding = devices.filter { device in
      let lineage = store.journal.lineage(of: device.replica)
      guard called.contains(device.replica) || called.contains(lineage.replica) else {
        return false
      }
      let last = store.journal.end(of: device.replica, on: .logs)?.sequence ?? 0
      return lineage.first <= sequence && sequence <= last
    }
    guard let device = holding.first else { throw .noSuchCommand(name) }
    // A device that began a new log has several logs, which only their ids distinguish.
    guard holding.count == 1 else { throw .severalLogs(holding) }
    return EventName(log: device.replica, sequence: sequence)
  }

  private func target(
    of words: String, since moment: Int64
  ) throws(DaybookError) -> (UndoTarget, UndoFold) {
    let devices = try deviceList.devicesWithoutClocks()
    let device = try DeviceList.device(called: words, among: devices)
    let logs = device.logs(among: devices).filter {
      store.journal.end(of: $0.replica, on: .logs) != nil
    }
    let fold = try undoReader.foldToUndo(Set(logs.map(\.replica)))
    var target = UndoTarget(steps: [:], device: device.name)
    for log in logs {
      guard let number = fold.posting.causality.number(of: log.replica) else { continue }
      let last = fold.posting.ledger.folded[log.replica] ?? 0
      let steps = (fold.steps[number] ?? []).filter {
        $0.time >= moment && $0.first <= last && !$0.events.isEmpty
      }
      guard let first = steps.first else { continue }
      target.steps[number] = steps
      // Link only to another log. In this device's own log, the link would be treated as an undo of that step alone.
      if number != fold.own { target.link = EventKey(log: number, sequence: first.first) }
    }
    guard !target.steps.isEmpty else {
      let erased = try countOfErased(in: logs, since: moment)
      if erased > 0 { throw .onlyErasedSince(device.name, erased) }
      throw .nothingSince(device.name)
    }
    return (target, fold)
  }
}

/// The commands to undo: one command of any device, or everything that a device did since a given time.
package enum UndoScope: Sendable {
  /// A single command or run, by the name of any of its events.
  ///
  /// The name is the device, a colon and the number of the event. For this device, the number alone is enough.
  case command(String)
  /// The steps that a device, or one of its logs or branches, began at or after a given time, by the device's clock.
  case device(String, since: Int64)
}

/// The expected result of an undo.
package struct UndoForecast: Sendable {
  package var device: String
  /// The number of steps that would be undone; a run counts as one step.
  ///
  /// `times` spans the beginnings of the first and the last step.
  package var commands: Int
  package var times: ClosedRange<Int64>
  /// The numbers of records that the undo would restore, edit and delete.
  package var restores: Int
  package var edits: Int
  package var deletes: Int
  /// The fields and records that would not be changed.
  package var left: [Undoing.Left]
  /// The edits that other devices have made since then and that stop the undo; empty if `care` is `leaving`.
  package var editedSince: [EditSince]
}
