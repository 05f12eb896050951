import Bytes

/// The files of a strand, taken apart at a loss.
struct Parting {
  /// What is lost when nothing is held behind it.
  let loss: Loss
  /// What they were called.
  let names: [SegmentName]
  /// The files with what is held before the loss, called after that.
  private(set) var files: [ReadFile] = []
  /// The branch that what is held behind it begins, where that is known.
  var branch: UniqueID?
  /// What is held behind it.
  private(set) var remains: Mending.Remains?
  private var damaged: [SegmentName] = []

  init(loss: Loss, names: [SegmentName]) { (self.loss, self.names) = (loss, names) }

  /// Takes a file, some of whose frames may lie behind a hole.
  mutating func take(_ file: ReadFile, behind hole: ClosedRange<UInt64>) {
    let place =
      file.frames.firstIndex { $0.frame.firstSequence > hole.upperBound } ?? file.frames.count
    let (before, behind) = (file.frames[..<place], file.frames[place...])
    if file.isDamaged { damaged.append(file.name) }
    if let last = before.last {
      var name = file.name
      if case .sealed(let events) = name {
        name = .sealed(events.lowerBound...max(events.lowerBound, last.frame.lastSequence))
      }
      files.append(ReadFile(name: name, frames: Array(before)))
    }
    if let first = behind.first {
      let isWhole = before.isEmpty && !file.isDamaged
      let name = isWhole ? file.name : .tail(first.frame.firstSequence)
      // What is lost may have been several commands; if it was one, this is the branch's own name.
      let strand =
        remains?.strand ?? branch ?? .branch(firstCommandHash: first.frame.information.hash)
      let before = remains?.files ?? []
      remains = Mending.Remains(
        strand: strand, files: before + [Mending.File(name: name, bytes: behind.flatMap(\.bytes))])
    }
  }

  /// Adds to a plan what becomes of the files as they were.
  func complete(_ mending: inout Mending) {
    let written = mending.written.map(\.name)
    mending.damaged = damaged
    mending.replaced = names.filter { !written.contains($0) }
    mending.remains = remains
  }
}
