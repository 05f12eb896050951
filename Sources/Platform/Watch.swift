/// Tells when the entries of one directory change, whoever changes them.
///
/// An entry changes when it comes, goes or gets another name, and when a file that was open for
/// writing is closed: what is written meanwhile is told by the closing, and by nothing before it.
/// Reading changes nothing. It may tell of an entry that is as it was. What happens while nobody waits is told to whoever waits next. The
/// watch follows its directory where that is moved, and ends with the last use of its value.
public protocol Watch: Pollable {
  /// Waits for the next change, and tells all there were since the last call.
  ///
  /// One caller waits at a time. A call may end early with ``WatchNews/nothing``, as it does when a
  /// signal reaches the process; whoever wants to go on calls again.
  ///
  /// - Parameter patienceMilliseconds: How long to wait; nil is for ever, and zero does not wait.
  /// - Returns: What has changed.
  /// - Throws: ``DiskFault/notFound`` once the directory is removed, and whatever the disk says.
  func wait(patienceMilliseconds: Int?) throws(DiskError) -> WatchNews

  /// Ends the call that waits, or else the next one, as soon as it has told what has changed.
  func wake()
}

/// What a ``Watch`` has to tell.
public enum WatchNews: Hashable, Sendable {
  /// Nothing: patience has run out, or somebody has woken the caller.
  case nothing
  /// The names of the entries that have changed, each once, sorted by their bytes.
  case entries([String])
  /// So much that it was not kept: anything may have changed.
  case anything
}
