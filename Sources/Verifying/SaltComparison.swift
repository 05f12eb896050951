import Bytes

/// Compares what different frames state about the salts of a block.
struct SaltComparison {
  /// The number of the last block read, and what the frames state about it.
  private var last: (number: UInt64, claims: BlockClaims)?

  /// Forgets the last block, because the next frame does not follow it.
  mutating func forget() { last = nil }

  /// Compares the salts of the given frame's first block with those in earlier frames.
  mutating func compare(
    _ claims: FrameClaims, of frame: borrowing StoredFrame, _ faults: inout FaultCollector
  ) {
    guard let first = claims.blocks.first, let last = claims.blocks.last else { return }
    let number = FrameClaims.block(of: frame.first)
    var block = self.last.flatMap { $0.number == number ? $0.claims : nil } ?? BlockClaims()
    if !block.take(first) {
      faults.report(.seedDiffers)
      block = BlockClaims(first)
    }
    if claims.blocks.count > 1 { block = BlockClaims(last) }
    self.last = (FrameClaims.block(of: frame.last), block)
  }
}

/// What different frames state about the salts of one block.
private struct BlockClaims {
  private var seed: UniqueID?
  private var isStripped = false

  init() {}

  init(_ salting: FrameClaims.Salting) { _ = take(salting) }

  /// Adds what another frame states.
  ///
  /// One frame may contain salts and another a seed although no event of the block is stripped here. The author may
  /// have stripped an event because of an `erase` that has no effect here.
  ///
  /// - Returns: Whether the statements are consistent: there is at most one seed, and no seed if an event is stripped.
  mutating func take(_ salting: FrameClaims.Salting) -> Bool {
    switch salting {
    case .seed(let told):
      let isOther = seed.map { $0 != told } ?? false
      seed = told
      return !isOther && !isStripped
    case .salts(let salts):
      if salts.contains(where: { $0 == nil }) { isStripped = true }
      return !isStripped || seed == nil
    }
  }
}
