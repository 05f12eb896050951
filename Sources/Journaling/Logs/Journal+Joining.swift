import Bytes
import Platform

/// A strand that alone goes on where another one ends is no branch, or none any more: what else followed there is lost.
/// Its files go to those of the other, so that all who hold the same events call their logs the same.
extension Journal {
  /// Joins what no fork parts, but of a replica whose log this device writes: it has to be left first.
  mutating func joinStrands(besides own: UniqueID?) throws(JournalError) {
    while let (strand, trunk) = try joinable(besides: own) { try move(strand, behind: trunk) }
  }

  private func joinable(
    besides own: UniqueID?
  ) throws(JournalError) -> (strand: UniqueID, trunk: UniqueID)? {
    let strands = states.filter { $0.key != $0.value.replica && $0.value.replica != own }
    for (strand, state) in strands.sorted(by: { $0.key < $1.key }) {
      guard let before = state.before else { continue }
      let others = states.filter { $0.key != strand && $0.value.replica == state.replica }
      // More than one way on is a fork.
      if others.contains(where: { $0.value.first == state.first && $0.value.before == before }) {
        continue
      }
      let trunk = others.first { _, other in
        other.end.sequence == state.first - 1 && other.end.hash == before && other.ending.isSound
      }
      guard let (trunk, other) = trunk else { continue }
      // What lies there already, if only for its name, must not be written over.
      let folder = strandFolder(trunk, other)
      let files = try onDisk { () throws(DiskError) in try folder.segments() }
      if files.allSatisfy({ $0.first < state.first }) { return (strand, trunk) }
    }
    return nil
  }

  /// Moves the files of a strand, the first ones first: after a crash in between, the others wait for the next writer.
  private mutating func move(
    _ strand: UniqueID, behind trunk: UniqueID
  ) throws(JournalError) {
    guard let state = states[strand], let before = states[trunk] else { return }
    let (disk, from, to) = (disk, strandFolder(strand, state), strandFolder(trunk, before))
    try writing { () throws(DiskError) in
      let listing = try from.listing()
      for file in listing.counting + listing.covered {
        try disk.rename(from.path(of: file), to: to.path(of: file))
        try disk.flushDirectory(to.path)
        try disk.flushDirectory(from.path)
      }
      // Files that are none of the log's stay.
      guard try disk.list(from.path).isEmpty else { return }
      try disk.removeDirectory(from.path)
      try disk.flushDirectory(from.path.parent)
    }
    states[strand] = nil
    try load(trunk, of: state.replica, from: state.shelf)
    for losses in [before.losses, state.losses] {
      states[trunk]?.losses.add(events: losses.events)
      states[trunk]?.losses.add(bodies: losses.bodies)
    }
    if !state.losses.events.isEmpty { try saveHoles() }
    try findBranches()
  }
}
