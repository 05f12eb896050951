import Bytes
import Platform

/// Joins strands that are not separated by a fork.
///
/// If only one strand continues another strand at its end, the continuing strand is not a branch, or is no longer one
/// because the other branches are lost. Its files move to the other strand, so devices that hold the same events use
/// the same ids for their logs.
struct StrandJoiner {
  let store: SegmentStore
  let index: LogIndex
  let loader: LogLoader
  let lossKeeper: LossKeeper
  let surveyor: BranchSurveyor

  /// Joins all strands that no fork separates, except those of `own`, this device's own replica.
  ///
  /// The strands of that replica can be joined only after this device has abandoned its log.
  func joinStrands(besides own: UniqueID?) throws(JournalError) {
    while let (strand, trunk) = try joinable(besides: own) { try move(strand, behind: trunk) }
  }

  private func joinable(
    besides own: UniqueID?
  ) throws(JournalError) -> (strand: UniqueID, trunk: UniqueID)? {
    let strands = index.states.filter { $0.key != $0.value.replica && $0.value.replica != own }
    for (strand, state) in strands.sorted(by: { $0.key < $1.key }) {
      guard let before = state.before, !index.hasSibling(strand, state) else { continue }
      let others = index.states.filter { $0.key != strand && $0.value.replica == state.replica }
      let trunk = others.first { _, other in
        other.end.sequence == state.first - 1 && other.end.hash == before && other.ending.isSound
      }
      guard let (trunk, other) = trunk else { continue }
      // Existing files must not be overwritten, even if only their names are in use.
      let folder = store.folder(trunk, other)
      let files = try onDisk { () throws(DiskError) in try folder.segments() }
      if files.allSatisfy({ $0.first < state.first }) { return (strand, trunk) }
    }
    return nil
  }

  /// Moves the files of the given strand in order.
  ///
  /// If a crash interrupts the move, the next writer moves the remaining files.
  private func move(
    _ strand: UniqueID, behind trunk: UniqueID
  ) throws(JournalError) {
    guard let state = index.states[strand], let before = index.states[trunk] else { return }
    let (from, to) = (store.folder(strand, state), store.folder(trunk, before))
    try store.writing { () throws(DiskError) in
      let listing = try from.listing()
      for file in listing.counting + listing.covered {
        try store.disk.rename(from.path(of: file), to: to.path(of: file))
        try store.disk.flushDirectory(to.path)
        try store.disk.flushDirectory(from.path)
      }
      // If the folder contains other files, it is kept.
      guard try store.disk.list(from.path).isEmpty else { return }
      try store.disk.removeDirectory(from.path)
      try store.disk.flushDirectory(from.path.parent)
    }
    index.states[strand] = nil
    try loader.load(trunk, of: state.replica, from: state.shelf)
    for losses in [before.losses, state.losses] {
      index.states[trunk]?.losses.add(events: losses.events)
      index.states[trunk]?.losses.add(bodies: losses.bodies)
    }
    if !state.losses.events.isEmpty { try lossKeeper.saveHoles() }
    try surveyor.findBranches()
  }
}
