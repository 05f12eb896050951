import Platform

extension DiskState {
  func status(_ path: Path) throws(Refusal) -> FileStatus? {
    let found: Node?
    do throws(Refusal) { found = try node(at: path) } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
    guard let node = found else { return nil }
    if isDirectory(node) {
      return FileStatus(
        kind: .directory, size: 0, modified: Moment(milliseconds: 0), permissions: 0o700)
    }
    let content = storage.visible.files[node] ?? Content()
    return FileStatus(
      kind: .file, size: content.bytes.count, modified: content.modified, permissions: 0o600)
  }

  func names(in directory: Node) -> [String] {
    (storage.visible.directories[directory] ?? [:]).keys.map(\.path).sorted().map(\.string)
  }

  mutating func makeDirectory(_ path: Path) throws(Refusal) {
    if let found = try node(at: path) {
      guard isDirectory(found) else { throw Refusal(.exists) }
      return
    }
    guard let place = try place(of: path) else { return }
    change(.enter(storage.makeNode(), place, isDirectory: true))
  }

  mutating func remove(_ path: Path) throws(Refusal) {
    let (node, place) = try entry(path)
    guard !isDirectory(node) else { throw Refusal(.isADirectory) }
    change(.leave(node, place))
  }

  mutating func removeDirectory(_ path: Path) throws(Refusal) {
    let (node, place) = try entry(path)
    guard isDirectory(node) else { throw Refusal(.notADirectory) }
    guard names(in: node).isEmpty else { throw Refusal(.notEmpty) }
    change(.leave(node, place))
  }

  mutating func rename(_ from: Path, to destination: Path) throws(Refusal) {
    let (node, source) = try entry(from)
    guard let target = try place(of: destination) else { throw Refusal(.busy) }
    guard source != target else { return }
    if isDirectory(node), storage.visible.isInside(target.directory, node) {
      throw Refusal(.invalid)
    }
    if let replaced = storage.visible.node(at: target) {
      switch (isDirectory(node), isDirectory(replaced)) {
      case (false, true): throw Refusal(.isADirectory)
      case (true, false): throw Refusal(.notADirectory)
      case (true, true) where !names(in: replaced).isEmpty: throw Refusal(.notEmpty)
      default: break
      }
    }
    change(.move(node, from: source, to: target))
  }

  private func entry(_ path: Path) throws(Refusal) -> (node: Node, place: Place) {
    guard let place = try place(of: path) else { throw Refusal(.busy) }
    guard let node = storage.visible.node(at: place) else {
      throw Refusal(.notFound)
    }
    return (node, place)
  }
}

extension DiskFault {
  /// The reason why the root can be neither moved nor removed (EBUSY).
  fileprivate static let busy = DiskFault.other(16)
}
