import Platform

/// A watched directory, with the news that the watch has not yet delivered.
struct Watched: Sendable {
  let directory: Node
  var names: Set<Path> = []
  var isEnded = false
  var isFull = false

  var isQuiet: Bool { names.isEmpty && !isEnded && !isFull }

  /// The maximum number of names to keep, which is about the length of a real queue.
  static let limit = 16_384

  mutating func note(_ name: Path) {
    guard names.count < Self.limit || names.contains(name) else {
      isFull = true
      return
    }
    names.insert(name)
  }
}

/// The watches on a disk's directories, each with the news that it has not yet delivered.
struct Watches: Sendable {
  private var watched: [Int: Watched] = [:]
  private var last = 0

  subscript(watch: Int) -> Watched? { watched[watch] }

  /// Begins to watch a directory, and returns the number of the watch.
  mutating func add(of directory: Node) -> Int {
    last += 1
    watched[last] = Watched(directory: directory)
    return last
  }

  mutating func end(_ watch: Int) { watched[watch] = nil }

  mutating func endAll() { watched = [:] }

  /// Returns a watch's news and clears it, except for the news that the directory has been removed.
  mutating func takeNews(of watch: Int) -> Watched? {
    guard let news = watched[watch] else { return nil }
    watched[watch]?.names = []
    watched[watch]?.isFull = false
    return news
  }

  /// Notifies the watches on the affected directories of names that were added, removed or moved.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - image: The contents of the disk before the change.
  mutating func tell(of change: Change, in image: Image) {
    guard !watched.isEmpty else { return }
    switch change {
    case .write, .truncate: return
    case .enter(_, let place, _): tell(place)
    case .leave(let node, let place):
      tell(place)
      tellEnd(of: node)
    case .move(_, let from, let to):
      tell(from)
      tell(to)
      if let replaced = image.node(at: to) { tellEnd(of: replaced) }
    }
  }

  /// Ends the watches of a removed directory.
  private mutating func tellEnd(of directory: Node) {
    for number in watched.keys where watched[number]?.directory == directory {
      watched[number]?.isEnded = true
    }
  }

  /// Notifies the watches of a file that was open for writing and has just been closed.
  mutating func tellClosed(_ node: Node, in image: Image) {
    for (number, watch) in watched {
      let names = image.directories[watch.directory] ?? [:]
      for (name, entry) in names where entry == node { watched[number]?.note(name.path) }
    }
  }

  private mutating func tell(_ place: Place) {
    for number in watched.keys where watched[number]?.directory == place.directory {
      watched[number]?.note(place.name.path)
    }
  }
}
