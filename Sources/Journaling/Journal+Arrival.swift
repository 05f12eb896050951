import Bytes

extension Journal {
  /// The frame to stage in the place of one received: without the bodies of what is erased.
  ///
  /// Where the frame goes on with a block whose seed was done away with, it must not bring it back.
  ///
  /// - Parameters:
  ///   - frame: What was received.
  ///   - bytes: The same as it was packed.
  ///   - strand: Where the events go.
  ///   - fork: Where the strand leaves another, if it is new.
  ///   - end: The log behind what is held or staged.
  ///   - open: What the last block of that is salted with.
  /// - Returns: The frame and its bytes, the same ones where nothing has to go.
  /// - Throws: ``JournalError`` when the frame would be larger than frames may be.
  mutating func stripArriving(
    _ frame: Frame, _ bytes: [UInt8], of strand: UniqueID, leaving fork: Fork? = nil,
    after end: LogEnd, open: BlockSecrets?
  ) throws(JournalError) -> (frame: Frame, bytes: [UInt8]) {
    #if PLANTED
    if Planted.keepErasedOnArrival.isOn { return (frame, bytes) }
    #endif
    var blocks: Set<UInt64> = []
    if case .salts? = open { blocks.insert(Chain.block(of: end.sequence)) }
    var bodies: [UInt64: Landmark] = [:]
    if !erasures.isEmpty {
      let scope = scope(of: frame, in: strand, leaving: fork, table: end.table)
      let found = frame.stripping(erasures, in: scope)
      erasures.spare(found.spared)
      erasures.merge(found.owned)
      bodies = found.bodies
    }
    let packed = try stripped(frame, bodies, blocks, level: Self.quickLevel)
    return packed ?? (frame, bytes)
  }
}
