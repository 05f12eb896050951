package import Platform
package import ReadModel

/// A book that is looked at again when something was committed to it, by this or any other process.
///
/// It waits for the end of the lock that every writer holds: by then what was written is durable, and most
/// often posted. While nobody commits, nothing is done at all.
package final class ChangeMonitor {
  private let layout: Layout
  private let detector: ChangeDetector
  private let watch: any Watch
  private var last: ViewVersion?

  /// Begins to watch; what is committed from now on is seen.
  package init(on core: BookCore) throws(DaybookError) {
    let folder = core.store.folder
    layout = folder.layout
    detector = ChangeDetector(store: core.store, projector: core.projector)
    watch = try wrap(DaybookError.disk) { () throws(DiskError) in
      try folder.machine.disk.watch(folder.layout.folder)
    }
  }

  /// What ends the call of ``wait(patienceMilliseconds:)`` that waits, or the next one.
  package var bell: any Watch { watch }

  /// Waits until something may have been committed.
  ///
  /// - Parameter patienceMilliseconds: How long to wait; nil is for ever, and zero does not wait.
  /// - Returns: Whether it may; not when patience ran out or a signal came.
  /// - Throws: ``DaybookError/disk(_:)``, as when the book's folder is gone.
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

  /// The read model as it is now, and what may be different since it was asked for the last time.
  package func look() throws(DaybookError) -> (model: ReadModel, touched: Touched) {
    let (before, now) = (last, try detector.viewVersion())
    last = now
    guard let before else { return (now.model, .anything) }
    return (now.model, try detector.touched(since: before, until: now))
  }
}
