import Platform

extension DiskState {
  mutating func open(_ path: Path, _ access: Access) throws(Refusal) -> FileToken {
    let found = try node(at: path)
    if access == .create {
      guard found == nil else { throw Refusal(.exists) }
      let node = try makeFile(path)
      return files.add(Handle(node: node, path: path, access: access))
    }
    guard let found else { throw Refusal(.notFound) }
    guard !isDirectory(found) else { throw Refusal(.isADirectory) }
    if access == .write, weather.isReadOnly { throw Refusal(.readOnly) }
    return files.add(Handle(node: found, path: path, access: access))
  }

  /// Takes the lock if it is free, and writes process number 1 to the lock's file, as if every process had that number.
  mutating func lock(_ path: Path, _ now: Moment) throws(Refusal) -> HeldLock? {
    let node = if let found = try node(at: path) { found } else { try makeFile(path) }
    guard !isDirectory(node) else { throw Refusal(.isADirectory) }
    guard !files.isLocked(node) else { return nil }
    let handle = Handle(node: node, path: path, access: .write)
    let found = try read(handle, at: 0, count: HeldLock.mostFound)
    sign(handle, now)
    return HeldLock(files.addLocked(handle), found: found)
  }

  /// Writes the process number to the lock file, or empties the file if the disk is full.
  private mutating func sign(_ handle: Handle, _ now: Moment) {
    let line = Array("1\n".utf8)
    do throws(Refusal) {
      try write(handle, line, at: 0, now)
      try truncate(handle, to: line.count, now)
    } catch {
      // The lock is kept even if this call fails. Shortening a file needs no space.
      try? truncate(handle, to: 0, now)
    }
  }

  func read(_ handle: Handle, at offset: Int, count: Int) throws(Refusal) -> [UInt8] {
    guard offset >= 0 else { throw Refusal(.invalid) }
    let bytes = bytes(of: handle.node)
    guard offset < bytes.count else { return [] }
    return Array(bytes[offset..<(offset + min(count, bytes.count - offset))])
  }

  mutating func write(
    _ handle: Handle, _ bytes: [UInt8], at offset: Int, _ now: Moment
  ) throws(Refusal) {
    guard handle.access != .read else { throw Refusal(.readOnly) }
    guard offset >= 0 else { throw Refusal(.invalid) }
    let growth = offset + bytes.count - self.bytes(of: handle.node).count
    let free = freeBytes
    let fitting = growth > free ? bytes.count - (growth - free) : bytes.count
    if fitting > 0 {
      change(.write(handle.node, at: offset, Array(bytes.prefix(fitting)), now))
    }
    if fitting < bytes.count { throw Refusal(.full) }
  }

  /// Writes the first half of `bytes` if the write that has just failed was meant to stop halfway.
  mutating func writeHalf(of bytes: [UInt8], to file: FileToken, at offset: Int, _ now: Moment) {
    guard weather.isHalfway, let handle = files[file] else { return }
    // Writing the first half can fail as well, for example on a full disk.
    try? write(handle, Array(bytes.prefix(bytes.count / 2)), at: offset, now)
    weather.isHalfway = false
  }

  mutating func truncate(_ handle: Handle, to size: Int, _ now: Moment) throws(Refusal) {
    guard handle.access != .read else { throw Refusal(.readOnly) }
    guard size >= 0 else { throw Refusal(.invalid) }
    guard size - bytes(of: handle.node).count <= freeBytes else { throw Refusal(.full) }
    change(.truncate(handle.node, to: size, now))
  }

  /// The number of bytes by which files may still grow.
  var freeBytes: Int {
    guard let capacity = weather.capacity else { return .max }
    return max(0, capacity - storage.usedBytes)
  }

  private mutating func makeFile(_ path: Path) throws(Refusal) -> Node {
    guard let place = try place(of: path) else { throw Refusal(.isADirectory) }
    guard freeBytes > 0 else { throw Refusal(.full) }
    let node = storage.makeNode()
    change(.enter(node, place, isDirectory: false))
    return node
  }
}
