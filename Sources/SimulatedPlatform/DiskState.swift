import Platform
import Synchronization

/// Why a simulated call is refused, before the call and its path are named.
struct Refusal: Error {
  let reason: DiskFault

  init(_ reason: DiskFault) { self.reason = reason }
}

/// What a token stands for.
struct Handle: Sendable {
  let node: Node
  let path: Path
  let access: Access
}

/// A simulated disk's whole state, as a value.
///
/// `visible` is always `durable` with the pending changes applied, but for bytes given up by a
/// failed flush.
struct DiskState: Sendable {
  var visible = Image()
  var durable = Image()
  /// What is visible and not yet durable, in the order it was done.
  var pending: [Change] = []
  var handles: [FileToken: Handle] = [:]
  var locks: [Node: FileToken] = [:]
  var weather = Weather()
  /// What those who watch directories have not been told yet.
  var watches: [Int: Watched] = [:]
  /// Shared by all copies: what a path consists of is the same everywhere.
  private let components = Components()
  /// Stands for where the folders are; copies of one disk have another one as soon as they differ in that.
  private var tree = 0
  private var lastNode = 0
  private var lastWatch = 0
  private var lastToken: Int32 = 0

  var usedBytes: Int { visible.files.values.reduce(0) { $0 + $1.bytes.count } }

  mutating func change(_ change: Change) {
    if change.mayMoveFolders(in: visible) { tree = components.newTree() }
    visible.apply(change)
    pending.append(change)
    if !watches.isEmpty { tell(of: change) }
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
    // A move between directories is one step of the file system's journal, so what came before it
    // in the other directory goes along.
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

  /// Makes some of the pending changes durable, in order.
  private mutating func settle(_ isFlushed: (Change) -> Bool) {
    for change in pending where isFlushed(change) { durable.apply(change) }
    pending.removeAll(where: isFlushed)
  }

  /// Forgets files that no name, token or crash can bring back.
  private mutating func collect() {
    visible.forgetUnreachable(except: Set(handles.values.map(\.node)))
    var alive = Set(visible.files.keys).union(visible.directories.keys)
    alive.formUnion(pending.lazy.filter { !$0.directories.isEmpty }.map(\.node))
    durable.forgetUnreachable(except: alive)
    alive.formUnion(durable.files.keys)
    pending.removeAll { $0.directories.isEmpty && !alive.contains($0.node) }
  }

  /// Gives up on the unflushed bytes of a file: they stay visible and never become durable.
  mutating func abandon(_ file: FileToken) {
    guard let node = handles[file]?.node else { return }
    pending.removeAll { $0.node == node && $0.directories.isEmpty }
  }

  /// Shows of a file what is durable, and what still waits to be.
  mutating func forgetCached(_ node: Node) {
    var image = Image()
    image.files[node] = durable.files[node] ?? Content()
    for change in pending where change.node == node && change.directories.isEmpty {
      image.apply(change)
    }
    visible.files[node] = image.files[node]
  }

  /// Writes the first half of bytes, where the write that just failed was to get that far.
  mutating func writeHalf(of bytes: [UInt8], to file: FileToken, at offset: Int, _ now: Moment) {
    guard weather.isHalfway, let handle = handles[file] else { return }
    // What the write would have been refused for by itself, it is refused for halfway, too.
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
    // Where the path leads nowhere there is nothing to damage.
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

  /// The node a path leads to, or nil when only its last name is missing.
  func node(at path: Path) throws(Refusal) -> Node? {
    guard let place = try place(of: path) else { return .root }
    return visible.directories[place.directory]?[place.name]
  }

  /// Where a path's last name stands or would stand; nil for the root, which stands nowhere.
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

/// Takes paths apart, and finds folders, each once: tests that try many disks do little else.
private final class Components: Sendable {
  /// What a path consists of.
  struct Parts {
    /// The names in it, without `.`.
    var names: [Path]
    var last: Path? { names.last }
    /// Stands for all names but the last.
    var parent: Int
  }

  /// A folder by its path, in one tree of folders.
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
      // Unicode takes some paths for equal that differ in bytes.
      if path.string.utf8.allSatisfy({ $0 < 0x80 }) { state.parts[path.string] = parts }
      return parts
    }
  }

  /// The number of a tree of folders that no disk has had yet.
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
      // Most are of trees that are no more.
      if state.folders.count > 1_000 { state.folders = [:] }
      state.folders[Spot(tree: tree, path: path)] = directory
    }
  }
}
