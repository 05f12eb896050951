package import Crypto
package import Platform
package import Syncing

/// One side of a sync over a line whose other end has shown a key already, done step by step.
///
/// It serves those who may not wait: a simulation, or whoever has lines of another kind than the program's own.
package final class StepwiseSync {
  private let book: Book
  private let guest: BookReplica
  private let key: PublicKey
  private let before: Holdings
  private var peer: LinePeer

  /// Begins, if the holder of the key may take part in the book.
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

  /// What was done up to now.
  package var report: SessionReport { peer.report }

  /// Does what can be done without waiting.
  package func advance() throws(SyncError) -> LinePeer.Progress {
    try peer.advance(patienceMilliseconds: 0)
  }

  /// Puts what has come where it belongs, and remembers the other side where all went well.
  ///
  /// - Returns: What the sync came to, or nil where it broke.
  /// - Throws: What the book or its disk says; what has come is kept nevertheless.
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
