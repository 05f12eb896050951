package import Platform
package import ReadModel

/// Detects that this or any other process has committed something to a book.
///
/// The monitor waits until a writer releases the lock. By then, the events are durable and usually folded. While no
/// process commits, the monitor does nothing.
package final class ChangeMonitor {
  private let layout: Layout
  private let detector: ChangeDetector
  private let watch: any Watch
  private var last: ViewVersion?

  /// Starts to watch for commits.
  ///
  /// All commits from now on are detected.
  package init(on core: BookCore) throws(DaybookError) {
    let folder = core.store.folder
    layout = folder.layout
    detector = ChangeDetector(store: core.store, projector: core.projector)
    watch = try wrap(DaybookError.disk) { () throws(DiskError) in
      try folder.machine.disk.watch(folder.layout.folder)
    }
  }

  /// The watch whose `wake()` ends the current or the next call of ``wait(patienceMilliseconds:)``.
  package var bell: any Watch { watch }

  /// Waits until something may have been committed.
  ///
  /// - Parameter patienceMilliseconds: The maximum time to wait. With nil, the call waits without limit; with zero, it
  ///   does not wait.
  /// - Returns: Whether something may have been committed; false if the time ran out, a signal arrived, or only other
  ///   files changed.
  ///
  /// - Throws: ``DaybookError/disk(_:)``, for example if the folder of the book was removed.
  package func wait(patienceMilliseconds: Int?) throws(DaybookError) -> Bool {
    let news = try wrap(DaybookError.disk) { () throws(DiskError) in
      try watch.wait(patienceMilliseconds: patienceMilliseconds)
    }
    switch news {
    case .nothing: return false
    case .anything: return true
    case .entries(let names):
      let telling = [layout.lock.name, layout.bookFile.name]
      return names.contains { telling.contains($0) }
    }
  }

  /// The current read model, and the documents that may have changed since the last call.
  package func look() throws(DaybookError) -> (model: ReadModel, touched: Touched) {
    let (before, now) = (last, try detector.viewVersion())
    last = now
    guard let before else { return (now.model, .anything) }
    return (now.model, try detector.touched(since: before, until: now))
  }
}
