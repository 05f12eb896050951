import Bytes
import Crypto
import Journaling
import Platform

extension DirectoryPeer {
  /// What looking at a file came to.
  enum Look {
    /// Its bytes are what the name says; whether they are frames, the second tells.
    case whole([UInt8], SoundFile?)
    /// It is no file, or gone.
    case absent
    case problem(SyncProblem)
  }

  /// Reads a whole file and checks that it is what its name says.
  mutating func look(
    at name: DirectoryName, of replica: UniqueID, in folder: Path, as holder: any Holder
  ) throws(SyncError) -> Look {
    let path = folder / name.file
    guard let status = try status(of: path), status.kind == .file else { return .absent }
    // What is not called as it should be was never promised to hold anything.
    guard status.size <= Limit.fileBytes else {
      return name.isPlain ? .problem(.tooLarge(path)) : .absent
    }
    let bytes: [UInt8]
    do throws(DiskError) {
      bytes = try disk.contents(of: path, limit: Limit.fileBytes)
    } catch {
      if error.reason == .notFound || error.isAboutStrangeThings { return .absent }
      // A stick that cannot be read in one place may be read in others.
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

  /// A file that is as it was when it was found sound.
  func known(_ name: DirectoryName, in folder: Path) throws(SyncError) -> SoundFile? {
    let path = folder / name.file
    guard let known = sound[path], try status(of: path) == known.status else { return nil }
    return known.file
  }

  /// What lies at a path; nil also where something else is in the way.
  func status(of path: Path) throws(SyncError) -> FileStatus? {
    do throws(DiskError) { return try disk.status(path) } catch {
      guard error.isAboutStrangeThings else { throw .disk(error) }
      return nil
    }
  }

  /// The sound files of a replica that lead on from its first event, in order.
  ///
  /// Files may overlap, and hold different branches; each joins one before it by its hashes. Those that have lost
  /// bodies which the holder has do not count: it shall leave these here.
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

  /// Whether bodies are gone from a file, by no `erase` that counts, that the holder has.
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

  /// Whether one of some files leads over a place, and not only to its end.
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

  /// The chain hash at an event of a file; it takes one frame to find it.
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

/// What is wrong with a file, and which events it should hold.
struct FileFault {
  var events: ClosedRange<UInt64>
  var problem: SyncProblem
}

extension [FileFault] {
  /// The problems to report: all but damaged files whose events are held otherwise.
  ///
  /// Once a log has branches, the file may have held another one than those that are held.
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
