package import Platform

/// A watch on a directory of a simulated disk, which never waits.
///
/// It ends with the processes that use the disk.
package final class SimulatedWatch: Watch, Ready {
  private let number: Int
  private let path: Path
  private let disk: SimulatedDisk

  init(_ number: Int, of path: Path, on disk: SimulatedDisk) {
    self.number = number
    self.path = path
    self.disk = disk
  }

  deinit { disk.with { $0.watches[number] = nil } }

  package func wait(patienceMilliseconds: Int?) throws(DiskError) -> WatchNews {
    guard let watched = disk.with({ $0.takeNews(of: number) }) else {
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
    // A watch that has ended is ready too, because a wait reports that.
    return watched.map(\.isQuiet) ?? false ? [] : .reading
  }
}

/// A watched directory, with the news that its watch has not delivered yet.
struct Watched: Sendable {
  let directory: Node
  var names: Set<Path> = []
  var isEnded = false
  var isFull = false

  var isQuiet: Bool { names.isEmpty && !isEnded && !isFull }

  /// The largest number of names that is kept, about the length of a real queue.
  static let limit = 16_384

  mutating func note(_ name: Path) {
    guard names.count < Self.limit || names.contains(name) else {
      isFull = true
      return
    }
    names.insert(name)
  }
}

extension DiskState {
  /// Returns the news of a watch, and forgets it, except that the directory was removed.
  mutating func takeNews(of watch: Int) -> Watched? {
    guard let watched = watches[watch] else { return nil }
    watches[watch]?.names = []
    watches[watch]?.isFull = false
    return watched
  }

  /// Tells the watches of the affected directories about names that were added, removed or moved.
  ///
  /// A move must be told before it is made, because it may replace a directory that is watched.
  mutating func tell(of change: Change) {
    switch change {
    case .write, .truncate: return
    case .enter(_, let place, _): tell(place)
    case .leave(let node, let place):
      tell(place)
      tellEnd(of: node)
    case .move(_, let from, let to):
      tell(from)
      tell(to)
      if let replaced = visible.directories[to.directory]?[to.name] { tellEnd(of: replaced) }
    }
  }

  /// Ends the watches of a directory that is removed.
  private mutating func tellEnd(of directory: Node) {
    for number in watches.keys where watches[number]?.directory == directory {
      watches[number]?.isEnded = true
    }
  }

  /// Tells the watches about a file that was open for writing and is closed now.
  mutating func tellClosed(_ node: Node) {
    for (number, watched) in watches {
      let names = visible.directories[watched.directory] ?? [:]
      for (name, entry) in names where entry == node { watches[number]?.note(name) }
    }
  }

  private mutating func tell(_ place: Place) {
    for number in watches.keys where watches[number]?.directory == place.directory {
      watches[number]?.note(place.name)
    }
  }
}
