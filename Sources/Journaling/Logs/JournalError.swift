package import Bytes
package import Crypto
package import Platform

/// Why a journal did not do what it was asked.
package enum JournalError: Error, Hashable, Sendable {
  case disk(DiskError)
  /// A flush failed before: what is on the disk is in doubt, and nothing more is written.
  case poisoned
  /// Another process is writing to the book.
  case locked(holder: String?)
  case unknownLog(UniqueID)
  case logExists(UniqueID)
  /// The end of the log cannot be read as it was written, so nothing may follow it.
  case damaged(UniqueID)
  /// The log has a frame of a version that is not known here, so nothing is written.
  case newer(UniqueID, version: UInt8)
  /// Another process has written to the log since this journal was opened.
  case changed(UniqueID)
  /// An event is not what events are, and was not written.
  case unwritable(UniqueID, FrameError)
  /// A command is larger than commands may be.
  case commandTooLarge(eventCount: Int, byteCount: Int)
  case signing(CryptoError)
  /// What a peer sent is no frame.
  case refused(UniqueID, FrameError)
  /// Events between those held and those sent are missing.
  case gap(UniqueID, held: UInt64, received: UInt64)
  /// The replica's log forked more often than logs may.
  case tooManyBranches(UniqueID)
  /// The frame says something else of the log before it than is known.
  case unjoined(UniqueID, sequence: UInt64)
  /// The log's first event does not make the log's id.
  case wrongOpening(UniqueID)
  /// The signature is not one of the log's key.
  case wrongHead(UniqueID, sequence: UInt64)
  /// Events were sent without a head that proves them.
  case unproved(UniqueID, sequence: UInt64)
  /// The device that writes the log has reached its quota.
  case overQuota(UniqueID)
  /// Events of the log that are held came again and again.
  case replayed(UniqueID)
  /// Logs that nobody has admitted may not take more room.
  case asideFull
}

/// Runs what a disk may refuse.
func onDisk<Value>(_ body: () throws(DiskError) -> Value) throws(JournalError) -> Value {
  do throws(DiskError) { return try body() } catch { throw .disk(error) }
}
