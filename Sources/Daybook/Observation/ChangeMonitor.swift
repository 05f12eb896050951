package import Platform
package import ReadModel

/// Checks a book again when this or any other process has committed something.
///
/// It waits for the release of the lock that every writer holds. By then the events are durable, and in most cases
/// folded. While no process commits, it does nothing.
package final class ChangeMonitor {
  private let layout: Layout
  private let detector: ChangeDetector
  private let watch: any Watch
  private var last: ViewVersion?

  /// Starts to watch.
  ///
  /// Commits from now on are noticed.
  package init(on core: BookCore) throws(DaybookError) {
    let folder = core.store.folder
    layout = folder.layout
    detector = ChangeDetector(store: core.store, projector: core.projector)
    watch = try wrap(DaybookError.disk) { () throws(DiskError) in
      try folder.machine.disk.watch(folder.layout.folder)
    }
  }

  /// Its `wake()` ends the waiting call of ``wait(patienceMilliseconds:)``, or the next one.
  package var bell: any Watch { watch }

  /// Waits until something may have been committed.
  ///
  /// - Parameter patienceMilliseconds: How long to wait; nil means forever, and zero does not wait.
  /// - Returns: Whether something may have been committed. It is false if the time ran out, a signal came, or only
  ///   other files changed.
  ///
  /// - Throws: ``DaybookError/disk(_:)``, for example if the folder of the book is gone.
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

  /// The current read model, and what may have changed since the last call.
  package func look() throws(DaybookError) -> (model: ReadModel, touched: Touched) {
    let (before, now) = (last, try detector.viewVersion())
    last = now
    guard let before else { return (now.model, .anything) }
    return (now.model, try detector.touched(since: before, until: now))
  }
}
