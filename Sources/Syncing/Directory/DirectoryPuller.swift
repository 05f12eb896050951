import Bytes
import Journaling

/// Stores the events of a book that a store contains and the device lacks.
struct DirectoryPuller {
  private let reader: ObjectReader
  private var intake: Intake
  private var problems: [SyncProblem] = []

  init(_ reader: ObjectReader) {
    self.reader = reader
    intake = Intake(reader.holder)
  }

  mutating func pull(_ book: UniqueID) throws(SyncError) -> DirectoryReport {
    let found = try reader.store.folders(of: book)
    reader.keep(only: found.folders)
    for folder in found.folders.prefix(Limit.frontierPlaces) {
      let puller = FolderPuller(reader: reader, folder: folder)
      try puller.pull(through: &intake, &problems)
    }
    if found.isTooMuch || found.folders.count > Limit.frontierPlaces {
      problems.append(.tooManyFiles(found.path))
    }
    return DirectoryReport(received: intake.received, problems: problems.firstOfLogs)
  }
}

extension [SyncProblem] {
  /// Each log's first gap and first stop, with all problems of other kinds.
  ///
  /// A log's later gaps and stops follow from the first ones.
  var firstOfLogs: [SyncProblem] {
    var gaps: Set<UniqueID> = []
    var stops: Set<UniqueID> = []
    return filter { problem in
      guard case .log(let error) = problem else { return true }
      if case .gap(let log, held: _, received: _) = error { return gaps.insert(log).inserted }
      return error.stoppedLog.map { stops.insert($0).inserted } ?? true
    }
  }
}
