import Platform
import Synchronization

/// Finds the entries of a disk that paths lead to.
struct PathFinder: Sendable {
  /// A cache of parsed paths.
  ///
  /// All copies of a disk share it, because a path has the same components on each of them.
  private let components = Components()
  /// Identifies the arrangement of the folders.
  ///
  /// Every change that may affect it sets a new number, which no copy of the disk has.
  private var tree = 0

  /// Forgets where paths lead, after a change that may affect the arrangement of the folders.
  mutating func forgetFolders() { tree = components.newTree() }

  /// The directory and the last name of a path, whether or not the name exists; nil for the root.
  func place(of path: Path, in image: Image) throws(Refusal) -> Place? {
    guard !path.string.isEmpty else { throw Refusal(.notFound) }
    let parts = components.parts(of: path)
    guard let last = parts.last else { return nil }
    if let known = components.directory(parts.parent, in: tree) {
      return Place(directory: known, name: last)
    }
    var directory = Node.root
    for name in parts.names.dropLast() {
      guard let next = image.node(at: Place(directory: directory, name: name)) else {
        throw Refusal(.notFound)
      }
      guard image.isDirectory(next) else { throw Refusal(.notADirectory) }
      directory = next
    }
    components.note(directory, as: parts.parent, in: tree)
    return Place(directory: directory, name: last)
  }
}

/// Caches parsed paths and the folders that they lead to.
///
/// Tests that try many disks do little else than look up paths.
private final class Components: Sendable {
  /// The components of a path.
  struct Parts {
    /// The names in the path, without `.`.
    var names: [Path]
    var last: Path? { names.last }
    /// A number for the list of all names but the last.
    var parent: Int
  }

  /// The key of a cached folder: the number of its path, in one arrangement of the folders.
  private struct Spot: Hashable {
    var tree: Int
    var path: Int
  }

  private struct State {
    var parts: [String: Parts] = [:]
    var parents: [[Path]: Int] = [:]
    var folders: [Spot: Node] = [:]
    var trees = 0
  }

  private let state = Mutex(State())

  func parts(of path: Path) -> Parts {
    state.withLock { state in
      if let parts = state.parts[path.string] { return parts }
      let names = path.string.utf8.split(separator: UInt8(ascii: "/"))
        .map { Path(String(Substring($0))) }.filter { $0.string != "." }
      let parent = Array(names.dropLast())
      let parts = Parts(names: names, parent: state.parents[parent] ?? state.parents.count)
      state.parents[parent] = parts.parent
      // Strings that are canonically equivalent are equal in Swift although their bytes differ, so only ASCII paths
      // are cached.
      if path.string.utf8.allSatisfy({ $0 < 0x80 }) { state.parts[path.string] = parts }
      return parts
    }
  }

  /// A number that no arrangement of folders has yet.
  func newTree() -> Int {
    state.withLock { state in
      state.trees += 1
      return state.trees
    }
  }

  func directory(_ path: Int, in tree: Int) -> Node? {
    state.withLock { $0.folders[Spot(tree: tree, path: path)] }
  }

  func note(_ directory: Node, as path: Int, in tree: Int) {
    state.withLock { state in
      // Most entries belong to arrangements that no disk has any more.
      if state.folders.count > 1_000 { state.folders = [:] }
      state.folders[Spot(tree: tree, path: path)] = directory
    }
  }
}
