import Platform

/// The whole state of a simulated disk, as a value.
struct DiskState: Sendable {
  var storage = Storage()
  var files = OpenFiles()
  var watches = Watches()
  var weather = Weather()
  private var finder = PathFinder()

  mutating func change(_ change: Change) {
    watches.tell(of: change, in: storage.visible)
    if change.mayMoveFolders(in: storage.visible) { finder.forgetFolders() }
    storage.apply(change)
  }

  mutating func close(_ file: FileToken) {
    guard let handle = files.close(file), handle.access != .read else { return }
    watches.tellClosed(handle.node, in: storage.visible)
  }

  mutating func flushDirectory(_ directory: Node) {
    storage.flushDirectory(directory, whileOpen: files.nodes)
  }

  /// Abandons the unflushed changes to the given file, which remain visible but never become durable.
  mutating func abandon(_ file: FileToken) {
    if let node = files[file]?.node { storage.abandon(node) }
  }

  mutating func kill() {
    files.closeAll()
    watches.endAll()
  }

  mutating func crash(keeping survival: Survival) {
    kill()
    storage.crash(keeping: survival)
    finder.forgetFolders()
  }

  mutating func rot(_ path: Path, at offset: Int, flipping bits: UInt8) {
    // If there is no file at the path, there is nothing to damage.
    guard let node = try? node(at: path) else { return }
    storage.rot(node, at: offset, flipping: bits)
  }

  // MARK: Finding

  /// Returns the node at the given path; nil if the path's last component does not exist but its folder does.
  func node(at path: Path) throws(Refusal) -> Node? {
    guard let place = try place(of: path) else { return .root }
    return storage.visible.node(at: place)
  }

  /// Returns the directory and the last name of the given path, even if the name does not exist; nil for the root.
  func place(of path: Path) throws(Refusal) -> Place? {
    try finder.place(of: path, in: storage.visible)
  }

  func directory(at path: Path) throws(Refusal) -> Node {
    guard let node = try node(at: path) else { throw Refusal(.notFound) }
    guard isDirectory(node) else { throw Refusal(.notADirectory) }
    return node
  }

  func isDirectory(_ node: Node) -> Bool { storage.visible.isDirectory(node) }

  func bytes(of node: Node) -> [UInt8] { storage.visible.bytes(of: node) }
}
