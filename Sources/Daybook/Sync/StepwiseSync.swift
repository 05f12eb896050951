package import Crypto
package import Platform
package import Syncing

/// One side of a sync over a line on which the peer has shown its key, done step by step.
///
/// This class is for callers that must not block or that bring their own line. The simulation does both.
package final class StepwiseSync {
  private let book: Book
  private let guest: BookReplica
  private let key: PublicKey
  private let before: Holdings
  private var peer: LinePeer

  /// Starts a sync, if the peer may take part in the book.
  package init(
    _ role: Session.Role, of book: Book, over line: any Line, with key: PublicKey
  ) throws(DaybookError) {
    try book.settler.prepareToSync()
    guard try book.peerAllowList.allowedPeers().admits(key, pinned: nil) else {
      throw .sync(.unwelcome(.notInvited))
    }
    (self.book, self.key) = (book, key)
    before = try book.holdingsReader.holdings()
    guest = BookReplica(of: book.replica, with: key)
    peer = LinePeer(
      role, over: line, holder: guest, timekeeper: book.machine.timekeeper, peerKey: key)
  }

  /// The work that has been done so far.
  package var report: SessionReport { peer.report }

  /// Does everything that is possible without blocking.
  package func advance() throws(SyncError) -> LinePeer.Progress {
    try peer.advance(patienceMilliseconds: 0)
  }

  /// Folds the received events, and remembers the peer if the sync succeeded.
  ///
  /// - Returns: The receipt, or nil if the line broke.
  /// - Throws: An error of the book or its disk. The received events are kept.
  @discardableResult
  package func conclude(isWhole: Bool) throws(DaybookError) -> Receipt? {
    guest.end()
    try book.settler.settleAfterSync()
    guard isWhole else { return nil }
    let syncOutcome = SyncOutcome(report, by: key, from: guest)
    try book.contactBook.noteSync(with: syncOutcome, at: nil)
    return try book.receipts.receipt(syncOutcome, since: before)
  }
}
