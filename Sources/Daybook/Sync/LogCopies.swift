import Bytes
import Journaling
import Platform
import Syncing

/// Copies of logs of this book in files: the folder of a book, for example a backup, or a single segment file.
struct LogCopies {
  private let local: SyncReplica
  private let copies: [LogCopy]
  /// Whether a log's events that no head proves may be signed here.
  private let mayVouch: (UniqueID) -> Bool

  /// Reads the copies at a path; nil if there are none.
  init?(at path: Path, for local: SyncReplica) throws(DaybookError) {
    let disk = local.store.machine.disk
    let status = try wrap(DaybookError.disk) { () throws(DiskError) in try disk.status(path) }
    switch status?.kind {
    case .directory:
      guard let copies = try Self.logs(ofBookIn: path, for: local) else { return nil }
      self.copies = copies
      // A person with the key of this device can sign any event.
      mayVouch = { log in Self.sharesKey(of: log, with: path, local) }
    case .file:
      guard let copy = try Self.segment(at: path, for: local) else { return nil }
      copies = [copy]
      // A person who can write to the folder of the book can also change its logs.
      let isInside = path.names(below: local.store.layout.folder) != nil
      // The folder of a log is two levels below the folder of its book, and the folder of a branch is three levels
      // below it.
      let books = [path.parent.parent.parent, path.parent.parent.parent.parent]
      mayVouch = { log in isInside || books.contains { Self.sharesKey(of: log, with: $0, local) } }
    default: return nil
    }
    self.local = local
  }

  /// Reads the copies, and stores the events that the logs lack.
  ///
  /// Problems with one log do not affect the others.
  ///
  /// - Returns: The logs that have received events, the number of unproved events, and the problems.
  func pull(
    into guest: BookReplica
  ) throws(SyncError) -> (
    received: Set<UniqueID>, unproved: [UniqueID: UInt64], [SyncProblem]
  ) {
    var intake = Intake(guest)
    var unproved: [UniqueID: UInt64] = [:]
    for copy in copies {
      let keys = mayVouch(copy.replica) ? try local.localDevice.exportKeys(of: copy.replica) : nil
      var export = copy.export(keys: keys)
      while let frame = try wrap(
        SyncError.journal, { () throws(JournalError) in try export.next() })
      {
        try intake.take(frame, of: copy.replica)
      }
      try intake.commit()
      if export.withheld > 0, !isHeld(upTo: export.sequence + export.withheld, of: copy.replica) {
        unproved[copy.replica, default: 0] += export.withheld
      }
    }
    return (Set(intake.received.keys), unproved, intake.problems)
  }

  /// Whether the book already holds a log up to an event, so that a copy of these events is not needed.
  private func isHeld(upTo sequence: UInt64, of replica: UniqueID) -> Bool {
    let store = local.store
    // A copy of a forked log may hold another branch.
    guard
      !store.journal.forks.keys.contains(where: { store.journal.lineage(of: $0).replica == replica }
      ),
      let end = store.journal.end(of: replica, on: .logs)
    else { return false }
    return end.sequence >= sequence && store.journal.holes(in: replica).isEmpty
  }

  // MARK: Finding copies

  private static func logs(
    ofBookIn folder: Path, for local: SyncReplica
  ) throws(DaybookError) -> [LogCopy]? {
    let layout = Layout(folder: folder)
    let disk = local.store.machine.disk.confined(to: folder)
    guard let bytes = try? disk.contents(of: layout.bookFile, limit: 1 << 20) else { return nil }
    let file: BookFile
    do throws(BookFileError) { file = try BookFile(parsing: bytes) } catch {
      // A folder for exchange can contain a file with this name from another program.
      let logs = try wrap(DaybookError.disk) { () throws(DiskError) in
        try disk.status(layout.logs)
      }
      guard logs?.kind == .directory else { return nil }
      throw .notABook(folder, error)
    }
    guard file.book == local.store.file.book else { throw .sync(.wrongBook(file.book)) }
    return try wrap(DaybookError.disk) { () throws(DiskError) in
      var copies: [LogCopy] = []
      for shelf in [LogShelf.logs, .aside] {
        for replica in try folders(in: folder / shelf.rawValue, on: disk) {
          copies.append(LogCopy(of: replica.id, in: replica.path, on: disk))
          for branch in try folders(in: replica.path, on: disk) {
            copies.append(LogCopy(of: replica.id, in: branch.path, on: disk))
          }
        }
      }
      return copies
    }
  }

  /// The subfolders that are named after logs or branches.
  private static func folders(
    in folder: Path, on disk: any Disk
  ) throws(DiskError) -> [(id: UniqueID, path: Path)] {
    guard try disk.status(folder)?.kind == .directory else { return [] }
    var found: [(id: UniqueID, path: Path)] = []
    for name in try disk.list(folder).sorted() {
      guard let id = UniqueID(hex: name), try disk.status(folder / name)?.kind == .directory
      else { continue }
      found.append((id, folder / name))
    }
    return found
  }

  private static func segment(
    at path: Path, for local: SyncReplica
  ) throws(DaybookError) -> LogCopy? {
    let bytes = try wrap(DaybookError.disk) { () throws(DiskError) in
      try local.store.machine.disk.contents(of: path, limit: Journaling.Limit.fileBytes)
    }
    guard bytes.starts(with: [0x1f, 0x8b]) else { return nil }
    // The folder of a branch is inside the folder of its log.
    let named = [path.parent.parent.name, path.parent.name].lazy.compactMap { UniqueID(hex: $0) }
    return try wrap(DaybookError.journal) { () throws(JournalError) in
      try LogCopy(of: bytes, by: named.first, trialOn: local.store.machine.onTrial.disk)
    }
  }

  private static func sharesKey(of log: UniqueID, with folder: Path, _ local: SyncReplica) -> Bool {
    let (ours, theirs) = (
      local.store.layout.key(of: log), Layout(folder: folder).key(of: log)
    )
    let disk = local.store.machine.disk
    guard let key = try? disk.contents(of: ours, limit: 1 << 12),
      let other = try? disk.contents(of: theirs, limit: 1 << 12)
    else { return false }
    return !key.isEmpty && key == other
  }
}
