package import Bytes
import Domain

/// Undoes and redoes commands.
package struct UndoEngine {
  let store: LogStore
  let localDevice: LocalDevice
  let trustReader: TrustReader
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let deviceList: DeviceList
  let commands: CommandProcessor
  let undoReader: UndoReader
  var undoWriter: UndoWriter

  var trails: UndoTrailStore { UndoTrailStore(store: store, localDevice: localDevice) }

  /// Undoes this device's latest commands that are not yet undone, newest first.
  ///
  /// Erasures and changes to devices cannot be undone. Each of them stops the undo unless `pastErasure` or
  /// `pastDevices` is set, so that a user who wants to undo the last action does not undo an earlier one by mistake.
  /// A refusal writes nothing, so a repeated call is refused again.
  package func undo(
    _ count: Int = 1, pastErasure: Bool = false, pastDevices: Bool = false,
    care: UndoCare = .refusing,
    because reason: String? = nil
  ) throws(DaybookError) -> [Undone] {
    // If an erasure or a change to devices may be in the way, report that instead of the number of commands.
    func mayReachAll(_ stack: UndoStack, _ fold: UndoFold) -> Bool {
      (pastDevices || fold.lastingChange(since: stack.done.first) == nil)
        && (pastErasure || !stack.done.contains { fold.isErased($0) || fold.isBehindErasure($0) })
    }
    return try repeatedly(
      count, of: { stack, fold in stack.done.filter { !fold.isErased($0) } }, if: mayReachAll,
      orThrow: try nothingToUndo()
    ) { () throws(DaybookError) in
      if let undone = try undoByTrail(because: reason) { return undone }
      return try once(care, reason) { stack, fold throws(DaybookError) in
        let step = stack.done.last { !fold.isErased($0) }
        if let step, !pastErasure, fold.isBehindErasure(step) { throw .erasureInTheWay }
        if !pastDevices, let change = fold.lastingChange(since: step) {
          throw .lastingInTheWay(change)
        }
        return step
      }
    }
  }

  /// Redoes the most recently undone commands.
  package func redo(
    _ count: Int = 1, care: UndoCare = .refusing, because reason: String? = nil
  ) throws(DaybookError) -> [Undone] {
    try repeatedly(count, of: { stack, _ in stack.undone }, orThrow: try nothingToRedo()) {
      () throws(DaybookError) in
      try once(care, reason) { stack, _ in stack.undone.last }
    }
  }

  /// Undoes the latest command of this device that changed the record with this id.
  package func undo(
    id: UniqueID, care: UndoCare = .refusing, because reason: String? = nil
  ) throws(DaybookError) -> [Undone] {
    try repeatedly(1, of: { stack, _ in stack.done }, orThrow: try nothingToUndo()) {
      () throws(DaybookError) in
      try once(care, reason) { stack, fold in
        guard let key = fold.records.entity(withID: id),
          let document = fold.records.document(of: key)
        else { return nil }
        // The changes to dates of a repeating to-do are stored in its occurrences.
        let members =
          document.members
          + RecurrenceFinder(fold.records).occurrences(of: document).flatMap(\.members)
        let touching = fold.ownFacts.filter { !$0.touched.isDisjoint(with: members) }
        return stack.done.last { step in
          let sequences = step.sequences
          return touching.contains { sequences.contains($0.key.sequence) }
        }
      }
    }
  }

  private func repeatedly(
    _ count: Int, of steps: (UndoStack, UndoFold) -> [Step],
    if mayReachAll: (UndoStack, UndoFold) -> Bool = { _, _ in true },
    orThrow nothing: @autoclosure () throws(DaybookError) -> DaybookError,
    _ once: () throws(DaybookError) -> Undone?
  ) throws(DaybookError) -> [Undone] {
    try access.withLock(writingOwnLogOnly: true) { () throws(DaybookError) in
      if count > 1, let own = try localDevice.ownLog {
        // If fewer commands can be undone or redone than requested, undo or redo none.
        let fold = try undoReader.foldToUndo([own])
        let stack = UndoStack(fold.ownSteps)
        let possible = steps(stack, fold).count
        if count > possible, possible > 0, mayReachAll(stack, fold) {
          throw .fewerCommands(possible)
        }
      }
      var results: [Undone] = []
      for _ in 0..<max(count, 1) {
        let obstacle: Undone.Obstacle
        do throws(DaybookError) {
          guard let undone = try once() else {
            if results.isEmpty { throw try nothing() }
            break
          }
          results.append(undone)
          continue
        } catch .erasureInTheWay where !results.isEmpty {
          obstacle = .erasure
        } catch .lastingInTheWay(let change) where !results.isEmpty {
          obstacle = .lasting(change)
        } catch .editedSince(let edits) where !results.isEmpty {
          obstacle = .edits(edits)
        } catch .dependedOn(let dependences) where !results.isEmpty {
          obstacle = .dependences(dependences)
        }
        results[results.count - 1].obstacle = obstacle
        break
      }
      return results
    }
  }

  /// The error that says whether the last command is an undo of another log, or of a step that had been redone.
  ///
  /// Such an undo counts as a new command, so it can be undone but not redone.
  private func nothingToRedo() throws(DaybookError) -> DaybookError {
    guard let own = try localDevice.ownLog else { return .nothingToRedo(afterUndo: false) }
    let fold = try undoReader.foldToUndo([own])
    guard let number = fold.own, let last = UndoStack(fold.ownSteps).done.last else {
      return .nothingToRedo(afterUndo: false)
    }
    let undoer = fold.posting.undoing[EventKey(log: number, sequence: last.first)]
    return .nothingToRedo(afterUndo: undoer == .undo)
  }

  private func nothingToUndo() throws(DaybookError) -> DaybookError {
    try hasEarlierLog() ? .nothingInThisLog : .nothingToUndo
  }

  /// Whether this device wrote an earlier log, which undo does not reach.
  private func hasEarlierLog() throws(DaybookError) -> Bool {
    if try localDevice.ownLog == nil, try localDevice.lastOwnLog != nil { return true }
    let devices = try deviceList.devicesWithoutClocks()
    let name = devices.first(where: \.isThis)?.name
    for device in devices where !device.isThis && device.hasLog {
      if device.isFormerKey, device.name == name { return true }
      // Only this device holds the keys that sign its logs.
      if try localDevice.keys(of: device.replica) != nil { return true }
    }
    return false
  }

  private func once(
    _ care: UndoCare, _ reason: String?,
    _ choose: (UndoStack, UndoFold) throws(DaybookError) -> Step?
  ) throws(DaybookError) -> Undone? {
    guard let own = try localDevice.ownLog else { return nil }
    let fold = try undoReader.foldToUndo([own])
    guard let step = try choose(UndoStack(fold.ownSteps), fold) else { return nil }
    var undone = try undoWriter.takeBack(
      try fold.target(step, of: own), fold, care, because: reason)
    undone.passesErasure = fold.passesErasure(undoing: step)
    return undone
  }

  /// Undoes a step of this device's own log, except in fields that other devices have edited since.
  ///
  /// The caller holds the lock. Does nothing if `step` is nil.
  func undo(_ step: Step?, of own: UniqueID) throws(DaybookError) {
    guard let step else { return }
    let fold = try undoReader.foldToUndo([own])
    _ = try undoWriter.takeBack(try fold.target(step, of: own), fold, .leaving)
  }
}
