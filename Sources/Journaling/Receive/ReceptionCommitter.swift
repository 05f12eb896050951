import Bytes

/// Stores staged frames, and repairs the losses that they can fill.
struct ReceptionCommitter {
  let index: LogIndex
  let writer: ReceptionWriter
  let lossKeeper: LossKeeper
  let eraser: BodyEraser
  let surveyor: BranchSurveyor
  let repairer: LossRepairer
  let branchRepairer: BranchRepairer

  /// Stores all staged events.
  ///
  /// The events are durable when the method returns.
  func commit(_ staged: inout StagedFrames) throws(JournalError) -> [UniqueID] {
    let before = staged.endsBefore ?? [:]
    let hasCome = !staged.receptions.isEmpty || !staged.fillers.isEmpty
    defer { (staged.fillers, staged.endsBefore) = ([:], nil) }
    var failure: JournalError?
    for strand in staged.receptions.keys.sorted() {
      try writer.storeProved(of: strand, in: &staged.receptions)
      if let reception = staged.receptions.removeValue(forKey: strand), !reception.drafts.isEmpty {
        failure = .unproved(reception.replica, sequence: reception.drafts[0].start.sequence)
      }
    }
    var healed = false
    for (strand, fillers) in staged.fillers.sorted(by: { $0.key < $1.key }) {
      if try repairer.heal(strand, with: fillers) { healed = true }
    }
    if healed { try lossKeeper.saveHoles() }
    try branchRepairer.removeHeldElsewhere()
    if hasCome { try branchRepairer.reattachBranches() }
    try surveyor.findBranches()
    if hasCome, try branchRepairer.removeTwins() { try surveyor.findBranches() }
    if hasCome, try branchRepairer.detachDoubtfulEvents() {
      try lossKeeper.saveHoles()
      try surveyor.findBranches()
    }
    if hasCome, try branchRepairer.addMissingTables() { try surveyor.findBranches() }
    // A frame that filled a hole may contain events of a block from which bodies were erased.
    if healed, !eraser.erasures.isEmpty {
      var report = StripReport()
      try eraser.strip(eraser.erasures, in: Set(staged.fillers.keys), into: &report)
    }
    if let failure { throw failure }
    let grown = index.allEnds.filter { $0.value.sequence > before[$0.key]?.sequence ?? 0 }
    return grown.keys.sorted()
  }
}
