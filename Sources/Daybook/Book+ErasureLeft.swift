import Bytes
import Journaling
package import Platform
import ReadModel
import Syncing

// Erasures that were cut short: the event is durable and hides the record, and its bytes are still in files here.

extension Book {
  /// Whether bytes of something that is erased may still be in files here.
  ///
  /// A log that has only grown since it was looked through is another matter: what comes is stripped as it comes.
  package func hasErasureLeft() throws(DaybookError) -> Bool {
    guard file.book != .none else { return false }
    guard try !remembered(by: try view()).ledger.erasing.erases.isEmpty else { return false }
    return try !wasLookedThrough(for: try commonErasures())
  }

  /// Takes the bytes out that an erasure has left, if there are any.
  ///
  /// - Throws: ``DaybookError/erasureLeft(_:)`` where they stay.
  package func finishErasureLeft() throws(DaybookError) {
    #if PLANTED
    if Planted.keepErased.isOn { return }
    #endif
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

  /// Strips all files of what is erased; where the disk does not let it, says so beside what was done.
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
  /// What the disk said, where it is that which has failed.
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
