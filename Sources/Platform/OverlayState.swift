/// The changed entries and the open files of an ``OverlayLayer``.
struct OverlayState: Sendable {
  enum Entry: Hashable {
    case file(Int)
    case directory
    case gone
  }

  /// A file that is open or changed.
  private struct Node {
    /// The content in memory; nil if the content is that of the file below.
    var content: [UInt8]?
    var modified = Moment(milliseconds: 0)
    /// The file on the disk below, while it is open.
    var below: (disk: any Disk, file: FileToken)?
    var handles = 0
  }

  struct Handle {
    var node: Int
    var path: Path
    var canWrite: Bool
  }

  var entries: [Path: Entry] = [:]
  /// The tokens that hold the locks of files.
  private var locks: [Int: FileToken] = [:]
  private var nodes: [Int: Node] = [:]
  private var handles: [FileToken: Handle] = [:]
  private var last = 0
  private var bytes = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  // MARK: Names

  func status(_ path: Path, over below: any Disk) throws(DiskError) -> FileStatus? {
    switch entries[path] {
    case .gone: return nil
    case .directory:
      return FileStatus(
        kind: .directory, size: 0, modified: Moment(milliseconds: 0), permissions: 0o700)
    case .file(let node):
      guard let node = nodes[node], let content = node.content else { break }
      return FileStatus(
        kind: .file, size: content.count, modified: node.modified, permissions: 0o600)
    case nil: break
    }
    // If a directory exists only in the overlay, so do all its entries.
    if entries[path.parent] == .directory, try !isBelow(path.parent, below) { return nil }
    return try below.status(path)
  }

  private func isBelow(_ path: Path, _ below: any Disk) throws(DiskError) -> Bool {
    try below.status(path)?.kind == .directory
  }

  func list(_ directory: Path, over below: any Disk) throws(DiskError) -> [String] {
    var names: Set<String> = []
    switch entries[directory] {
    case .gone: throw DiskError(.list, directory, .notFound)
    case .file: throw DiskError(.list, directory, .notADirectory)
    case .directory: if try isBelow(directory, below) { names = Set(try below.list(directory)) }
    case nil: names = Set(try below.list(directory))
    }
    for (path, entry) in entries where path.parent == directory {
      if entry == .gone { names.remove(path.name) } else { names.insert(path.name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func requireParent(
    of path: Path, _ operation: DiskOperation, over below: any Disk
  ) throws(DiskError) {
    if path.parent.string == "/" || path.parent.string == "." { return }
    switch try status(path.parent, over: below)?.kind {
    // The disk below determines whether a link points to a directory.
    case .directory, .other: return
    case .file: throw DiskError(operation, path, .notADirectory)
    case nil: throw DiskError(operation, path, .notFound)
    }
  }

  mutating func moveFile(
    _ from: Path, to destination: Path, over below: any Disk
  ) throws(DiskError) {
    guard from != destination else { return }
    let node = try bring(from, over: below)
    entries[destination] = .file(node)
    entries[from] = .gone
  }

  mutating func moveDirectory(
    _ from: Path, to destination: Path, over below: any Disk
  ) throws(DiskError) {
    for name in try list(from, over: below) {
      if try status(from / name, over: below)?.kind == .directory {
        try moveDirectory(from / name, to: destination / name, over: below)
      } else {
        try moveFile(from / name, to: destination / name, over: below)
      }
    }
    entries[destination] = .directory
    entries[from] = .gone
  }

  // MARK: Files

  mutating func make(_ content: [UInt8]) -> Int {
    last += 1
    nodes[last] = Node(content: content, modified: Moment(milliseconds: Int64(last)))
    return last
  }

  mutating func register(
    _ node: Int, at path: Path, isNew: Bool, canWrite: Bool = true
  ) -> FileToken {
    last += 1
    let token = FileToken(number: Int32(clamping: last))
    handles[token] = Handle(node: node, path: path, canWrite: canWrite)
    nodes[node]?.handles += 1
    if isNew { entries[path] = .file(node) }
    return token
  }

  mutating func open(
    _ path: Path, canWrite: Bool, over below: any Disk
  ) throws(DiskError) -> FileToken {
    if case .file(let node) = entries[path] {
      return register(node, at: path, isNew: false, canWrite: canWrite)
    }
    let file = try below.open(path, .read)
    last += 1
    nodes[last] = Node(below: (below, file))
    return register(last, at: path, isNew: true, canWrite: canWrite)
  }

  /// Takes the lock of a file; returns nil if another token holds it.
  mutating func lock(_ path: Path, over below: any Disk) throws(DiskError) -> FileToken? {
    if case .file(let node) = entries[path], locks[node] != nil { return nil }
    let token: FileToken
    switch try status(path, over: below)?.kind {
    case .directory: throw DiskError(.lock, path, .isADirectory)
    case .file, .other: token = try open(path, canWrite: true, over: below)
    case nil:
      try requireParent(of: path, .lock, over: below)
      token = register(make([]), at: path, isNew: true)
    }
    locks[try handle(token, .lock).node] = token
    return token
  }

  func handle(_ file: FileToken, _ operation: DiskOperation) throws(DiskError) -> Handle {
    guard let handle = handles[file] else { throw DiskError(operation, Path(""), .closed) }
    return handle
  }

  func read(_ node: Int, at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    guard let node = nodes[node] else { return [] }
    if let content = node.content { return Array(content.dropFirst(offset).prefix(count)) }
    guard let below = node.below else { return [] }
    return try below.disk.read(below.file, at: offset, count: count)
  }

  func size(of node: Int) throws(DiskError) -> Int {
    guard let node = nodes[node] else { return 0 }
    if let content = node.content { return content.count }
    guard let below = node.below else { return 0 }
    return try below.disk.size(below.file)
  }

  /// Changes the content of a file in memory.
  ///
  /// - Parameters:
  ///   - handle: The file's handle.
  ///   - operation: The call to name in errors.
  ///   - size: The minimum size of the file after the change.
  ///   - count: The maximum number of bytes, from the start, that the change needs. The rest is dropped.
  ///   - body: A function that changes these bytes.
  /// - Throws: ``DiskFault/full``, before anything is read, if the file would exceed the memory limit.
  mutating func change(
    _ handle: Handle, _ operation: DiskOperation, to size: Int, keeping count: Int = .max,
    _ body: (inout [UInt8]) -> Void
  ) throws(DiskError) {
    let held = nodes[handle.node]?.content?.count ?? 0
    let kept = min(try self.size(of: handle.node), count)
    let growth = max(kept, size) - held
    guard growth <= 0 || bytes + growth <= limit else {
      throw DiskError(operation, handle.path, .full)
    }
    var content =
      if let content = nodes[handle.node]?.content { content } else {
        try read(handle.node, at: 0, count: kept)
      }
    nodes[handle.node]?.content = nil
    bytes -= held
    body(&content)
    bytes += content.count
    last += 1
    nodes[handle.node]?.content = content
    nodes[handle.node]?.modified = Moment(milliseconds: Int64(last))
  }

  /// Loads the content of a file into memory and returns it.
  private mutating func content(of node: Int) throws(DiskError) -> [UInt8] {
    if let content = nodes[node]?.content { return content }
    let content = try read(node, at: 0, count: try size(of: node))
    bytes += content.count
    nodes[node]?.content = content
    return content
  }

  /// Loads a file into memory, whether it is open or not.
  private mutating func bring(_ path: Path, over below: any Disk) throws(DiskError) -> Int {
    let file = try open(path, canWrite: false, over: below)
    let node = try handle(file, .rename).node
    do throws(DiskError) { _ = try content(of: node) } catch {
      // The first error is the one to report.
      try? close(file)
      throw error
    }
    try close(file)
    return node
  }

  mutating func close(_ file: FileToken) throws(DiskError) {
    guard let handle = handles.removeValue(forKey: file) else {
      throw DiskError(.close, Path(""), .closed)
    }
    if locks[handle.node] == file { locks[handle.node] = nil }
    nodes[handle.node]?.handles -= 1
    guard let node = nodes[handle.node], node.handles == 0, let below = node.below else { return }
    nodes[handle.node]?.below = nil
    if node.content == nil {
      nodes[handle.node] = nil
      if entries[handle.path] == .file(handle.node) { entries[handle.path] = nil }
    }
    try below.disk.close(below.file)
  }
}
