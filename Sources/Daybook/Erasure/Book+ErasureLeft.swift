import Bytes
import Journaling
package import Platform
import ReadModel
import Syncing

// Interrupted erasures: the event is durable and hides the record, but its bytes are still in files here.

extension Book {
  /// Whether files here may still contain erased bytes.
  ///
  /// Events that came after the last stripping do not matter: they are stripped on arrival.
  package func hasErasureLeft() throws(DaybookError) -> Bool {
    guard file.book != .none else { return false }
    guard try !remembered(by: try view()).ledger.erasing.erases.isEmpty else { return false }
    return try !wasLookedThrough(for: try commonErasures())
  }

  /// Removes the bytes that an interrupted erasure has left.
  ///
  /// - Throws: ``DaybookError/erasureLeft(_:)`` if they cannot be removed.
  package func finishErasureLeft() throws(DaybookError) {
    guard try hasErasureLeft() else {
      erasureFailure = nil
      return
    }
    if isLocked {
      if let failure = try stripErasedOrTell().failure { throw failure }
    } else {
      try withLock { () throws(DaybookError) in
        if let failure = try stripErasedOrTell().failure { throw failure }
      }
    }
  }

  /// Strips all files of erased bytes; a disk error is returned with the report of what was done.
  func stripErasedOrTell() throws(DaybookError) -> (report: StripReport, failure: DaybookError?) {
    do throws(DaybookError) {
      let report = try stripErased()
      erasureFailure = nil
      return (report, nil)
    } catch {
      guard let fault = error.diskFault else { throw error }
      erasureFailure = fault
      return (StripReport(), .erasureLeft(error))
    }
  }
}

extension DaybookError {
  /// The disk error behind this error, if there is one.
  package var diskFault: DiskError? {
    switch self {
    case .disk(let fault), .journal(.disk(let fault)), .view(.disk(let fault)),
      .sync(.disk(let fault)), .sync(.journal(.disk(let fault))):
      fault
    case .erasureLeft(let error): error.diskFault
    case .storedBefore(_, let error): error.diskFault
    default: nil
    }
  }
}
