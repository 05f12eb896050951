package import Bytes
package import Journaling

/// Someone who has a book's logs, and takes more of them.
///
/// A book is one; so are the small ones of the tests. A holder serves one sync at a time.
package protocol Holder: AnyObject {
  /// What it says of itself, up to date.
  var hello: Hello { get }

  /// Gives the frames with the events of a log behind a sequence, in order.
  ///
  /// The first may begin with events before that, where they cannot be cut away, and the last ends
  /// in a head. Where events are lost, what can be read behind them follows, or nothing.
  func forEachFrame(
    of log: UniqueID, after sequence: UInt64, _ visit: ([UInt8]) throws(SyncError) -> Void
  ) throws(SyncError)

  /// The chain hash of a log at a sequence, or nil where the event is not held.
  func hash(of log: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest?

  /// Checks a frame and keeps it in mind.
  ///
  /// Events that are held already, and those of a frame staged before, are passed over. When it
  /// throws, what was staged of the log may be forgotten.
  func stage(_ frame: [UInt8], of log: UniqueID) throws(JournalError)

  /// Puts on the disk what was staged, as far as heads prove it, and tells what is held then.
  ///
  /// The rest is forgotten. When it throws, what was staged of the log at fault is forgotten, and a
  /// second call goes on with the others.
  func commit() throws(JournalError) -> Frontier
}

extension JournalError {
  /// Whether it concerns one log only, and is no sign of a forger.
  ///
  /// The log stays as it is from there on; the others go on.
  var isConfined: Bool {
    switch self {
    case .gap, .forked, .asideFull, .damaged, .unproved: true
    default: false
    }
  }
}
