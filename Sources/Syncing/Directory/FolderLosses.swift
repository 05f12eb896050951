import Bytes
import Journaling

/// The lists of lost events in a folder.
///
/// The lists allow other devices to accept the events after a loss.
struct FolderLosses {
  let reader: ObjectReader
  let folder: ReplicaFolder
  let list: ObjectList

  private var replica: UniqueID { folder.replica }

  /// Lists the replica's lost events that no file contains, and removes outdated lists.
  func tell(at places: [Place]) throws(SyncError) {
    var lost: [LossName] = []
    let holes = places.flatMap(\.holes)
    if !holes.isEmpty {
      // Problems with files have already been reported.
      let leading = Set(try LeadingFiles(among: list, in: folder, by: reader).files)
      for object in list.objects {
        guard let hole = holes.first(where: { $0.upperBound + 1 == object.name.events.lowerBound }),
          let file = reader.known(object, in: folder), !leading.contains(file)
        else { continue }
        lost.append(LossName(events: hole, end: file.before))
      }
    }
    for name in Set(lost).subtracting(list.losses) {
      try reader.store.put(name, in: folder)
    }
    // If a device has fewer events than other devices, it must not remove their lists.
    let reached = places.map(\.sequence).max() ?? 0
    for name in list.losses where name.events.upperBound <= reached && !lost.contains(name) {
      // Nothing depends on the removal, so its failure is ignored.
      try? reader.store.delete(name, in: folder)
    }
  }

  /// The given events, and the events of files that follow events listed as lost.
  func reach(beyond reached: Frontier) throws(SyncError) -> Frontier {
    var joints = Set(list.losses.map { $0.place(of: replica) })
    guard !joints.isEmpty, var last = reached.places.last else { return reached }
    var beyond: [ClosedRange<UInt64>] = []
    for object in list.objects where object.name.events.lowerBound > last.sequence + 1 {
      guard let file = reader.known(object, in: folder),
        joints.contains(file.start(of: replica)),
        // If the file follows another branch, its range would claim events that the file does not contain.
        try reader.holder.holdsEvent(at: file.end(of: replica)),
        try !reader.lacksBodies(file, in: folder)
      else { continue }
      joints.insert(file.end(of: replica))
      beyond.append(file.events)
    }
    last.islands = [ClosedRange<UInt64>](joining: beyond)
    return reached.union(Frontier([last]))
  }
}

extension Place {
  /// The events that are lost between the contiguous range and the islands, and between the islands.
  fileprivate var holes: [ClosedRange<UInt64>] {
    var next = sequence + 1
    return islands.map { island in
      defer { next = island.upperBound + 1 }
      return next...island.lowerBound - 1
    }
  }
}
