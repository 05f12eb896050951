import Bytes
import Crypto
import Platform

/// What a journal knows of a strand without reading all of it.
///
/// A strand is what lies in one folder: the log of a replica as it came first, or what follows a fork of it.
struct LogState: Sendable {
  var shelf: Journal.Shelf
  /// Who wrote it.
  var replica: UniqueID
  /// The strand's first event.
  var first: UInt64 = 1
  /// The chain hash before that, of a strand that follows a fork.
  var base: Digest?
  var end: LogEnd
  /// What the last block is salted with.
  var lastBlock: BlockSecrets?
  var tail: Tail?
  /// Whether the end is known as it was written, so that events may follow.
  var isSound = true
  /// Events behind the end that a file is named after and that cannot be read.
  var lostEnd: ClosedRange<UInt64>?
  /// The version of a frame at the end that is newer than what is known here.
  var newerVersion: UInt8?
  /// Events below the end that are known to be lost, in order.
  var holes: [ClosedRange<UInt64>] = []
  /// Events whose bodies are lost.
  var bodiless: [ClosedRange<UInt64>] = []
  /// Whether the names of its files, and of the folders these lie in, are known to be flushed.
  ///
  /// An earlier process may have ended after it gave a name and before it flushed the folder.
  var isNamed = false
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
  /// How many frames it holds.
  var frameCount = 1
}
