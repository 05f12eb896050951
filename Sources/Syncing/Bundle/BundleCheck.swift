import Bytes
import Journaling
package import Platform

extension Bundle {
  /// Returns the problems, other than gaps, that a device without any events would have with a bundle.
  ///
  /// Every frame is received into a journal in memory, as it would be in a sync.
  package static func check(
    _ path: Path, on machine: Machine
  ) throws(SyncError) -> [SyncProblem] {
    let trial = Machine(
      disk: OverlayDisk(over: machine.disk), timekeeper: machine.timekeeper, dice: machine.dice,
      network: machine.network)
    let newcomer = try inJournal { () throws(JournalError) in
      // The name is random, so no folder of this name exists.
      try EmptyReplica(at: path.parent / ".trial-\(Hex.encode(machine.dice.bytes(8)))", on: trial)
    }
    return try read(path, into: newcomer, on: machine).problems.filter { problem in
      // A frame after a gap is meant for devices that hold the events before it.
      if case .log(.gap) = problem { false } else { true }
    }
  }
}

/// A device without any events, which accepts every log.
private final class EmptyReplica: Holder {
  private var journal: Journal

  init(at folder: Path, on machine: Machine) throws(JournalError) {
    journal = try Journal(at: folder, on: machine)
  }

  var hello: Hello {
    Hello(book: nil, replica: UniqueID.none, frontier: frontier)
  }

  // If the places cannot be read, this side claims to hold no events, so all of them are sent again.
  private var frontier: Frontier { Frontier((try? journal.places()) ?? []) }

  func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
    try inJournal { () throws(JournalError) in try journal.landmarks(for: other.places) }
  }

  func frames(
    of replica: UniqueID, lackedBy places: [Place]
  ) throws(SyncError) -> FrameStream {
    FrameStream { () throws(SyncError) in nil }
  }

  func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError) {
    try journal.receive(frame, of: replica, on: .logs)
  }

  func commit() throws(JournalError) -> Frontier {
    _ = try journal.commit()
    return frontier
  }
}
