import Platform

/// The file to which a token refers.
struct Handle: Sendable {
  let node: Node
  let path: Path
  let access: Access
}

/// The open files of a disk, and the locks that they hold.
struct OpenFiles: Sendable {
  private var handles: [FileToken: Handle] = [:]
  private var locks: [Node: FileToken] = [:]
  private var last: Int32 = 0

  subscript(file: FileToken) -> Handle? { handles[file] }

  var nodes: Set<Node> { Set(handles.values.map(\.node)) }

  func isLocked(_ node: Node) -> Bool { locks[node] != nil }

  mutating func add(_ handle: Handle) -> FileToken {
    last += 1
    let token = FileToken(number: last)
    handles[token] = handle
    return token
  }

  /// Adds a file whose lock is held until the file is closed.
  mutating func addLocked(_ handle: Handle) -> FileToken {
    let token = add(handle)
    locks[handle.node] = token
    return token
  }

  /// Removes a token and its lock, and returns the file to which it referred.
  mutating func close(_ file: FileToken) -> Handle? {
    guard let handle = handles.removeValue(forKey: file) else { return nil }
    if locks[handle.node] == file { locks[handle.node] = nil }
    return handle
  }

  mutating func closeAll() {
    handles = [:]
    locks = [:]
  }
}
