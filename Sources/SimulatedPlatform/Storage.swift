import Platform

/// The content of a disk, both as programs see it and as a power cut would leave it.
///
/// `visible` is `durable` with the pending changes applied, except for bytes that a failed flush has abandoned.
struct Storage: Sendable {
  private(set) var visible = Image()
  private(set) var durable = Image()
  /// The changes that are visible but not durable, in the order in which they were made.
  private(set) var pending: [Change] = []
  private var lastNode = 0

  var usedBytes: Int { visible.files.values.reduce(0) { $0 + $1.bytes.count } }

  mutating func makeNode() -> Node {
    lastNode += 1
    return Node(number: lastNode)
  }

  mutating func apply(_ change: Change) {
    visible.apply(change)
    pending.append(change)
  }

  // MARK: Flushing and crashing

  mutating func flush(_ node: Node) {
    settle { $0.node == node && $0.directories.isEmpty }
  }

  /// Makes the names in the given directory durable, and removes files that can no longer be reached.
  mutating func flushDirectory(_ directory: Node, whileOpen open: Set<Node>) {
    // A move between directories is one step in the file system's journal, so a flush of one directory also includes
    // the pending changes to the other.
    var flushed: Set<Node> = [directory]
    var count = 0
    while count < flushed.count {
      count = flushed.count
      for change in pending where change.directories.contains(where: flushed.contains) {
        flushed.formUnion(change.directories)
      }
    }
    settle { $0.directories.contains(where: flushed.contains) }
    collect(except: open)
  }

  /// Makes the matching pending changes durable, in order.
  private mutating func settle(_ isFlushed: (Change) -> Bool) {
    for change in pending where isFlushed(change) { durable.apply(change) }
    pending.removeAll(where: isFlushed)
  }

  /// Removes files that can no longer be reached by a name, a token or a crash.
  private mutating func collect(except open: Set<Node>) {
    visible.forgetUnreachable(except: open)
    var alive = Set(visible.files.keys).union(visible.directories.keys)
    alive.formUnion(pending.lazy.filter { !$0.directories.isEmpty }.map(\.node))
    durable.forgetUnreachable(except: alive)
    alive.formUnion(durable.files.keys)
    pending.removeAll { $0.directories.isEmpty && !alive.contains($0.node) }
  }

  /// Abandons the unflushed changes to a file, which remain visible but never become durable.
  mutating func abandon(_ node: Node) {
    pending.removeAll { $0.node == node && $0.directories.isEmpty }
  }

  /// Resets a file's visible bytes to its durable bytes with the pending changes applied.
  mutating func forgetCached(_ node: Node) {
    var image = Image()
    image.files[node] = durable.files[node] ?? Content()
    for change in pending where change.node == node && change.directories.isEmpty {
      image.apply(change)
    }
    visible.files[node] = image.files[node]
  }

  mutating func crash(keeping survival: Survival) {
    durable.settle(pending, survival)
    pending = []
    visible = durable
  }

  /// Flips bits in one byte of a file, in all images and changes that contain it.
  mutating func rot(_ node: Node, at offset: Int, flipping bits: UInt8) {
    if offset < visible.bytes(of: node).count { visible.files[node]?.bytes[offset] ^= bits }
    if offset < durable.bytes(of: node).count { durable.files[node]?.bytes[offset] ^= bits }
    pending = pending.map { change in
      guard case .write(node, let start, var bytes, let moment) = change,
        bytes.indices.contains(offset - start)
      else { return change }
      bytes[offset - start] ^= bits
      return .write(node, at: start, bytes, moment)
    }
  }
}
