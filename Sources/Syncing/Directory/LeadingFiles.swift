import Journaling

/// The folder's valid files that continue from the replica's first event, in order.
///
/// Files can overlap and contain different branches; the hashes join each file to an earlier one. Files that lack
/// bodies held by this device are excluded, so the device writes these bodies again.
struct LeadingFiles {
  private(set) var files: [SoundFile] = []
  /// The problems with other files.
  private(set) var problems: [SyncProblem] = []

  init(
    among list: ObjectList, in folder: ReplicaFolder, by reader: ObjectReader
  ) throws(SyncError) {
    let replica = folder.replica
    var joints: Set<Place> = []
    var faults: [FileFault] = []
    for object in list.objects {
      var found: [SyncProblem] = []
      let sound = try reader.sound(object, in: folder, &found)
      faults += found.map { FileFault(events: object.name.events, problem: $0) }
      guard let file = sound else { continue }
      if try reader.lacksBodies(file, in: folder) { continue }
      let start = file.start(of: replica)
      var isReached = start.sequence == 0 || joints.contains(start)
      if !isReached { isReached = try reader.contains(start, in: files, of: folder) }
      guard isReached else { continue }
      files.append(file)
      joints.formUnion([start, file.end(of: replica)])
    }
    guard !faults.isEmpty else { return }
    problems = faults.problems(
      of: replica, unlessHeld: files.map(\.events), as: reader.holder.hello.frontier)
  }
}
