import Bytes
import Platform

/// The files in and below a folder to which other programs and machines also write.
///
/// Links are not followed. Drafts that a crash left behind are not removed, because their writer may only be slow.
struct FolderFiles {
  let folder: Path
  /// The machine, with its disk confined to the folder.
  private let machine: Machine
  /// The disk without confinement, for the folder itself.
  private let surroundings: any Disk

  private var disk: any Disk { machine.disk }

  /// Opens an existing folder.
  ///
  /// A missing folder is not created, because it may be on a stick that is not plugged in.
  init(in folder: Path, on machine: Machine) throws(SyncError) {
    self.folder = folder
    surroundings = machine.disk
    self.machine = Machine(
      disk: machine.disk.confined(to: folder), timekeeper: machine.timekeeper, dice: machine.dice,
      network: machine.network, beside: machine.beside, variable: machine.variable)
    let isThere = try onDisk { () throws(DiskError) in try machine.disk.status(folder) != nil }
    guard isThere else { throw .noFolder(folder) }
    if EnclosingBook.isBook(folder, on: surroundings) { throw .isABook(folder) }
    if let book = EnclosingBook(around: folder, on: surroundings) {
      throw .insideABook(folder, book: book.folder)
    }
  }

  // MARK: Listing

  /// The directories whose names are ids, in order, and whether there were too many entries to read.
  ///
  /// Some file systems write names in capitals.
  func directories(
    in folder: Path
  ) throws(SyncError) -> (names: [(id: UniqueID, path: Path)], isTooMuch: Bool) {
    guard let names = try names(in: folder) else { return ([], true) }
    var found: [(id: UniqueID, path: Path)] = []
    for name in names {
      guard let id = UniqueID(hex: name.lowercased()) else { continue }
      // A link could lead anywhere, so it is not followed.
      if try isDirectory(folder / name) { found.append((id, folder / name)) }
    }
    return (found.sorted { ($0.id, $0.path) < ($1.id, $1.path) }, false)
  }

  /// The directory whose name is an id, or the path at which to create it.
  ///
  /// If a name occurs in two spellings, the one in lower case is used.
  func directory(named id: UniqueID) throws(SyncError) -> Path {
    try directories(in: folder).names.last { $0.id == id }?.path ?? folder / id.hex
  }

  /// Whether a path is a directory; false if the path cannot be used, for example because it is a link.
  func isDirectory(_ path: Path) throws(SyncError) -> Bool {
    do throws(DiskError) { return try disk.status(path)?.kind == .directory } catch {
      guard error.isAboutStrangeThings else { throw .disk(error) }
      return false
    }
  }

  /// The names in a directory; nil if there are too many, and none if there is no such directory.
  func names(in folder: Path) throws(SyncError) -> [String]? {
    do throws(DiskError) {
      return try disk.list(folder, atMost: Limit.directoryEntries)
    } catch {
      // The directory may not exist yet, or another program may just have removed it.
      if error.reason == .notFound || error.isAboutStrangeThings { return [] }
      throw .disk(error)
    }
  }

  /// The stamps of the plain files among the entries of a directory; nil for other entries.
  ///
  /// If the directory has disappeared, it has no files.
  func stamps(
    of names: [String], in folder: Path
  ) throws(SyncError) -> [ObjectStamp?] {
    guard !names.isEmpty else { return [] }
    do throws(DiskError) {
      return try disk.statuses(of: names, in: folder).map { status in
        status.flatMap { $0.kind == .file ? ObjectStamp($0) : nil }
      }
    } catch {
      if error.reason == .notFound || error.isAboutStrangeThings { return names.map { _ in nil } }
      throw .disk(error)
    }
  }

  // MARK: Files

  /// Reads a file of at most `limit` bytes.
  func read(_ path: Path, limit: Int) throws(SyncError) -> Retrieved<[UInt8]> {
    try reading(path) { () throws(DiskError) in try disk.contents(of: path, limit: limit) }
  }

  /// Reads a part of a file; the result is shorter if the file ends before the range does.
  func read(_ path: Path, bytes range: Range<Int>) throws(SyncError) -> Retrieved<[UInt8]> {
    try reading(path) { () throws(DiskError) in
      let file = try OpenFile(path, .read, on: disk)
      let bytes = try file.read(at: range.lowerBound, count: range.count)
      try file.close()
      return bytes
    }
  }

  private func reading(
    _ path: Path, _ read: () throws(DiskError) -> [UInt8]
  ) throws(SyncError) -> Retrieved<[UInt8]> {
    do throws(DiskError) {
      return .found(try read())
    } catch {
      if error.reason == .notFound || error.isAboutStrangeThings { return .absent }
      // A disk with one unreadable file may contain readable ones.
      if [.io, .permission, .tooLarge].contains(error.reason) {
        return .unreadable(.unreadable(path, error.reason))
      }
      throw .disk(error)
    }
  }

  /// Checks that the folder exists, and creates a directory below it if the directory is missing.
  func prepare(_ directory: Path) throws(SyncError) {
    try onDisk { () throws(DiskError) in
      // If the stick has been unplugged, nothing must be written to its mount point.
      guard try surroundings.status(folder) != nil else {
        throw DiskError(.makeDirectory, folder, .notFound)
      }
      try disk.makeDirectories(directory)
    }
  }

  /// The reason why this device may not create a file in a directory, without trying it; nil if none is known.
  func refusalToWrite(in directory: Path) throws(SyncError) -> DiskError? {
    try onDisk { () throws(DiskError) in
      // A disk that is confined to the folder cannot determine the free space.
      let isFull = try surroundings.volume(of: folder)?.freeBytes == 0
      let reason = try disk.refusal(ofChangesIn: directory) ?? (isFull ? .full : nil)
      return reason.map { DiskError(.write, directory, $0) }
    }
  }

  /// Writes a file, which is durable and complete when the method returns.
  func write(_ bytes: [UInt8], to path: Path) throws(SyncError) {
    try onDisk { () throws(DiskError) in
      var draft = try Draft(in: path.parent, on: machine)
      do throws(DiskError) {
        if !bytes.isEmpty { try draft.append(bytes) }
      } catch {
        draft.discard()
        throw error
      }
      try draft.finish(as: path.name)
    }
  }

  func remove(_ path: Path) throws(SyncError) {
    try onDisk { () throws(DiskError) in try disk.remove(path) }
  }

  /// A folder refuses files if, for example, the stick is full or read-only, or if the folder has unexpected entries.
  func refusal(for error: SyncError) -> WriteRefusal? {
    guard case .disk(let fault) = error, fault.path.names(below: folder) != nil,
      [.open, .write, .flush, .makeDirectory, .rename].contains(fault.operation)
    else { return nil }
    if fault.isAboutStrangeThings {
      // If one entry is unexpected, the others may still be usable.
      return WriteRefusal(problem: .notLeft(fault.path, fault.reason), isConfined: true)
    }
    guard [.full, .readOnly, .permission].contains(fault.reason) else { return nil }
    return WriteRefusal(problem: .notLeft(folder, fault.reason), isConfined: false)
  }
}

extension ObjectStamp {
  fileprivate init(_ status: FileStatus) {
    self.init(
      size: status.size, modified: status.modified.milliseconds,
      changed: status.changed?.milliseconds)
  }
}

extension DiskError {
  /// Whether the cause is an unexpected entry, which other programs can create in a folder at any time.
  fileprivate var isAboutStrangeThings: Bool {
    [.link, .outside, .notADirectory, .isADirectory, .invalid].contains(reason)
  }
}
