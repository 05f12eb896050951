import Platform
import ReadModel
import Synchronization

/// Keeps all live queries of a book up to date, with one thread and one separate `Book` for any number of followers.
///
/// The thread runs while there are followers, and sleeps while no process commits. Equal queries share a feed, which
/// is read once for all followers.
package final class Watcher: Sendable {
  private struct State {
    var feeds: [any Feeding] = []
    /// Whether a keeper is running.
    var isKept = false
    /// The watch on which the keeper waits.
    var bell: (any Watch)?
  }

  private let state = Mutex(State())
  private let folder: Path
  private let machine: Machine
  private let view: ReadModel.Place

  init(of folder: Path, on machine: Machine, view: ReadModel.Place) {
    self.folder = folder
    self.machine = machine
    self.view = view
  }

  /// Starts to follow a query, and starts a keeper if none is running.
  func follow<Row: QueryRow>(_ query: Query<Row>) -> Following<Row> {
    let (following, mustStart) = state.withLock { state in
      let found = state.feeds.lazy.compactMap { $0 as? Feed<Row> }.first { $0.query == query }
      let feed = found ?? Feed(query)
      if found == nil { state.feeds.append(feed) }
      let following = (feed, feed.join())
      defer { if machine.beside != nil { state.isKept = true } }
      return (following, !state.isKept)
    }
    if mustStart { start() }
    wake()
    return Following(following.0, following.1, of: self)
  }

  /// Wakes the keeper, so that it checks the followers.
  func wake() { state.withLock { $0.bell }?.wake() }

  private func start() {
    machine.beside? { [self] in
      do throws(DaybookError) {
        let keeper = try Keeper(of: self)
        while try keeper.turn(patienceMilliseconds: nil) {}
      } catch {
        fail(error)
      }
    }
  }

  /// The feeds with followers.
  ///
  /// If there are none, the keeper ends.
  fileprivate func wanted() -> [any Feeding] {
    state.withLock { state in
      state.feeds.removeAll { !$0.isWanted }
      if state.feeds.isEmpty { (state.isKept, state.bell) = (false, nil) }
      return state.feeds
    }
  }

  fileprivate func fail(_ error: DaybookError) {
    let feeds = state.withLock { state in
      defer { state = State() }
      return state.feeds
    }
    for feed in feeds { feed.fail(error) }
  }

  fileprivate func changeMonitor() throws(DaybookError) -> ChangeMonitor {
    let changeMonitor = try ChangeMonitor(on: BookCore(at: folder, on: machine, view: view))
    state.withLock { $0.bell = changeMonitor.bell }
    return changeMonitor
  }
}

/// Keeps the feeds of a watcher up to date, one turn at a time.
///
/// On a machine without threads, the owner of the book calls ``turn(patienceMilliseconds:)``.
package final class Keeper {
  private let watcher: Watcher
  private let changeMonitor: ChangeMonitor

  package init(of watcher: Watcher) throws(DaybookError) {
    self.watcher = watcher
    changeMonitor = try watcher.changeMonitor()
  }

  /// Waits until something may have been committed, and updates all feeds.
  ///
  /// The call does not wait if a feed is new, and updates no feed if the wait ends without a commit.
  ///
  /// - Parameter patienceMilliseconds: The maximum time to wait. With nil, the call waits without limit; with zero, it
  ///   does not wait.
  /// - Returns: Whether there are followers.
  ///
  /// - Throws: ``DaybookError`` if the book cannot be read.
  @discardableResult
  package func turn(patienceMilliseconds: Int?) throws(DaybookError) -> Bool {
    let feeds = watcher.wanted()
    guard !feeds.isEmpty else { return false }
    let hasNew = feeds.contains { $0.isNew }
    if !hasNew {
      guard try changeMonitor.wait(patienceMilliseconds: patienceMilliseconds) else { return true }
    }
    let (model, touched) = try changeMonitor.look()
    for feed in feeds { try feed.refresh(from: model, touched: touched) }
    return true
  }
}
