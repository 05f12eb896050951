/// A file that is being rewritten and is divided if it becomes too large.
struct Rewriting {
  /// The old file.
  let name: SegmentName
  /// The size at which a new file is begun, in bytes.
  let limit: Int
  /// The bytes of the current new file.
  private(set) var bytes: [UInt8] = []
  /// The last event added so far.
  private(set) var last: UInt64 = 0
  /// The seed or the salts of the block that contains the last event.
  private(set) var lastBlock: BlockSecrets?
  /// Whether several files replace the old one.
  private(set) var isDivided = false

  private var first: UInt64

  init(_ name: SegmentName, limit: Int) {
    (self.name, self.limit) = (name, limit)
    first = name.first
  }

  /// Ends the current file if a frame does not fit into it.
  ///
  /// - Returns: The file to write. The old file stays in use until all new files are written.
  mutating func divide(before frame: Frame, _ packed: [UInt8]) -> RepairPlan.File? {
    guard case .sealed(let events) = name, bytes.count + packed.count > limit, last >= first,
      last < frame.firstSequence, frame.firstSequence <= events.upperBound
    else { return nil }
    let file = RepairPlan.File(name: .sealed(first...last), bytes: bytes)
    (first, bytes, isDivided) = (last + 1, [], true)
    return file
  }

  mutating func take(_ frame: Frame, _ packed: [UInt8]) {
    bytes += packed
    last = frame.lastSequence
    lastBlock = frame.information.blocks.last
  }

  /// The last file to write.
  ///
  /// If the file was not divided, this file replaces the old one.
  var rest: RepairPlan.File {
    guard isDivided, case .sealed(let events) = name else {
      return RepairPlan.File(name: name, bytes: bytes)
    }
    return RepairPlan.File(name: .sealed(first...events.upperBound), bytes: bytes)
  }
}
