import Bytes
import Journaling
package import Platform

extension Bundle {
  /// What who has nothing would not take of a bundle, though all before it is there.
  ///
  /// Each frame is received as a sync receives it, by a journal in memory.
  package static func check(
    _ path: Path, on machine: Machine
  ) throws(SyncError) -> [SyncProblem] {
    let trial = Machine(
      disk: OverlayDisk(over: machine.disk), timekeeper: machine.timekeeper, dice: machine.dice,
      network: machine.network)
    let newcomer = try inJournal { () throws(JournalError) in
      // Under a name that nobody else chooses, so that nothing is there.
      try EmptyReplica(at: path.parent / ".trial-\(Hex.encode(machine.dice.bytes(8)))", on: trial)
    }
    return try read(path, into: newcomer, on: machine).problems.filter { problem in
      // What begins later is for one who has what comes before.
      if case .log(.gap) = problem { false } else { true }
    }
  }
}

/// Somebody who has nothing, and takes every log for one of the book's.
private final class EmptyReplica: Holder {
  private var journal: Journal

  init(at folder: Path, on machine: Machine) throws(JournalError) {
    journal = try Journal(at: folder, on: machine)
  }

  var hello: Hello {
    Hello(book: nil, replica: UniqueID.none, frontier: frontier)
  }

  // What cannot be read is not told, and so comes once more.
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
