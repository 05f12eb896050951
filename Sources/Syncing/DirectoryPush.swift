import Bytes
import Journaling
import Platform

extension DirectoryPeer {
  /// Leaves in the directory what it lacks of a holder's book, in new files.
  package mutating func push(
    from holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    let hello = holder.hello
    guard let book = hello.book else { throw .noBook }
    var report = DirectoryReport()
    for place in hello.frontier.places {
      let there = try reach(of: place.log, of: book, &report.problems)
      guard there < place.sequence else { continue }
      try push(Want(log: place.log, after: there), of: book, from: holder, &report)
    }
    return report
  }

  /// How far the sound files of a log lead from its first event.
  private mutating func reach(
    of log: UniqueID, of book: UniqueID, _ problems: inout [SyncProblem]
  ) throws(SyncError) -> UInt64 {
    let folder = folder(of: log, of: book)
    var cover = Cover(try files(of: log, of: book))
    var reached: UInt64 = 0
    while let name = cover.next(after: reached) {
      let (isSound, problem) = try isSound(name, in: folder)
      if isSound { reached = max(reached, name.events.upperBound) }
      if let problem { problems.append(problem) }
    }
    return reached
  }

  private mutating func push(
    _ want: Want, of book: UniqueID, from holder: any Holder, _ report: inout DirectoryReport
  ) throws(SyncError) {
    let folder = folder(of: want.log, of: book)
    try onDisk { () throws(DiskError) in try disk.makeDirectories(folder) }
    var batch = Batch()
    var export = Export(holder)
    let machine = machine
    try export.run([want], of: .nothing) { (_, frame, events) throws(SyncError) in
      if !batch.hasRoom(for: frame, events) {
        try onDisk { () throws(DiskError) in try batch.write(in: folder, on: machine) }
      }
      batch.append(frame, events)
    }
    try onDisk { () throws(DiskError) in try batch.write(in: folder, on: machine) }
    report.sent.merge(export.sent) { $0 + $1 }
    report.problems += export.problems
  }
}

/// Frames that become one file.
private struct Batch {
  private var bytes: [UInt8] = []
  private var events: ClosedRange<UInt64>?

  /// Whether a file can hold a frame as well; its range has no holes.
  func hasRoom(for frame: [UInt8], _ next: ClosedRange<UInt64>) -> Bool {
    guard let events else { return true }
    return bytes.count + frame.count <= Limit.fileBytes
      && events.upperBound + 1 == next.lowerBound
  }

  mutating func append(_ frame: [UInt8], _ next: ClosedRange<UInt64>) {
    bytes += frame
    events = (events?.lowerBound ?? next.lowerBound)...next.upperBound
  }

  /// Writes the file, if there is anything in it, and begins the next.
  mutating func write(in folder: Path, on machine: Machine) throws(DiskError) {
    guard let events else { return }
    var draft = try Draft(in: folder, on: machine)
    do throws(DiskError) {
      try draft.append(bytes)
    } catch {
      draft.discard()
      throw error
    }
    let name = DirectoryName(events: events, digest: draft.digest().prefix16)
    try draft.finish(as: name.string)
    (bytes, self.events) = ([], nil)
  }
}
