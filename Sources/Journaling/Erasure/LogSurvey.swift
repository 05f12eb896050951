import Bytes

/// The bodies and seeds to remove from a log.
struct LogSurvey {
  /// A file, with the events and seeds in its frames.
  struct File {
    let name: SegmentName
    var sequences: [ClosedRange<UInt64>] = []
    var seeded: Set<UInt64> = []
  }

  let log: UniqueID
  /// The bodies to remove, by sequence.
  private(set) var bodies: [UInt64: Landmark] = [:]
  /// The blocks that contain removed bodies, or bodies to remove.
  ///
  /// The seeds of these blocks must be removed.
  private(set) var blocks: Set<UInt64> = []
  var files: [File] = []

  init(log: UniqueID) { self.log = log }

  mutating func take(_ frame: Frame, _ stripping: Stripping, _ file: inout File) {
    bodies.merge(stripping.bodies) { first, _ in first }
    blocks.formUnion(stripping.bodies.keys.map(Chain.block(of:)))
    // A block stores salts instead of a seed if one of its frames was stripped, perhaps on another device.
    blocks.formUnion(frame.saltedBlocks)
    file.sequences.append(frame.firstSequence...frame.lastSequence)
    file.seeded.formUnion(frame.seededBlocks)
  }

  /// Adds blocks from which another strand has removed bodies.
  mutating func share(_ others: Set<UInt64>) { blocks.formUnion(others) }

  var hasWork: Bool { files.contains(where: hasWork(in:)) }

  func hasWork(in file: File) -> Bool {
    !file.seeded.isDisjoint(with: blocks)
      || file.sequences.contains { range in bodies.keys.contains { range.contains($0) } }
  }
}
