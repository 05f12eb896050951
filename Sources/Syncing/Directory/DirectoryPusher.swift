import Bytes

/// Writes the events that a store lacks, and removes superfluous objects.
struct DirectoryPusher {
  let reader: ObjectReader
  let book: UniqueID

  func push() throws(SyncError) -> DirectoryReport {
    let frontier = reader.holder.hello.frontier
    let folders = Dictionary(
      grouping: try reader.store.folders(of: book).folders, by: \.replica)
    var report = DirectoryReport()
    for replica in frontier.replicas {
      do throws(SyncError) {
        try push(replica, towards: frontier, beside: folders[replica] ?? [], &report)
      } catch {
        guard let refusal = reader.store.refusal(for: error) else { throw error }
        report.problems.append(refusal.problem)
        if !refusal.isConfined { return report }
      }
    }
    return report
  }

  private func push(
    _ replica: UniqueID, towards frontier: Frontier, beside folders: [ReplicaFolder],
    _ report: inout DirectoryReport
  ) throws(SyncError) {
    let folder = reader.store.folder(of: replica, of: book)
    let pusher = FolderPusher(reader: reader, folder: folder, frontier: frontier)
    guard let list = try pusher.push(&report) else { return }
    try Tidier(reader: reader, folder: folder, frontier: frontier).tidy(list)
    for other in folders where other != folder {
      guard let list = try reader.store.list(other) else { continue }
      try Tidier(reader: reader, folder: other, frontier: frontier).tidy(list)
    }
  }
}
