/// A file whose frames are packed anew, and that may have grown too large for one.
struct Rewriting {
  /// The file as it was.
  let name: SegmentName
  /// How far files are filled.
  let limit: Int
  /// What the file that is being filled holds so far.
  private(set) var bytes: [UInt8] = []
  /// The last event that was taken.
  private(set) var last: UInt64 = 0
  /// What its block is salted with.
  private(set) var lastBlock: BlockSecrets?
  /// Whether several files take the place of the one.
  private(set) var isDivided = false

  private var first: UInt64

  init(_ name: SegmentName, limit: Int) {
    (self.name, self.limit) = (name, limit)
    first = name.first
  }

  /// Ends the file before a frame that has no room in it any more.
  ///
  /// - Returns: What is to be written beside the old one, which goes on to count.
  mutating func divide(before frame: Frame, _ packed: [UInt8]) -> Mending.File? {
    guard case .sealed(let events) = name, bytes.count + packed.count > limit, last >= first,
      last < frame.firstSequence, frame.firstSequence <= events.upperBound
    else { return nil }
    let file = Mending.File(name: .sealed(first...last), bytes: bytes)
    (first, bytes, isDivided) = (last + 1, [], true)
    return file
  }

  mutating func take(_ frame: Frame, _ packed: [UInt8]) {
    bytes += packed
    last = frame.lastSequence
    lastBlock = frame.information.blocks.last
  }

  /// What is left to be written; where nothing was divided, it takes the old file's place.
  var rest: Mending.File {
    guard isDivided, case .sealed(let events) = name else {
      return Mending.File(name: name, bytes: bytes)
    }
    return Mending.File(name: .sealed(first...events.upperBound), bytes: bytes)
  }
}
