import Bytes
import Journaling
import Platform

extension DirectoryPeer {
  /// Writes files that list the replica's lost events that no file contains, so other devices accept the events after
  /// them.
  ///
  /// Outdated lists are removed.
  mutating func tellLosses(
    of replica: UniqueID, of book: UniqueID, at places: [Place], as holder: any Holder
  ) throws(SyncError) {
    let folder = folder(of: replica, of: book)
    let told = try losses(in: folder)
    var lost: [LossName] = []
    let holes = places.flatMap(\.holes)
    if !holes.isEmpty {
      // Problems with files have already been reported.
      var problems: [SyncProblem] = []
      let leading = Set(try leading(replica, of: book, as: holder, &problems))
      for name in try files(in: folder) ?? [] {
        guard let hole = holes.first(where: { $0.upperBound + 1 == name.events.lowerBound }),
          let file = try known(name, in: folder), !leading.contains(file)
        else { continue }
        lost.append(LossName(events: hole, end: file.before))
      }
    }
    for name in Set(lost).subtracting(told) {
      let machine = machine
      try onDisk { () throws(DiskError) in
        try Draft(in: folder, on: machine).finish(as: name.string)
      }
    }
    // A device that has fewer events than other devices must not remove their lists.
    let reached = places.map(\.sequence).max() ?? 0
    for name in told where name.events.upperBound <= reached && !lost.contains(name) {
      // If this fails, nothing depends on it.
      try? disk.remove(folder / name.string)
    }
  }
}

extension DirectoryPeer {
  /// The events in the files, including the files that follow events listed as lost.
  mutating func telling(
    beyondLossesIn reached: Frontier, of replica: UniqueID, of book: UniqueID, _ holder: any Holder
  ) throws(SyncError) -> Frontier {
    let folder = folder(of: replica, of: book)
    var joints = Set(try losses(in: folder).map { $0.place(of: replica) })
    guard !joints.isEmpty, var last = reached.places.last else { return reached }
    var beyond: [ClosedRange<UInt64>] = []
    for name in try files(in: folder) ?? [] where name.events.lowerBound > last.sequence + 1 {
      guard let file = try known(name, in: folder), joints.contains(file.start(of: replica)),
        // If the file follows another branch, its range would claim events that are not in it.
        try holder.holdsEvent(at: file.end(of: replica)),
        try !lacksBodies(file, of: replica, in: folder, as: holder)
      else { continue }
      joints.insert(file.end(of: replica))
      beyond.append(file.events)
    }
    last.islands = [ClosedRange<UInt64>](joining: beyond)
    return reached.union(Frontier([last]))
  }
}

extension Place {
  /// The events that are lost between the place and its islands.
  fileprivate var holes: [ClosedRange<UInt64>] {
    var next = sequence + 1
    return islands.map { island in
      defer { next = island.upperBound + 1 }
      return next...island.lowerBound - 1
    }
  }
}
