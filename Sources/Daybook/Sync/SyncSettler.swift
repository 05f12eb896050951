import Bytes
import Journaling

/// Prepares the book for a sync, and folds the received events afterwards.
struct SyncSettler {
  let store: LogStore
  let access: WriteAccess
  let ownLogKeeper: OwnLogKeeper
  let projector: Projector
  let losses: LossReader
  let eraser: Eraser
  let writer: EventWriter
  let shelves: ShelfKeeper

  /// Makes durable everything that a crash may have left in doubt, and ensures that this device has a log.
  ///
  /// Events that are sent must not be lost here afterwards, and other devices can admit this device only if it has a
  /// log.
  func prepareToSync() throws(DaybookError) {
    try access.withLock { () throws(DaybookError) in
      if store.file.book != .none { _ = try ownLogKeeper.ownLogForWriting() }
      try wrap(DaybookError.journal) { () throws(JournalError) in try store.settleJournal() }
    }
    try losses.recordLosses()
    writer.rememberTrust()
    try eraser.keepReview()
    store.journal.erasures = try eraser.commonErasures()
    // Erased bodies must not be sent, so they are removed first.
    try eraser.finishErasureLeft()
  }

  /// Moves logs to their shelves, folds the received events, and removes the bodies that other devices have erased.
  func settleAfterSync() throws(DaybookError) {
    try store.refreshJournal()
    // The received events can be sent to other peers, as can the events that other processes have written meanwhile.
    try wrap(DaybookError.journal) { () throws(JournalError) in try access.settleUnderLock() }
    try shelves.settleShelves()
    // If the read model was removed meanwhile, rebuild it.
    if projector.isViewForgotten { try projector.rebuild() }
    _ = try projector.view()
    // Recovered events are in the read model again, but events that were accepted as lost are not.
    if try losses.isWhole() {
      try ViewsBeforeLoss(of: store.layout, on: store.machine).remove()
    }
    writer.rememberTrust()
    try eraser.keepReview()
    try eraser.finishErasing()
  }
}
