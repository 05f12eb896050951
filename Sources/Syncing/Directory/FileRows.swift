import Journaling

/// A file whose last event was not stored, although its frames were passed to the holder.
struct LeftFile {
  var file: SoundFile
  var problems: [SyncProblem]
}

/// Files arranged in sequences, in each of which every file except the first continues an earlier one.
struct FileRows {
  private var sequences: [(files: [LeftFile], joints: Set<Place>)] = []

  var rows: [[LeftFile]] { sequences.map(\.files) }

  init(
    of left: [LeftFile], in folder: ReplicaFolder, by reader: ObjectReader
  ) throws(SyncError) {
    for next in left { try add(next, of: folder, by: reader) }
  }

  private mutating func add(
    _ next: LeftFile, of folder: ReplicaFolder, by reader: ObjectReader
  ) throws(SyncError) {
    let start = next.file.start(of: folder.replica)
    var index = sequences.firstIndex { $0.joints.contains(start) } ?? 0
    if sequences.isEmpty || !sequences[index].joints.contains(start) {
      index = 0
      while index < sequences.count,
        try !reader.contains(start, in: sequences[index].files.map(\.file), of: folder)
      { index += 1 }
    }
    if index == sequences.count { sequences.append(([], [start])) }
    sequences[index].files.append(next)
    sequences[index].joints.insert(next.file.end(of: folder.replica))
  }
}
