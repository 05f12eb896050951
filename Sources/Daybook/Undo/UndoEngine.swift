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
  let undoWriter: UndoWriter

  var trails: UndoTrailStore { UndoTrailStore(store: store, localDevice: localDevice) }

  /// Undoes the last commands of this device that are not undone yet, the newest first.
  ///
  /// An erasure cannot be undone, nor can what was done about devices, so each ends the way back until it is said
  /// to go past it: whoever takes back the last command shall never take back an earlier one. A refusal changes
  /// nothing, so it is the same each time.
  package func undo(
    _ count: Int = 1, pastErasure: Bool = false, pastDevices: Bool = false,
    care: UndoCare = .refusing,
    because reason: String? = nil
  ) throws(DaybookError) -> [Undone] {
    // Where something stands in the way, that is what is told.
    func mayReachAll(_ stack: UndoStack, _ fold: UndoFold) -> Bool {
      (pastDevices || fold.lastingChange(since: stack.done.first) == nil)
        && !stack.done.contains { fold.isErased($0) || fold.isBehindErasure($0) }
    }
    return try repeatedly(count, of: \.done, if: mayReachAll, orThrow: .nothingToUndo) {
      () throws(DaybookError) in
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

  /// Undoes what was undone last.
  package func redo(
    _ count: Int = 1, care: UndoCare = .refusing, because reason: String? = nil
  ) throws(DaybookError) -> [Undone] {
    try repeatedly(count, of: \.undone, orThrow: .nothingToRedo) { () throws(DaybookError) in
      try once(care, reason) { stack, _ in stack.undone.last }
    }
  }

  /// Undoes the last command of this device that changed one record.
  package func undo(
    id: UniqueID, care: UndoCare = .refusing, because reason: String? = nil
  ) throws(DaybookError) -> [Undone] {
    try repeatedly(1, of: \.done, orThrow: .nothingToUndo) { () throws(DaybookError) in
      try once(care, reason) { stack, fold in
        guard let key = fold.records.entity(withID: id),
          let members = fold.records.document(of: key)?.members
        else { return nil }
        let touching = fold.ownFacts.filter { !$0.touched.isDisjoint(with: members) }
        return stack.done.last { step in
          let sequences = step.sequences
          return touching.contains { sequences.contains($0.key.sequence) }
        }
      }
    }
  }

  private func repeatedly(
    _ count: Int, of steps: (UndoStack) -> [Step],
    if mayReachAll: (UndoStack, UndoFold) -> Bool = { _, _ in true },
    orThrow nothing: DaybookError,
    _ once: () throws(DaybookError) -> Undone?
  ) throws(DaybookError) -> [Undone] {
    try access.withLock(writingOwnLogOnly: true) { () throws(DaybookError) in
      if count > 1, let own = try localDevice.ownLog {
        // Nothing is done where less can be done than was asked for.
        let fold = try undoReader.foldToUndo([own])
        let stack = UndoStack(fold.ownSteps)
        let possible = steps(stack).count
        if count > possible, possible > 0, mayReachAll(stack, fold) {
          throw .fewerCommands(possible)
        }
      }
      var results: [Undone] = []
      for _ in 0..<max(count, 1) {
        let obstacle: Undone.Obstacle
        do throws(DaybookError) {
          guard let undone = try once() else {
            if results.isEmpty { throw try hasEarlierLog() ? .nothingInThisLog : nothing }
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

  /// Whether this device has begun its log anew, so that undo does not reach what it wrote before.
  private func hasEarlierLog() throws(DaybookError) -> Bool {
    if try localDevice.ownLog == nil, try localDevice.lastOwnLog != nil { return true }
    let devices = try deviceList.devices()
    let name = devices.first(where: \.isThis)?.name
    for device in devices where !device.isThis && device.hasLog {
      if device.isFormerKey, device.name == name { return true }
      // Only this device has the key that its logs are signed with.
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

  /// Undoes a step of the own log, with the lock held; what was edited since stays.
  func undo(_ step: Step?, of own: UniqueID) throws(DaybookError) {
    guard let step else { return }
    let fold = try undoReader.foldToUndo([own])
    _ = try undoWriter.takeBack(try fold.target(step, of: own), fold, .leaving)
  }
}
