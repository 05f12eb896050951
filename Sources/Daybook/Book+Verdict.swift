package import Bytes
package import Journaling

/// What a frame that lies somewhere else is worth, as far as erasing goes.
package struct ErasureVerdict: Hashable, Sendable {
  /// A body is gone, and no erasure that is folded here explains it.
  package var hasUnexplained: Bool
  /// A body is there that should be gone, or the seed of a block with such a body.
  package var hasBodyToStrip: Bool

  package var isClean: Bool { !hasUnexplained && !hasBodyToStrip }
}

extension Book {
  /// Judges a frame of a replica's log, wherever it lies.
  package func verdict(
    on frame: Frame, of replica: UniqueID
  ) throws(DaybookError) -> ErasureVerdict {
    let ledger = try remembered(by: try view()).ledger
    let admitted = try trust(by: ledger).admitted
    let erasures = ledger.erasing.erasures(by: admitted)
    let found = frame.stripping(erasures, in: journal.scope(of: frame, in: replica))
    let unexplained = ledger.erasing.unexplained(found.standing, by: admitted)
    let gone = Set(found.bodies.keys).union(ledger.erasing.stripped[replica]?.keys.sorted() ?? [])
    let salted = Set(gone.map(Chain.block(of:)))
    return ErasureVerdict(
      hasUnexplained: !unexplained.isEmpty,
      hasBodyToStrip: !found.bodies.isEmpty || !frame.seededBlocks.isDisjoint(with: salted))
  }
}
