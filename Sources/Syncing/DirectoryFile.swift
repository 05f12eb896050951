import Bytes
import Crypto
import Platform

extension DirectoryPeer {
  /// What looking at a file came to.
  enum Look {
    case whole([UInt8])
    /// It is no file, or gone.
    case absent
    case problem(SyncProblem)
  }

  /// Reads a whole file and checks that it is what its name says.
  mutating func look(
    at name: DirectoryName, in folder: Path
  ) throws(SyncError) -> Look {
    let path = folder / name.string
    guard let status = try onDisk({ () throws(DiskError) in try disk.status(path) }),
      status.kind == .file
    else { return .absent }
    guard status.size <= Limit.fileBytes else { return .problem(.tooLarge(path)) }
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: path, limit: Limit.fileBytes)
    } catch {
      if error.reason == .notFound { return .absent }
      // A stick that cannot be read in one place may be read in others.
      if error.reason == .io || error.reason == .permission || error.reason == .tooLarge {
        return .problem(.wrongDigest(path))
      }
      throw .disk(error)
    }
    guard SHA256.digest(of: bytes).prefix16 == name.digest else {
      return .problem(.wrongDigest(path))
    }
    sound[path] = status
    return .whole(bytes)
  }

  /// Whether a file is what its name says, from memory where it looks as it did.
  mutating func isSound(
    _ name: DirectoryName, in folder: Path
  ) throws(SyncError) -> (Bool, SyncProblem?) {
    let path = folder / name.string
    if let known = sound[path],
      try onDisk({ () throws(DiskError) in try disk.status(path) }) == known
    {
      return (true, nil)
    }
    switch try look(at: name, in: folder) {
    case .whole: return (true, nil)
    case .absent: return (false, nil)
    case .problem(let problem): return (false, problem)
    }
  }
}

/// Chooses files one by one, so that as few as possible lead as far as possible.
struct Cover {
  private var files: [DirectoryName]

  init(_ files: [DirectoryName]) { self.files = files }

  /// Of the files that go on from a sequence, takes the one that goes farthest.
  mutating func next(after sequence: UInt64) -> DirectoryName? {
    files.removeAll { $0.events.upperBound <= sequence }
    let joining = files.indices.filter { files[$0].events.lowerBound <= sequence + 1 }
    let best = joining.max { files[$0].events.upperBound < files[$1].events.upperBound }
    return best.map { files.remove(at: $0) }
  }

  /// Where the files go on that no other leads to.
  func nextIsland(after sequence: UInt64) -> UInt64? {
    files.map(\.events.lowerBound).filter { $0 > sequence + 1 }.min()
  }
}
