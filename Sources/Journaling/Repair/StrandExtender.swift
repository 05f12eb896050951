import Bytes
import Platform

/// Adds the rest of a branch to a strand that already holds the first events of the branch.
///
/// If a strand is lost from a fork on, the first events of a branch may be restored to it, because its file names show
/// only that some events are missing there. The branch can then neither join the strand nor be distinguished from it.
struct StrandExtender {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let surveyor: BranchSurveyor
  let planner: RepairPlanner
  let repairer: LossRepairer
  let branchRepairer: BranchRepairer

  /// Extends all strands that end in the first events of their only branch there, except those of `own`, this device's
  /// own replica, and removes the branches.
  func extendStrands(besides own: UniqueID?) throws(JournalError) {
    var isNews = false
    for branch in index.states.keys.sorted() {
      guard let state = index.states[branch], state.replica != own, let trunk = state.trunk,
        !index.hasSibling(branch, state), try extend(trunk, with: branch, state)
      else { continue }
      isNews = true
    }
    guard isNews else { return }
    // The branches to remove are found from the branch points of the extended strands.
    try surveyor.findBranches()
    try branchRepairer.removeHeldElsewhere()
    try surveyor.findBranches()
  }

  /// Adds the events of a branch that follow the end of its trunk.
  ///
  /// - Returns: false if the trunk does not end in the branch, or if events of the branch are lost.
  private func extend(
    _ trunk: UniqueID, with branch: UniqueID, _ state: LogState
  ) throws(JournalError) -> Bool {
    guard let strand = index.states[trunk], strand.ending.isSound else { return false }
    let (end, last) = (strand.end.sequence, state.end.sequence)
    guard end >= state.first, end < last, state.losses.events.isEmpty,
      try finder.hash(in: branch, at: end) == strand.end.hash
    else { return false }
    let folder = store.folder(branch, state)
    var frames: [Filler] = []
    for name in try onDisk({ () throws(DiskError) in try folder.segments() }) {
      frames += try planner.read(name, in: folder).frames
    }
    let missing = end + 1...last
    let loss = Loss(events: missing, isEnd: true)
    guard let plan = try planner.plan(for: loss, of: trunk, with: frames),
      plan.filled == [missing], !plan.leavesHole
    else { return false }
    try repairer.apply(plan, on: trunk)
    try repairer.reread(trunk)
    return true
  }
}
