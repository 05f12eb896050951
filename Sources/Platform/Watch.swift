/// Reports changes that any process makes to the entries of one directory.
///
/// An entry changes when it is created, removed or renamed, and when a file that was open for writing is closed; writes
/// before the file is closed are not reported, and neither are reads. An unchanged entry may be reported. Changes that
/// occur while no caller is waiting are reported to the next caller. The watch follows its directory when the directory
/// is moved, and ends when the watch is released.
public protocol Watch: Pollable {
  /// Waits for the next change, and returns all changes since the last call.
  ///
  /// Only one caller may wait at a time. The call may return early with ``WatchNews/nothing``, for example after a
  /// signal. To continue waiting, call the method again.
  ///
  /// - Parameter patienceMilliseconds: The maximum time to wait. If it is nil, the call waits indefinitely; if it is
  ///   zero, the call does not wait.
  /// - Returns: The changes.
  /// - Throws: ``DiskFault/notFound`` if the directory has been removed, or another error of the disk.
  func wait(patienceMilliseconds: Int?) throws(DiskError) -> WatchNews

  /// Ends the current wait, or the next wait if no caller is waiting; the wait still reports pending changes.
  func wake()
}

/// The result of a wait on a ``Watch``.
public enum WatchNews: Hashable, Sendable {
  /// Nothing has changed: the patience ended, the call was woken or a signal arrived.
  case nothing
  /// The names of the changed entries, without duplicates, sorted by their bytes.
  case entries([String])
  /// Changes were lost, so any entry may have changed.
  case anything
}
