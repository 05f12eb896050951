import Bytes
import Journaling

/// Prepares the book for a sync, and puts what has come where it belongs.
struct SyncSettler {
  let store: LogStore
  let access: WriteAccess
  let ownLogKeeper: OwnLogKeeper
  let projector: Projector
  let losses: LossReader
  let eraser: Eraser
  let writer: EventWriter
  let shelves: ShelfKeeper

  /// Makes durable what a crash may have left in doubt, and notes that this device takes part.
  ///
  /// What is sent must not be lost here afterwards, and others can admit a device only by its log.
  func prepareToSync() throws(DaybookError) {
    try access.withLock { () throws(DaybookError) in
      if store.file.book != .none { _ = try ownLogKeeper.ownLogForWriting() }
      try wrap(DaybookError.journal) { () throws(JournalError) in try store.settleJournal() }
    }
    try losses.recordLosses()
    writer.rememberTrust()
    try eraser.keepReview()
    store.journal.erasures = try eraser.commonErasures()
    // Nothing that is erased may be sent, so its bytes are removed first.
    try eraser.finishErasureLeft()
  }

  /// Puts what has come where it belongs, and posts it.
  func settleAfterSync() throws(DaybookError) {
    try store.refreshJournal()
    // What comes of a sync is told on, with what others have written meanwhile.
    try wrap(DaybookError.journal) { () throws(JournalError) in try access.settleUnderLock() }
    try shelves.settleShelves()
    // Made anew where it was taken away, with what it had.
    if projector.isViewForgotten { try projector.rebuild() }
    _ = try projector.view()
    // What came back is in the read model again.
    if try losses.gaps().isEmpty {
      try ViewsBeforeLoss(of: store.layout, on: store.machine).remove()
    }
    writer.rememberTrust()
    try eraser.keepReview()
    try eraser.finishErasing()
  }
}
