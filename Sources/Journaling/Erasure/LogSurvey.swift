import Bytes

/// What there is to strip of a log.
struct LogSurvey {
  /// A file and what its frames hold.
  struct File {
    let name: SegmentName
    var sequences: [ClosedRange<UInt64>] = []
    var seeded: Set<UInt64> = []
  }

  let log: UniqueID
  /// Bodies that are to go.
  private(set) var bodies: [UInt64: Landmark] = [:]
  /// Blocks that a body is gone from, or is to go.
  private(set) var blocks: Set<UInt64> = []
  var files: [File] = []

  init(log: UniqueID) { self.log = log }

  mutating func take(_ frame: Frame, _ stripping: Stripping, _ file: inout File) {
    bodies.merge(stripping.bodies) { first, _ in first }
    blocks.formUnion(stripping.bodies.keys.map(Chain.block(of:)))
    // Salts stand where some frame of the block was stripped, perhaps by another holder.
    blocks.formUnion(frame.saltedBlocks)
    file.sequences.append(frame.firstSequence...frame.lastSequence)
    file.seeded.formUnion(frame.seededBlocks)
  }

  /// Blocks that a body of another strand is gone from must not keep their seeds either.
  mutating func share(_ others: Set<UInt64>) { blocks.formUnion(others) }

  var hasWork: Bool { files.contains(where: hasWork(in:)) }

  func hasWork(in file: File) -> Bool {
    !file.seeded.isDisjoint(with: blocks)
      || file.sequences.contains { range in bodies.keys.contains { range.contains($0) } }
  }
}
