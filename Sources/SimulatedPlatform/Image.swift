import Platform

/// The identity of a file or directory, independent of its names.
struct Node: Hashable, Sendable {
  let number: Int

  static let root = Node(number: 0)
}

/// The bytes of one file, and when they were last modified.
struct Content: Hashable, Sendable {
  var bytes: [UInt8] = []
  var modified = Moment(milliseconds: 0)
}

/// The contents of a disk, either as programs see them or as a crash would leave them.
struct Image: Hashable, Sendable {
  /// The entries of each directory.
  var directories: [Node: [Name: Node]] = [.root: [:]]
  var files: [Node: Content] = [:]

  func isDirectory(_ node: Node) -> Bool { directories[node] != nil }

  func bytes(of node: Node) -> [UInt8] { files[node]?.bytes ?? [] }

  func node(at place: Place) -> Node? { directories[place.directory]?[place.name] }

  /// Returns whether `directory` is `other` or anywhere below `other`.
  func isInside(_ directory: Node, _ other: Node) -> Bool {
    if directory == other { return true }
    return (directories[other] ?? [:]).values.contains { child in
      isDirectory(child) && isInside(directory, child)
    }
  }

  /// Applies a change.
  ///
  /// A name is not removed if it no longer refers to the change's node.
  mutating func apply(_ change: Change) {
    switch change {
    case .write(let node, let offset, let bytes, let moment):
      files[node, default: Content()].write(bytes, at: offset)
      files[node]?.modified = moment
    case .truncate(let node, let size, let moment):
      files[node, default: Content()].truncate(to: size)
      files[node]?.modified = moment
    case .enter(let node, let place, let isDirectory):
      // A node's bytes or entries become durable when they are flushed, so a new node is empty at first.
      if isDirectory {
        directories[node] = directories[node] ?? [:]
      } else {
        files[node] = files[node] ?? Content()
      }
      directories[place.directory, default: [:]][place.name] = node
    case .leave(let node, let place):
      leave(node, place)
    case .move(let node, let from, let to):
      leave(node, from)
      directories[to.directory, default: [:]][to.name] = node
    }
  }

  private mutating func leave(_ node: Node, _ place: Place) {
    guard self.node(at: place) == node else { return }
    directories[place.directory]?[place.name] = nil
  }

  /// Removes every file and directory that cannot be reached from the root or from an open node.
  mutating func forgetUnreachable(except open: Set<Node> = []) {
    var reached: Set<Node> = open.union([.root])
    // An open node may be a directory that still has entries.
    var waiting = Array(reached)
    while let directory = waiting.popLast() {
      for node in (directories[directory] ?? [:]).values where reached.insert(node).inserted {
        if directories[node] != nil { waiting.append(node) }
      }
    }
    directories = directories.filter { reached.contains($0.key) }
    files = files.filter { reached.contains($0.key) }
  }
}

/// A name in a directory.
struct Place: Hashable, Sendable {
  let directory: Node
  let name: Name
}

/// A change to a disk.
///
/// Until the change is flushed, a crash may undo it.
enum Change: Hashable, Sendable {
  case write(Node, at: Int, [UInt8], Moment)
  case truncate(Node, to: Int, Moment)
  case enter(Node, Place, isDirectory: Bool)
  case leave(Node, Place)
  case move(Node, from: Place, to: Place)

  /// The changed file or directory.
  var node: Node {
    switch self {
    case .write(let node, _, _, _), .truncate(let node, _, _), .enter(let node, _, _),
      .leave(let node, _), .move(let node, _, _):
      node
    }
  }

  /// Returns whether a path may refer to a different directory after the change.
  ///
  /// The image shows the disk as it was before the change.
  func mayMoveFolders(in image: Image) -> Bool {
    switch self {
    case .write, .truncate: false
    case .enter(_, _, let isDirectory): isDirectory
    case .leave(let node, _), .move(let node, _, _): image.isDirectory(node)
    }
  }

  /// The directories whose entries change; empty for a change of bytes.
  var directories: [Node] {
    switch self {
    case .write, .truncate: []
    case .enter(_, let place, _), .leave(_, let place): [place.directory]
    case .move(_, let from, let to): [from.directory, to.directory]
    }
  }
}

extension Content {
  mutating func write(_ new: [UInt8], at offset: Int) {
    // As on a real disk, an empty write does not extend the file.
    guard !new.isEmpty else { return }
    if bytes.count < offset { truncate(to: offset) }
    let overlap = min(bytes.count, offset + new.count)
    bytes.replaceSubrange(offset..<overlap, with: new)
  }

  mutating func truncate(to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
  }
}
