import Bytes

/// Writes the events that a store lacks, and removes superfluous objects.
struct DirectoryPusher {
  let reader: ObjectReader
  let book: UniqueID

  func push() throws(SyncError) -> DirectoryReport {
    let frontier = reader.holder.hello.frontier
    var report = DirectoryReport()
    for replica in frontier.replicas {
      do throws(SyncError) {
        try push(replica, towards: frontier, &report)
      } catch {
        guard let refusal = reader.store.refusal(for: error) else { throw error }
        report.problems.append(refusal.problem)
        if !refusal.isConfined { return report }
      }
    }
    return report
  }

  private func push(
    _ replica: UniqueID, towards frontier: Frontier, _ report: inout DirectoryReport
  ) throws(SyncError) {
    let pusher = FolderPusher(
      reader: reader, folder: reader.store.folder(of: replica, of: book), frontier: frontier)
    guard try pusher.push(&report) else { return }
    for folder in try reader.store.folders(of: book).folders where folder.replica == replica {
      try Tidier(reader: reader, folder: folder, frontier: frontier).tidy()
    }
  }
}
