import Bytes
import Journaling
import Platform

extension DirectoryPeer {
  /// Writes the events that the directory lacks into new files.
  ///
  /// Superfluous files are then removed if that is safe. If the folder cannot be written, this is reported as a
  /// problem, and the rest of the sync still counts.
  package mutating func push(
    from holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    let frontier = holder.hello.frontier
    guard let book = holder.hello.book else { throw .noBook }
    var report = DirectoryReport()
    for replica in frontier.replicas {
      do throws(SyncError) {
        try push(replica, of: book, from: holder, frontier, &report)
      } catch {
        guard case .disk(let refusal) = error, refusal.isRefusalOfFolder(folder) else {
          throw error
        }
        // If one entry is unexpected, others may still be usable.
        let isStrange = refusal.isAboutStrangeThings
        report.problems.append(.notLeft(isStrange ? refusal.path : folder, refusal.reason))
        if !isStrange { return report }
      }
    }
    return report
  }

  private mutating func push(
    _ replica: UniqueID, of book: UniqueID, from holder: any Holder, _ frontier: Frontier,
    _ report: inout DirectoryReport
  ) throws(SyncError) {
    let places = Array(frontier.places(of: replica))
    let there = try reach(of: replica, of: book, towards: places, as: holder, &report.problems)
    guard let names = try files(in: folder(of: replica, of: book)) else { return }
    var isLacked = places.contains { !there.tells(of: $0) }
    if !isLacked { isLacked = try lacksRest(beyond: places, of: replica, of: book, names, holder) }
    if isLacked {
      // From time to time, all events are rewritten into one file, so the small files can be removed.
      let isLittered = Self.loose(names).count >= Limit.looseFiles
      let sent = try push(replica, lackedBy: isLittered ? [] : there.places, of: book, from: holder)
      let news = isLittered ? Frontier(places).growth(since: there) : sent
      report.sent.merge(news, uniquingKeysWith: +)
    }
    try tellLosses(of: replica, of: book, at: places, as: holder)
    for place in try replicas(of: book).names where place.id == replica {
      try tidy(replica, in: place.path, as: holder, frontier)
    }
  }

  /// The files that are not part of a larger file, according to their names.
  private static func loose(_ names: [DirectoryName]) -> [DirectoryName] {
    var loose: [DirectoryName] = []
    // The names are ordered so that a file comes after the files that contain it.
    for name in names where name.events.upperBound > loose.last?.events.upperBound ?? 0 {
      loose.append(name)
    }
    return loose
  }

  /// The places that the valid files of a replica reach, and which of the given places they cover.
  private mutating func reach(
    of replica: UniqueID, of book: UniqueID, towards places: [Place], as holder: any Holder,
    _ problems: inout [SyncProblem]
  ) throws(SyncError) -> Frontier {
    let files = try leading(replica, of: book, as: holder, &problems)
    let ends = Frontier(files.map { $0.end(of: replica) })
    let folder = folder(of: replica, of: book)
    var passed: [Place] = []
    for place in places where !ends.tells(of: place) {
      if try contains(place, in: files, in: folder, as: holder) { passed.append(place) }
    }
    return try telling(beyondLossesIn: ends.union(Frontier(passed)), of: replica, of: book, holder)
  }

  /// Whether events after the last hole, or the end of a branch, are missing from the valid files that contain all
  /// bodies stored here.
  ///
  /// A body that no device holds any more must not block its author's later events.
  private func lacksRest(
    beyond places: [Place], of replica: UniqueID, of book: UniqueID, _ names: [DirectoryName],
    _ holder: any Holder
  ) throws(SyncError) -> Bool {
    let ends = try holder.ends(of: replica).filter { !places.contains($0) }
    guard !ends.isEmpty else { return false }
    let folder = folder(of: replica, of: book)
    var files: [SoundFile] = []
    for name in names {
      guard let file = try known(name, in: folder),
        try !lacksBodies(file, of: replica, in: folder, as: holder)
      else { continue }
      files.append(file)
    }
    // The frames between two holes need not end in a head. If they do not, they cannot be sent.
    let islands = places.compactMap(\.islands.last)
    if !islands.without(files.map(\.events)).isEmpty { return true }
    for end in ends where !files.contains(where: { $0.end(of: replica) == end }) {
      if try !contains(end, in: files, in: folder, as: holder) { return true }
    }
    return false
  }

  private mutating func push(
    _ replica: UniqueID, lackedBy places: [Place], of book: UniqueID, from holder: any Holder
  ) throws(SyncError) -> [UniqueID: UInt64] {
    let folder = try onDisk { () throws(DiskError) in try makeFolder(of: replica, of: book) }
    var batch = Batch()
    var export = Export(holder)
    let machine = machine
    try export.run(replica, lackedBy: places) { (_, frame, _) throws(SyncError) in
      // The logs of this device may have been damaged since they were opened.
      guard let span = holder.span(of: frame) else {
        throw .journal(.refused(replica, .envelope))
      }
      if !batch.hasRoom(for: frame, span) {
        _ = try onDisk { () throws(DiskError) in try batch.write(in: folder, on: machine) }
      }
      batch.append(frame, span)
    }
    _ = try onDisk { () throws(DiskError) in try batch.write(in: folder, on: machine) }
    return export.sent
  }
}

extension DiskError {
  /// Whether the folder is not writable, as on a full or read-only stick, or has unexpected entries.
  fileprivate func isRefusalOfFolder(_ folder: Path) -> Bool {
    let isWriting = [.open, .write, .flush, .makeDirectory, .rename].contains(operation)
    let isRefusal = isAboutStrangeThings || [.full, .readOnly, .permission].contains(reason)
    return isWriting && isRefusal && path.names(below: folder) != nil
  }
}

/// Frames that are written into one file.
struct Batch {
  private var bytes: [UInt8] = []
  private var events: ClosedRange<UInt64>?
  /// The chain hash after the last frame.
  private var end: Digest?

  /// Whether the given frame can be added to the file: a file follows one branch, without holes.
  func hasRoom(for frame: [UInt8], _ next: FrameSpan) -> Bool {
    guard let events else { return true }
    return bytes.count + frame.count <= Limit.fileBytes
      && events.upperBound + 1 == next.events.lowerBound && end == next.before
  }

  mutating func append(_ frame: [UInt8], _ next: FrameSpan) {
    bytes += frame
    events = (events?.lowerBound ?? next.events.lowerBound)...next.events.upperBound
    end = next.end
  }

  /// Writes the file if it has frames, and begins the next one.
  mutating func write(
    in folder: Path, on machine: Machine
  ) throws(DiskError) -> DirectoryName? {
    guard let events else { return nil }
    var draft = try Draft(in: folder, on: machine)
    do throws(DiskError) {
      try draft.append(bytes)
    } catch {
      draft.discard()
      throw error
    }
    let name = DirectoryName(events: events, digest: draft.digest().prefix16)
    try draft.finish(as: name.string)
    self = Batch()
    return name
  }
}
