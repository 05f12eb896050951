package import Bytes
package import Crypto
package import Platform

/// An error that prevented a journal operation.
package enum JournalError: Error, Hashable, Sendable {
  case disk(DiskError)
  /// A flush failed earlier. The state of the disk is in doubt, and nothing more is written.
  case poisoned
  /// Another process is writing to the book.
  case locked(holder: String?)
  case unknownLog(UniqueID)
  case logExists(UniqueID)
  /// The end of the log is damaged, so no event can be appended.
  case damaged(UniqueID)
  /// The log contains a frame of a newer format version, so nothing is written.
  case newer(UniqueID, version: UInt8)
  /// Another process has written to the log since this journal was opened.
  case changed(UniqueID)
  /// An event was not written, because it would not have been valid.
  case unwritable(UniqueID, FrameError)
  /// A command exceeds the size limit.
  case commandTooLarge(eventCount: Int, byteCount: Int)
  case signing(CryptoError)
  /// The bytes that a peer sent are not a valid frame of the log.
  case refused(UniqueID, FrameError)
  /// The events between the end of the log and the received frame are missing.
  case gap(UniqueID, held: UInt64, received: UInt64)
  /// The log has forked more often than the limit allows.
  case tooManyBranches(UniqueID)
  /// The log end that the frame states before its events differs from the known end.
  case unjoined(UniqueID, sequence: UInt64)
  /// The id of the log does not match its first event.
  case wrongOpening(UniqueID)
  /// The signature does not match the key of the log.
  case wrongHead(UniqueID, sequence: UInt64)
  /// A peer sent events without a head that proves them.
  case unproved(UniqueID, sequence: UInt64)
  /// The device that writes the log has reached its quota.
  case overQuota(UniqueID)
  /// A peer sent the same stored events too many times.
  case replayed(UniqueID)
  /// The logs that no member has admitted have reached their size limit.
  case asideFull
}

/// Runs a disk operation, and throws its error as a journal error.
func onDisk<Value>(_ body: () throws(DiskError) -> Value) throws(JournalError) -> Value {
  do throws(DiskError) { return try body() } catch { throw .disk(error) }
}
