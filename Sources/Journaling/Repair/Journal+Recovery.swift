package import Bytes
package import Platform

/// What recovery did to a file.
package struct Repair: Hashable, Sendable {
  package enum What: Hashable, Sendable {
    /// So many bytes that are no frame were copied to the second path and cut off.
    case trimmed(byteCount: Int, copiedTo: Path)
    /// The file was removed, because another holds all of its events.
    case removedCovered
    /// The file was removed: it is a write that was cut short before it had a name.
    case removedDraft
    /// The file was written anew from what the disk had kept, because a flush had failed.
    case renewed
  }

  package var file: Path
  package var what: What

  package init(file: Path, what: What) {
    self.file = file
    self.what = what
  }
}

extension Journal {
  /// Tidies up what a crash left.
  ///
  /// Whoever writes a log whose end is not torn but damaged leaves it first: see ``endsInDamage(_:)``. What was lost
  /// there comes back from others as what is new does; the bytes are kept in quarantine.
  /// Strands that nothing parts any more are joined, but not those of the replica given, whose log this device writes.
  package mutating func recover(for own: UniqueID? = nil) throws(JournalError) -> [Repair] {
    guard !isPoisoned else { throw .poisoned }
    try refuseNewer()
    var repairs = try renewDoubtful()
    for log in states.keys.sorted() {
      repairs += try removeNeedless(of: log)
      guard let state = states[log], let tail = state.tail else { continue }
      let folder = strandFolder(log, state)
      if tail.excess > 0, tail.length > 0 {
        repairs += try trim(tail, in: folder, of: log)
      }
    }
    try joinStrands(besides: own)
    return repairs
  }

  /// Refuses to write where a newer version has written.
  ///
  /// Its frames would be taken for damage, and lost.
  package func refuseNewer() throws(JournalError) {
    for (log, state) in states.sorted(by: { $0.key < $1.key }) {
      if let version = state.newerVersion { throw .newer(log, version: version) }
    }
  }

  /// Makes durable what is there, before any of it is sent to others.
  ///
  /// What another process has written may never have been flushed, and a flush that failed may have left it
  /// marked as if it had been.
  package mutating func settle() throws(JournalError) {
    for log in states.keys.sorted() {
      guard let state = states[log] else { continue }
      if let tail = state.tail { try settle(tail, in: strandFolder(log, state), of: log) }
    }
    try settleNames(of: Array(states.keys))
  }

  /// Whether all that lies in the logs' folders is known to be durable.
  package var isSettled: Bool {
    !isPoisoned && states.values.allSatisfy { $0.isNamed && $0.tail?.isSettled ?? true }
  }

  /// Hears that all of it is, from whoever wrote it last.
  package mutating func noteSettled() {
    for strand in states.keys {
      states[strand]?.isNamed = true
      states[strand]?.tail?.isSettled = true
    }
  }

  /// Makes durable what commands tell to have been seen.
  ///
  /// An earlier process may have taken it in and ended before it was on the disk; what builds on it must not be there
  /// without it.
  mutating func settleSeen(
    by commands: [Command], in log: UniqueID
  ) throws(JournalError) {
    var table = states[log]?.end.table ?? []
    for command in commands {
      for entry in command.events.lazy.flatMap(\.seen) {
        let other: UniqueID
        switch entry.log {
        case .introduced(let id):
          other = id
          table.append(id)
        case .index(let index):
          guard index < UInt64(table.count) else { continue }
          other = table[Int(index)]
        }
        let strand = strand(of: other)
        guard let state = states[strand] else { continue }
        if let tail = state.tail { try settle(tail, in: strandFolder(strand, state), of: strand) }
        try settleNames(of: [strand])
      }
    }
  }

  /// Makes the names of logs' files durable, and those of the folders these lie in.
  mutating func settleNames(of logs: [UniqueID]) throws(JournalError) {
    let unnamed = logs.filter { states[$0]?.isNamed == false }
    guard !unnamed.isEmpty else { return }
    let (disk, folder) = (disk, folder)
    // They share all folders but their own.
    var folders: Set<Path> = [folder]
    for log in unnamed {
      guard let state = states[log] else { continue }
      var path = strandFolder(log, state).path
      while path != folder {
        folders.insert(path)
        path = path.parent
      }
    }
    try writing { () throws(DiskError) in
      // What lies in a folder comes behind it.
      for path in folders.sorted().reversed() { try disk.flushDirectory(path) }
    }
    for log in unnamed { states[log]?.isNamed = true }
  }

  /// Whether a log's last file may have held events at its end that were acknowledged, and that others may hold.
  ///
  /// Whoever wrote the log must not write other events in their place.
  package func endsInDamage(_ log: UniqueID) throws(JournalError) -> Bool {
    guard let state = states[log], let tail = state.tail else { return false }
    var rest: [UInt8] = []
    if tail.excess > 0 {
      let path = strandFolder(log, state).path(of: .tail(tail.first))
      rest = try onDisk { () throws(DiskError) in
        try OpenFile(path, .read, on: disk).read(at: tail.length, count: Limit.fileBytes)
      }
    }
    return TailCase(hasSkippedBytes: tail.hasSkippedBytes, TailCase.Rest(rest, behind: state.end))
      .isDamage
  }

  /// Copies what lies behind a tail's last frame into quarantine and cuts it off.
  @discardableResult
  mutating func trim(
    _ tail: Tail, in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) -> [Repair] {
    let path = folder.path(of: .tail(tail.first))
    let disk = disk
    let excess = try onDisk { () throws(DiskError) in
      try OpenFile(path, .read, on: disk).read(at: tail.length, count: Limit.fileBytes)
    }
    let copy = try setAside(excess, behind: tail.length, of: .tail(tail.first), log)
    try writing { () throws(DiskError) in
      let file = try OpenFile(path, .write, on: disk)
      try file.truncate(to: tail.length)
      try file.flush()
    }
    states[log]?.tail?.excess = 0
    guard let copy else { return [] }
    return [Repair(file: path, what: .trimmed(byteCount: excess.count, copiedTo: copy))]
  }

  /// Writes a tail's bytes once more and flushes them.
  ///
  /// No byte that was durable changes its value, so a crash on the way cannot tear it.
  private mutating func settle(
    _ tail: Tail, in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) {
    guard !tail.isSettled, tail.length > 0 else { return }
    try settle(folder.path(of: .tail(tail.first)), upTo: tail.length)
    states[log]?.tail?.isSettled = true
  }

  /// Does so with the first bytes of a file.
  mutating func settle(_ path: Path, upTo length: Int) throws(JournalError) {
    let disk = disk
    try writing { () throws(DiskError) in
      let file = try OpenFile(path, .write, on: disk)
      try file.write(try file.read(at: 0, count: length), at: 0)
      try file.flush()
    }
  }

  /// Removes files of a strand for good: a power cut brings none of them back.
  mutating func remove(_ files: [Path], from folder: LogFolder) throws(JournalError) {
    guard !files.isEmpty else { return }
    let disk = disk
    try writing { () throws(DiskError) in
      for file in files { try disk.remove(file) }
      try disk.flushDirectory(folder.path)
    }
  }
}
