/// The parts of a journal, ordered so that each uses only earlier parts.
///
/// The only exception is the eraser, which also uses the quarantine.
struct JournalParts {
  let store: SegmentStore
  let index: LogIndex
  let eraser: BodyEraser

  init(_ store: SegmentStore) {
    (self.store, index) = (store, LogIndex())
    eraser = BodyEraser(store, index, Quarantine(store: store, index: index))
  }

  /// Reads the ends of all logs.
  func load(recalling logEndCache: LogEndCache?) throws(JournalError) {
    // If another process admits a log in the meantime, the log is found on the second shelf.
    for shelf in [LogShelf.aside, .logs] {
      for log in try store.logs(on: shelf) {
        try loader.load(log, from: shelf, recalling: logEndCache)
      }
    }
    try lossKeeper.loadHoles()
    try surveyor.findBranches()
  }

  // The parts that find stored events.
  var finder: FrameFinder { FrameFinder(store: store, index: index) }
  var surveyor: BranchSurveyor { BranchSurveyor(store: store, index: index, finder: finder) }
  var recaller: LogRecaller { LogRecaller(store: store, index: index) }
  var loader: LogLoader {
    LogLoader(store: store, index: index, surveyor: surveyor, recaller: recaller)
  }
  var lossKeeper: LossKeeper {
    LossKeeper(store: store, index: index, finder: finder, surveyor: surveyor)
  }
  var places: PlaceFinder { PlaceFinder(store: store, index: index, finder: finder) }

  // The parts that write.
  var flusher: Flusher { Flusher(store: store, index: index) }
  var quarantine: Quarantine { eraser.quarantine }
  var sealer: SegmentSealer {
    SegmentSealer(store: store, index: index, flusher: flusher, quarantine: quarantine)
  }
  var merger: SegmentMerger { SegmentMerger(store: store, index: index, sealer: sealer) }
  var tailWriter: TailWriter {
    TailWriter(
      store: store, index: index, sealer: sealer, flusher: flusher, quarantine: quarantine)
  }
  var appender: Appender {
    Appender(
      store: store, index: index, flusher: flusher, sealer: sealer, merger: merger,
      tailWriter: tailWriter)
  }

  // The parts that repair.
  var planner: RepairPlanner {
    RepairPlanner(store: store, index: index, finder: finder, eraser: eraser)
  }
  var repairer: LossRepairer {
    LossRepairer(
      store: store, index: index, finder: finder, loader: loader, lossKeeper: lossKeeper,
      quarantine: quarantine, flusher: flusher, planner: planner)
  }
  var branchRepairer: BranchRepairer {
    BranchRepairer(
      store: store, index: index, finder: finder, loader: loader, quarantine: quarantine,
      planner: planner, repairer: repairer)
  }
  var strayByteRemover: StrayByteRemover {
    StrayByteRemover(
      store: store, index: index, surveyor: surveyor, quarantine: quarantine, repairer: repairer)
  }
  var recovery: CrashRecovery {
    CrashRecovery(
      store: store, index: index, lossKeeper: lossKeeper, quarantine: quarantine,
      renewer: DoubtRenewer(
        store: store, index: index, loader: loader, lossKeeper: lossKeeper, surveyor: surveyor,
        quarantine: quarantine),
      remover: CoveredFileRemover(
        store: store, index: index, loader: loader, flusher: flusher, quarantine: quarantine,
        planner: planner),
      extender: StrandExtender(
        store: store, index: index, finder: finder, surveyor: surveyor, planner: planner,
        repairer: repairer, branchRepairer: branchRepairer),
      joiner: StrandJoiner(
        store: store, index: index, loader: loader, lossKeeper: lossKeeper, surveyor: surveyor))
  }

  // The parts that receive.
  var stripper: ArrivalStripper {
    ArrivalStripper(index: index, finder: finder, eraser: eraser)
  }
  var placer: FramePlacer {
    FramePlacer(index: index, finder: finder, eraser: eraser, lossKeeper: lossKeeper)
  }
  var writer: ReceptionWriter {
    ReceptionWriter(
      store: store, index: index, sealer: sealer, merger: merger, tailWriter: tailWriter,
      lossKeeper: lossKeeper)
  }
  var committer: ReceptionCommitter {
    ReceptionCommitter(
      index: index, writer: writer, lossKeeper: lossKeeper, eraser: eraser, surveyor: surveyor,
      repairer: repairer, branchRepairer: branchRepairer)
  }
  var admitter: LogAdmitter { LogAdmitter(store: store, index: index, flusher: flusher) }
  var receiver: Receiver {
    Receiver(store, index, finder, placer, stripper, writer, branchRepairer, committer)
  }
}
