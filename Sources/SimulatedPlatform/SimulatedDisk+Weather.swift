package import Platform

/// One unflushed change, with the properties that a test needs to choose its fate.
package enum Unflushed: Hashable, Sendable {
  case write(at: Int, byteCount: Int)
  case truncation
  /// A name was added, removed or moved.
  case name
}

extension SimulatedDisk {
  /// Cuts the power.
  ///
  /// Tokens become invalid, locks are released, and unflushed changes survive according to `survival`.
  ///
  /// Failures that are still scheduled remain scheduled, so the recovery can fail as well.
  package func crash(keeping survival: Survival = .nothing) {
    with { $0.crash(keeping: survival) }
  }

  /// Ends the processes that use the disk.
  ///
  /// All unflushed changes remain pending.
  package func kill() { with { $0.kill() } }

  /// The changes that a crash may undo, in the order in which they were made.
  package var unflushed: [Unflushed] {
    with { state in
      state.storage.pending.map { change in
        switch change {
        case .write(_, let offset, let bytes, _): .write(at: offset, byteCount: bytes.count)
        case .truncate: .truncation
        case .enter, .leave, .move: .name
        }
      }
    }
  }

  /// The numbers of calls to the disk so far.
  package var calls: DiskCalls { with { $0.weather.calls } }

  /// Makes a later call fail without effect.
  ///
  /// Number 1 is the next call of the given kind.
  ///
  /// With `halfway`, a failing write leaves the first half of its bytes on the disk.
  package func failCall(
    _ number: Int, of kind: CountedCalls = .mutating, with reason: DiskFault,
    _ span: FailureSpan = .once, halfway: Bool = false
  ) {
    precondition(number > 0, "the next call is number 1")
    with { state in
      let start = state.weather.calls.count(of: kind)
      state.weather.failures.append(
        Failure(
          number: start + number, kind: kind, reason: reason, span: span, isHalfway: halfway))
    }
  }

  /// Limits the number of bytes by which all files together may still grow.
  ///
  /// The write that exceeds the limit fails, and leaves those bytes that fit.
  package func becomeFull(afterBytes count: Int) {
    with { $0.weather.capacity = $0.storage.usedBytes + count }
  }

  /// Makes the flushes of some files and folders succeed without effect, as if the program had forgotten to flush them.
  package func lie(about isLying: @escaping @Sendable (Path) -> Bool) {
    with { $0.weather.isLying = isLying }
  }

  /// Makes every later mutating call fail, and every later attempt to open a file for writing.
  package func becomeReadOnly() { with { $0.weather.isReadOnly = true } }

  /// Ends all failures, limits and false flushes, and makes the disk writable.
  ///
  /// The numbers of calls are kept.
  package func clearWeather() {
    with { state in state.weather = Weather(calls: state.weather.calls) }
  }

  /// Flips bits in one byte of a file, in the file's visible, durable and pending bytes.
  ///
  /// If there is no such byte, the call does nothing.
  package func rot(_ path: Path, at offset: Int, flipping bits: UInt8) {
    with { $0.rot(path, at: offset, flipping: bits) }
  }

  /// All visible files by their absolute paths, with their bytes.
  package var files: [Path: [UInt8]] { with { $0.storage.visible.filesByPath() } }

  /// Returns whether two disks have the same visible files and folders.
  ///
  /// The two disks must be copies of the same disk, because nodes and names are compared by their numbers.
  package func hasFiles(of other: SimulatedDisk) -> Bool {
    let image = other.with { $0.storage.visible }
    return with { $0.storage.visible == image }
  }

  /// The absolute paths of all visible folders.
  package var folders: Set<Path> { with { $0.storage.visible.folders() } }
}

extension Image {
  func folders() -> Set<Path> {
    var folders: Set<Path> = []
    var waiting: [(path: Path, node: Node)] = [(Path("/"), .root)]
    while let directory = waiting.popLast() {
      folders.insert(directory.path)
      for (name, node) in directories[directory.node] ?? [:] where directories[node] != nil {
        waiting.append((directory.path / name.path.string, node))
      }
    }
    return folders
  }

  func filesByPath() -> [Path: [UInt8]] {
    var files: [Path: [UInt8]] = [:]
    var waiting: [(path: Path, node: Node)] = [(Path("/"), .root)]
    while let directory = waiting.popLast() {
      for (name, node) in directories[directory.node] ?? [:] {
        let path = directory.path / name.path.string
        if directories[node] != nil { waiting.append((path, node)) }
        if let content = self.files[node] { files[path] = content.bytes }
      }
    }
    return files
  }
}
