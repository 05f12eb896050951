import Bytes

/// The files of a strand, divided at a loss.
struct ForkSplit {
  /// The loss that remains once the events after it have been moved away.
  let loss: Loss
  /// The names of the old files.
  let names: [SegmentName]
  /// The files with the events before the loss.
  private(set) var files: [ReadFile] = []
  /// The branch that the events after the loss belong to, if it is known.
  var branch: UniqueID?
  /// The events after the loss.
  private(set) var orphan: RepairPlan.OrphanedBranch?
  private var damaged: [SegmentName] = []

  init(loss: Loss, names: [SegmentName]) { (self.loss, self.names) = (loss, names) }

  /// Adds a file.
  ///
  /// The frames of the file can be before or after the hole.
  mutating func take(_ file: ReadFile, behind hole: ClosedRange<UInt64>) {
    let place =
      file.frames.firstIndex { $0.frame.firstSequence > hole.upperBound } ?? file.frames.count
    let (before, behind) = (file.frames[..<place], file.frames[place...])
    if file.isDamaged { damaged.append(file.name) }
    if let last = before.last {
      var name = file.name
      if case .sealed(let events) = name {
        name = .sealed(events.lowerBound...max(events.lowerBound, last.frame.lastSequence))
      }
      files.append(ReadFile(name: name, frames: Array(before)))
    }
    if let first = behind.first {
      let isWhole = before.isEmpty && !file.isDamaged
      let name = isWhole ? file.name : .tail(first.frame.firstSequence)
      // The branch would have this id if the lost events were one command.
      let strand =
        orphan?.strand ?? branch ?? .branch(firstCommandHash: first.frame.information.hash)
      let before = orphan?.files ?? []
      orphan = RepairPlan.OrphanedBranch(
        strand: strand,
        files: before + [RepairPlan.File(name: name, bytes: behind.flatMap(\.bytes))])
    }
  }

  /// Adds the old files and the orphaned branch to a plan.
  func complete(_ plan: inout RepairPlan) {
    let written = plan.written.map(\.name)
    plan.damaged = damaged
    plan.replaced = names.filter { !written.contains($0) }
    plan.orphan = orphan
  }
}
