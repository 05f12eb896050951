package import Platform

/// A watch on a directory of a simulated disk, which never waits.
///
/// The watch ends when the processes that use the disk end.
package final class SimulatedWatch: Watch, Ready {
  private let number: Int
  private let path: Path
  private let disk: SimulatedDisk

  init(_ number: Int, of path: Path, on disk: SimulatedDisk) {
    self.number = number
    self.path = path
    self.disk = disk
  }

  deinit { disk.with { $0.watches.end(number) } }

  package func wait(patienceMilliseconds: Int?) throws(DiskError) -> WatchNews {
    guard let watched = disk.with({ $0.watches.takeNews(of: number) }) else {
      throw DiskError(.watch, path, .closed)
    }
    if watched.isFull { return .anything }
    guard watched.names.isEmpty else { return .entries(watched.names.sorted().map(\.string)) }
    if watched.isEnded { throw DiskError(.watch, path, .notFound) }
    return .nothing
  }

  package func wake() {}

  var readiness: Interest {
    let watched = disk.with { $0.watches[number] }
    // A watch that has ended is also ready, because a wait then reports its end.
    return watched.map(\.isQuiet) ?? false ? [] : .reading
  }
}
