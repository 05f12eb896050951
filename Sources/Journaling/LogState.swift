import Bytes
import Crypto
import Platform

/// What a journal knows of a log without reading all of it.
struct LogState: Sendable {
  var shelf: Journal.Shelf
  var end: LogEnd
  /// What the last block is salted with.
  var lastBlock: BlockSecrets?
  var tail: Tail?
  /// Whether the end is known as it was written, so that events may follow.
  var isSound = true
  /// Read from the first event when first needed.
  var publicKey: PublicKey?
}

/// The file that grows.
struct Tail: Sendable {
  var first: UInt64
  /// Up to the end of the last frame.
  var length: Int
  /// Bytes behind the last frame: zeros, or what is left of a write that was cut short.
  var excess = 0
  /// Whether all of it is known to be flushed.
  ///
  /// What an earlier process wrote may be in memory only, and marked as flushed though it is not.
  var isSettled: Bool
  /// Whether it ends in a head.
  var hasHead: Bool
}
