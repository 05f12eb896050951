/// Reports changes to the entries of one directory, by any process.
///
/// An entry changes when it is created, removed or renamed, and when a file that was open for writing is closed;
/// writes before that are not reported. Reads are not reported. An unchanged entry may be reported. Changes while no
/// caller waits are reported to the next caller. The watch follows its directory when it is moved, and ends when its
/// value is released.
public protocol Watch: Pollable {
  /// Waits for the next change, and returns all changes since the last call.
  ///
  /// Only one caller may wait at a time. The call may return early with ``WatchNews/nothing``, for example after a
  /// signal; to continue, call it again.
  ///
  /// - Parameter patienceMilliseconds: The maximum time to wait. With nil the call waits indefinitely, with zero it
  ///   does not wait.
  /// - Returns: The changes.
  /// - Throws: ``DiskFault/notFound`` after the directory is removed, or another error of the disk.
  func wait(patienceMilliseconds: Int?) throws(DiskError) -> WatchNews

  /// Ends the current wait, or the next wait if no caller is waiting; that wait still reports pending changes.
  func wake()
}

/// The result of a wait on a ``Watch``.
public enum WatchNews: Hashable, Sendable {
  /// No change: the patience ended, the call was woken or a signal arrived.
  case nothing
  /// The names of the changed entries, each once, sorted by their bytes.
  case entries([String])
  /// Changes were lost, so any entry may have changed.
  case anything
}
