import Platform
import Synchronization

/// Finds the entries of a disk to which paths refer.
struct PathFinder: Sendable {
  /// The parsed paths, which all copies of a disk share, because a path has the same components on every copy.
  private let spellings = Spellings()
  /// Identifies the arrangement of the folders.
  ///
  /// Every change that may affect the arrangement sets a new number, which no copy of the disk has used before.
  private var tree = 0

  /// Invalidates the cached folders of paths, after a change that may affect the arrangement of the folders.
  mutating func forgetFolders() { tree = spellings.newTree() }

  /// Returns the directory and the last name of the given path, even if the name does not exist; nil for the root.
  func place(of path: Path, in image: Image) throws(Refusal) -> Place? {
    guard !path.string.isEmpty else { throw Refusal(.notFound) }
    let (spelling, known) = spellings.find(path, in: tree)
    guard let last = spelling.last else { return nil }
    if let known { return Place(directory: known, name: last) }
    var directory = Node.root
    for name in spelling.folders {
      guard let next = image.node(at: Place(directory: directory, name: name)) else {
        throw Refusal(.notFound)
      }
      guard image.isDirectory(next) else { throw Refusal(.notADirectory) }
      directory = next
    }
    spellings.note(directory, as: spelling.parent, in: tree)
    return Place(directory: directory, name: last)
  }
}

/// A name in a directory, with a number that is faster to compare and hash than the bytes.
///
/// The numbers are valid for one disk and its copies.
struct Name: Hashable, Sendable {
  /// The name as a path with one component.
  ///
  /// Paths are compared by their bytes, as names on disks are.
  let path: Path
  fileprivate let number: Int

  static func == (left: Name, right: Name) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The components of a path, without `.`.
private final class Spelling: Sendable {
  /// All names but the last.
  let folders: [Name]
  /// The last name; nil for the root.
  let last: Name?
  /// A number that identifies the list of all names but the last.
  let parent: Int

  init(folders: [Name], last: Name?, parent: Int) {
    (self.folders, self.last, self.parent) = (folders, last, parent)
  }
}

/// Caches parsed paths and the folders to which they refer.
///
/// Tests that try many disks spend most of their time looking up paths.
private final class Spellings: Sendable {
  /// The folder to which a path most recently referred, and the arrangement of the folders at that time.
  private struct Known {
    var tree = -1
    var folder = Node.root
  }

  private struct State {
    var spellings: [Path: Spelling] = [:]
    var names: [Path: Name] = [:]
    var parents: [[Name]: Int] = [:]
    /// The cached folders, indexed by the numbers of the parents.
    var known: [Known] = []
    var trees = 0

    mutating func spelling(of path: Path) -> Spelling {
      if let spelling = spellings[path] { return spelling }
      var folders = path.string.utf8.split(separator: UInt8(ascii: "/"))
        .map { Path(String(Substring($0))) }.filter { $0.string != "." }.map { name(at: $0) }
      let last = folders.popLast()
      let spelling = Spelling(folders: folders, last: last, parent: parent(of: folders))
      spellings[path] = spelling
      return spelling
    }

    private mutating func name(at path: Path) -> Name {
      if let name = names[path] { return name }
      let name = Name(path: path, number: names.count)
      names[path] = name
      return name
    }

    private mutating func parent(of folders: [Name]) -> Int {
      if let parent = parents[folders] { return parent }
      let parent = parents.count
      parents[folders] = parent
      known.append(Known())
      return parent
    }
  }

  private let state = Mutex(State())

  /// Returns the components of the given path, and the folder that contains its last name, if that folder is known.
  func find(_ path: Path, in tree: Int) -> (spelling: Spelling, folder: Node?) {
    state.withLock { state in
      let spelling = state.spelling(of: path)
      let known = state.known[spelling.parent]
      return (spelling, known.tree == tree ? known.folder : nil)
    }
  }

  func note(_ folder: Node, as parent: Int, in tree: Int) {
    state.withLock { $0.known[parent] = Known(tree: tree, folder: folder) }
  }

  /// Returns a number that no arrangement of folders has had yet.
  func newTree() -> Int {
    state.withLock { state in
      state.trees += 1
      return state.trees
    }
  }
}
