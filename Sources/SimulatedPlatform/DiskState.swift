import Platform
import Synchronization

/// Why a simulated call fails; ``SimulatedDisk`` adds the operation and the path.
struct Refusal: Error {
  let reason: DiskFault

  init(_ reason: DiskFault) { self.reason = reason }
}

/// The file that a token refers to.
struct Handle: Sendable {
  let node: Node
  let path: Path
  let access: Access
}

/// The whole state of a simulated disk, as a value.
///
/// `visible` is `durable` with the pending changes applied, except for bytes that a failed flush has abandoned.
struct DiskState: Sendable {
  var visible = Image()
  var durable = Image()
  /// The changes that are visible but not durable, in the order in which they were made.
  var pending: [Change] = []
  var handles: [FileToken: Handle] = [:]
  var locks: [Node: FileToken] = [:]
  var weather = Weather()
  /// The watches on directories, each with the news that it has not delivered.
  var watches: [Int: Watched] = [:]
  /// A cache of parsed paths.
  ///
  /// All copies of a disk share it, because a path has the same components on each of them.
  private let components = Components()
  /// Identifies the arrangement of the folders.
  ///
  /// Every change that may affect it sets a new number, which no copy of the disk has.
  private var tree = 0
  private var lastNode = 0
  private var lastWatch = 0
  private var lastToken: Int32 = 0

  var usedBytes: Int { visible.files.values.reduce(0) { $0 + $1.bytes.count } }

  mutating func change(_ change: Change) {
    if change.mayMoveFolders(in: visible) { tree = components.newTree() }
    if !watches.isEmpty { tell(of: change) }
    visible.apply(change)
    pending.append(change)
  }

  mutating func makeNode() -> Node {
    lastNode += 1
    return Node(number: lastNode)
  }

  mutating func makeToken(_ handle: Handle) -> FileToken {
    lastToken += 1
    let token = FileToken(number: lastToken)
    handles[token] = handle
    return token
  }

  mutating func makeWatch(of directory: Node) -> Int {
    lastWatch += 1
    watches[lastWatch] = Watched(directory: directory)
    return lastWatch
  }

  mutating func close(_ file: FileToken) {
    guard let handle = handles.removeValue(forKey: file) else { return }
    if locks[handle.node] == file { locks[handle.node] = nil }
    if !watches.isEmpty, handle.access != .read { tellClosed(handle.node) }
  }

  // MARK: Flushing and crashing

  mutating func flush(_ node: Node) {
    settle { $0.node == node && $0.directories.isEmpty }
  }

  mutating func flushDirectory(_ directory: Node) {
    // A move between directories is one step in the journal of the file system, so a flush of one directory also
    // includes the pending changes of the other.
    var flushed: Set<Node> = [directory]
    var count = 0
    while count < flushed.count {
      count = flushed.count
      for change in pending where change.directories.contains(where: flushed.contains) {
        flushed.formUnion(change.directories)
      }
    }
    settle { $0.directories.contains(where: flushed.contains) }
    collect()
  }

  /// Makes the pending changes that match durable, in order.
  private mutating func settle(_ isFlushed: (Change) -> Bool) {
    for change in pending where isFlushed(change) { durable.apply(change) }
    pending.removeAll(where: isFlushed)
  }

  /// Forgets files that cannot be reached again by a name, a token or a crash.
  private mutating func collect() {
    visible.forgetUnreachable(except: Set(handles.values.map(\.node)))
    var alive = Set(visible.files.keys).union(visible.directories.keys)
    alive.formUnion(pending.lazy.filter { !$0.directories.isEmpty }.map(\.node))
    durable.forgetUnreachable(except: alive)
    alive.formUnion(durable.files.keys)
    pending.removeAll { $0.directories.isEmpty && !alive.contains($0.node) }
  }

  /// Drops the unflushed changes of a file: they stay visible and never become durable.
  mutating func abandon(_ file: FileToken) {
    guard let node = handles[file]?.node else { return }
    pending.removeAll { $0.node == node && $0.directories.isEmpty }
  }

  /// Resets the visible bytes of a file to its durable bytes with the pending changes applied.
  mutating func forgetCached(_ node: Node) {
    var image = Image()
    image.files[node] = durable.files[node] ?? Content()
    for change in pending where change.node == node && change.directories.isEmpty {
      image.apply(change)
    }
    visible.files[node] = image.files[node]
  }

  /// Writes the first half of `bytes` if the write that just failed was to stop halfway.
  mutating func writeHalf(of bytes: [UInt8], to file: FileToken, at offset: Int, _ now: Moment) {
    guard weather.isHalfway, let handle = handles[file] else { return }
    // The first half can fail by itself, for example on a full disk.
    try? write(handle, Array(bytes.prefix(bytes.count / 2)), at: offset, now)
    weather.isHalfway = false
  }

  mutating func kill() {
    handles = [:]
    locks = [:]
    watches = [:]
  }

  mutating func crash(keeping survival: Survival) {
    kill()
    durable.settle(pending, survival)
    pending = []
    visible = durable
    tree = components.newTree()
  }

  mutating func rot(_ path: Path, at offset: Int, flipping bits: UInt8) {
    // If the path leads nowhere, there is nothing to damage.
    guard let node = try? node(at: path) else { return }
    if offset < bytes(of: node).count { visible.files[node]?.bytes[offset] ^= bits }
    if offset < durable.files[node]?.bytes.count ?? 0 {
      durable.files[node]?.bytes[offset] ^= bits
    }
    pending = pending.map { change in
      guard case .write(node, let start, var bytes, let moment) = change,
        bytes.indices.contains(offset - start)
      else { return change }
      bytes[offset - start] ^= bits
      return .write(node, at: start, bytes, moment)
    }
  }

  // MARK: Finding

  /// The node at a path; nil if only its last name is missing.
  func node(at path: Path) throws(Refusal) -> Node? {
    guard let place = try place(of: path) else { return .root }
    return visible.directories[place.directory]?[place.name]
  }

  /// The directory and the last name of a path, whether or not the name exists; nil for the root.
  func place(of path: Path) throws(Refusal) -> Place? {
    guard !path.string.isEmpty else { throw Refusal(.notFound) }
    let parts = components.parts(of: path)
    guard let last = parts.last else { return nil }
    if let known = components.directory(parts.parent, in: tree) {
      return Place(directory: known, name: last)
    }
    var directory = Node.root
    for name in parts.names.dropLast() {
      guard let next = visible.directories[directory]?[name] else { throw Refusal(.notFound) }
      guard visible.directories[next] != nil else { throw Refusal(.notADirectory) }
      directory = next
    }
    components.note(directory, as: parts.parent, in: tree)
    return Place(directory: directory, name: last)
  }

  func directory(at path: Path) throws(Refusal) -> Node {
    guard let node = try node(at: path) else { throw Refusal(.notFound) }
    guard isDirectory(node) else { throw Refusal(.notADirectory) }
    return node
  }

  func isDirectory(_ node: Node) -> Bool { visible.directories[node] != nil }

  func bytes(of node: Node) -> [UInt8] { visible.files[node]?.bytes ?? [] }
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
