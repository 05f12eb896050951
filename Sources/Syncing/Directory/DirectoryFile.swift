import Bytes
import Crypto
import Journaling
import Platform

extension DirectoryPeer {
  /// The result of examining a file.
  enum Look {
    /// The bytes match the digest in the name. The second value is nil if they are not a valid file.
    case whole([UInt8], SoundFile?)
    /// The entry is not a file, or has disappeared.
    case absent
    case problem(SyncProblem)
  }

  /// Reads a whole file and checks that it matches its name.
  mutating func look(
    at name: DirectoryName, of replica: UniqueID, in folder: Path, as holder: any Holder
  ) throws(SyncError) -> Look {
    let path = folder / name.file
    guard let status = try status(of: path), status.kind == .file else { return .absent }
    // A file with a changed name is not expected to be valid.
    guard status.size <= Limit.fileBytes else {
      return name.isPlain ? .problem(.tooLarge(path)) : .absent
    }
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: path, limit: Limit.fileBytes)
    } catch {
      if error.reason == .notFound || error.isAboutStrangeThings { return .absent }
      // A disk with one unreadable file may also contain readable files.
      if [.io, .permission, .tooLarge].contains(error.reason) {
        return .problem(.unreadable(path, error.reason))
      }
      throw .disk(error)
    }
    guard SHA256.digest(of: bytes).prefix16 == name.digest else {
      return name.isPlain ? .problem(.wrongDigest(path)) : .absent
    }
    let file = SoundFile(name, bytes, of: replica, as: holder)
    if let file { sound[path] = (status, file) }
    return .whole(bytes, file)
  }

  /// Returns the file if it has not changed since it was found valid; otherwise nil.
  func known(_ name: DirectoryName, in folder: Path) throws(SyncError) -> SoundFile? {
    let path = folder / name.file
    guard let known = sound[path], try status(of: path) == known.status else { return nil }
    return known.file
  }

  /// The status of a path; nil if nothing is there or if the path cannot be used, for example because of a link.
  func status(of path: Path) throws(SyncError) -> FileStatus? {
    do throws(DiskError) { return try disk.status(path) } catch {
      guard error.isAboutStrangeThings else { throw .disk(error) }
      return nil
    }
  }

  /// The valid files that continue from the replica's first event, in order.
  ///
  /// Files can overlap and contain different branches; the hashes join each file to an earlier one. Files that lack
  /// bodies held by the store do not count, so the store writes these bodies again.
  mutating func leading(
    _ replica: UniqueID, of book: UniqueID, as holder: any Holder,
    _ problems: inout [SyncProblem]
  ) throws(SyncError) -> [SoundFile] {
    let folder = folder(of: replica, of: book)
    var leading: [SoundFile] = []
    var joints: Set<Place> = []
    guard let names = try files(in: folder) else {
      problems.append(.tooManyFiles(folder))
      return []
    }
    var faults: [FileFault] = []
    for name in names {
      var found: [SyncProblem] = []
      let sound = try soundFile(name, of: replica, in: folder, as: holder, &found)
      faults += found.map { FileFault(events: name.events, problem: $0) }
      guard let file = sound else { continue }
      if try lacksBodies(file, of: replica, in: folder, as: holder) { continue }
      let start = file.start(of: replica)
      var isReached = start.sequence == 0 || joints.contains(start)
      if !isReached {
        isReached = try contains(start, in: leading, in: folder, as: holder)
      }
      guard isReached else { continue }
      leading.append(file)
      joints.formUnion([start, file.end(of: replica)])
    }
    problems += faults.problems(
      of: replica, unlessHeld: leading.map(\.events), as: holder.hello.frontier)
    return leading
  }

  /// Whether the given file lacks bodies that the store has, although no `erase` in effect removed them.
  func lacksBodies(
    _ file: SoundFile, of replica: UniqueID, in folder: Path, as holder: any Holder
  ) throws(SyncError) -> Bool {
    guard file.isStripped else { return false }
    let bytes = try onDisk { () throws(DiskError) in
      try disk.contents(of: folder / file.name.file, limit: Limit.fileBytes)
    }
    var frames = FrameCursor(bytes, of: replica)
    while let frame = frames.next() {
      if holder.hasBodiesBeyond(Array(bytes[frame.range]), of: replica) { return true }
    }
    return false
  }

  private mutating func soundFile(
    _ name: DirectoryName, of replica: UniqueID, in folder: Path, as holder: any Holder,
    _ problems: inout [SyncProblem]
  ) throws(SyncError) -> SoundFile? {
    if let known = try known(name, in: folder) { return known }
    switch try look(at: name, of: replica, in: folder, as: holder) {
    case .whole(_, let file): return file
    case .absent: return nil
    case .problem(let problem):
      problems.append(problem)
      return nil
    }
  }

  /// Whether one of the given files covers a place without ending there.
  func contains(
    _ place: Place, in files: [SoundFile], in folder: Path, as holder: any Holder
  ) throws(SyncError) -> Bool {
    for file in files where file.events.dropLast().contains(place.sequence) {
      if try hash(at: place.sequence, in: file, of: place.log, in: folder, as: holder) == place.hash
      {
        return true
      }
    }
    return false
  }

  /// The chain hash at the given event of the given file.
  ///
  /// Only one frame is decoded to find it.
  private func hash(
    at sequence: UInt64, in file: SoundFile, of replica: UniqueID, in folder: Path,
    as holder: any Holder
  ) throws(SyncError) -> Digest? {
    let bytes = try onDisk { () throws(DiskError) in
      try disk.contents(of: folder / file.name.file, limit: Limit.fileBytes)
    }
    var frames = FrameCursor(bytes, of: replica)
    while let frame = frames.next() {
      guard frame.label.events.contains(sequence) else { continue }
      return holder.span(of: Array(bytes[frame.range]))?.hash(at: sequence)
    }
    return nil
  }
}

/// A problem with a file, and the events that the file should contain.
struct FileFault {
  var events: ClosedRange<UInt64>
  var problem: SyncProblem
}

extension [FileFault] {
  /// The problems to report: all problems except problems of damaged files whose events are stored here.
  ///
  /// If the log has branches, the file may have contained a branch that the device does not have.
  func problems(
    of replica: UniqueID, unlessHeld held: [ClosedRange<UInt64>], as frontier: Frontier
  ) -> [SyncProblem] {
    let isForked = frontier.places(of: replica).count > 1
    let held = [ClosedRange<UInt64>](joining: held)
    return filter { fault in
      guard case .wrongDigest = fault.problem, !isForked else { return true }
      return !held.contains {
        $0.lowerBound <= fault.events.lowerBound && fault.events.upperBound <= $0.upperBound
      }
    }.map(\.problem)
  }
}
