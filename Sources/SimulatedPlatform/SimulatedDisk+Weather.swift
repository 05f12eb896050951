package import Platform

/// One unflushed change, as far as choosing its fate needs to know it.
package enum Unflushed: Hashable, Sendable {
  case write(at: Int, byteCount: Int)
  case truncation
  /// A name that came, went or moved.
  case name
}

extension SimulatedDisk {
  /// Cuts the power: tokens die, locks are released, and unflushed changes survive as told.
  ///
  /// Coming failures stay, so that recovery can be made to fail, too.
  package func crash(keeping survival: Survival = .nothing) {
    with { $0.crash(keeping: survival) }
  }

  /// Ends the processes that use the disk, but not the power: nothing is forgotten or flushed.
  package func kill() { with { $0.kill() } }

  /// What a crash may undo, in the order it was done.
  package var unflushed: [Unflushed] {
    with { state in
      state.pending.map { change in
        switch change {
        case .write(_, let offset, let bytes, _): .write(at: offset, byteCount: bytes.count)
        case .truncate: .truncation
        case .enter, .leave, .move: .name
        }
      }
    }
  }

  /// How often the disk was called so far.
  package var calls: DiskCalls { with { $0.weather.calls } }

  /// Makes one of the coming calls fail and do nothing; the next one is number 1.
  ///
  /// With `halfway`, a write that fails leaves the first half of its bytes behind.
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

  /// Lets files grow by so many bytes altogether, and no further.
  ///
  /// The write that hits the limit leaves its first bytes behind.
  package func becomeFull(afterBytes count: Int) {
    with { $0.weather.capacity = $0.usedBytes + count }
  }

  /// Lets the flushes of some files and folders do nothing and say that they worked, as a program does
  /// that forgets to flush them.
  package func lie(about isLying: @escaping @Sendable (Path) -> Bool) {
    with { $0.weather.isLying = isLying }
  }

  /// Refuses every change from now on.
  package func becomeReadOnly() { with { $0.weather.isReadOnly = true } }

  /// Ends all failures, limits and refusals; the calls counted so far stay.
  package func clearWeather() {
    with { state in state.weather = Weather(calls: state.weather.calls) }
  }

  /// Damages a file as rot does: one byte becomes another, now and after any crash.
  ///
  /// Does nothing where there is no such byte.
  package func rot(_ path: Path, at offset: Int, flipping bits: UInt8) {
    with { $0.rot(path, at: offset, flipping: bits) }
  }

  /// Every file a program can see, with its bytes, by its absolute path.
  package var files: [Path: [UInt8]] { with { $0.visible.filesByPath() } }

  /// Whether programs see the same files in the same folders of two disks that were copies of each other once.
  package func hasFiles(of other: SimulatedDisk) -> Bool {
    let image = other.with { $0.visible }
    return with { $0.visible == image }
  }

  /// Every folder a program can see, by its absolute path.
  package var folders: Set<Path> { with { $0.visible.folders() } }
}

extension Image {
  func folders() -> Set<Path> {
    var folders: Set<Path> = []
    var waiting: [(path: Path, node: Node)] = [(Path("/"), .root)]
    while let directory = waiting.popLast() {
      folders.insert(directory.path)
      for (name, node) in directories[directory.node] ?? [:] where directories[node] != nil {
        waiting.append((directory.path / name.string, node))
      }
    }
    return folders
  }

  func filesByPath() -> [Path: [UInt8]] {
    var files: [Path: [UInt8]] = [:]
    var waiting: [(path: Path, node: Node)] = [(Path("/"), .root)]
    while let directory = waiting.popLast() {
      for (name, node) in directories[directory.node] ?? [:] {
        let path = directory.path / name.string
        if directories[node] != nil { waiting.append((path, node)) }
        if let content = self.files[node] { files[path] = content.bytes }
      }
    }
    return files
  }
}
