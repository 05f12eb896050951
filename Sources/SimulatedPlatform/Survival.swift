import Platform

/// Determines which unflushed changes survive a crash.
package enum Survival: Hashable, Sendable {
  /// No changes survive, so only flushed data remains.
  case nothing
  /// All changes survive.
  case everything
  /// The given number of changes survive, counted from the earliest.
  case first(Int)
  /// Each change has one fate, in the order of ``SimulatedDisk/unflushed``. Changes without a fate are lost.
  case chosen([Fate])
  /// Fates are drawn from a seed. On average, half of the changes are lost, and half of the writes that survive are
  /// torn.
  case random(seed: UInt64)
}

/// The fate of one unflushed change in a crash.
package enum Fate: Hashable, Sendable {
  case lost
  case kept
  /// Only the given number of bytes from the start of a write survive. Other changes survive completely.
  case torn(afterBytes: Int)
  /// Only the given ranges of a write survive, which are relative to the write's start.
  ///
  /// The file has the length that it would have after the whole write, and contains older bytes or zeros outside the
  /// ranges. Other changes survive completely.
  case partly([Range<Int>])
}

extension Survival {
  func fates(of changes: [Change]) -> [Fate] {
    switch self {
    case .nothing: changes.map { _ in .lost }
    case .everything: changes.map { _ in .kept }
    case .first(let count): changes.indices.map { $0 < count ? .kept : .lost }
    case .chosen(let fates): changes.indices.map { $0 < fates.count ? fates[$0] : .lost }
    case .random(let seed): Survival.drawn(from: Seeded(seed: seed), for: changes)
    }
  }

  private static func drawn(from dice: Seeded, for changes: [Change]) -> [Fate] {
    var dice = dice
    return changes.map { change in
      guard Bool.random(using: &dice) else { return .lost }
      guard case .write(_, _, let bytes, _) = change, Bool.random(using: &dice) else {
        return .kept
      }
      return .torn(afterBytes: Int.random(in: 0...bytes.count, using: &dice))
    }
  }
}

extension Image {
  /// Applies the surviving unflushed changes to this durable image.
  mutating func settle(_ changes: [Change], _ survival: Survival) {
    // File systems preserve the order of changes to the names of one file, so once one change is lost, all later ones
    // are lost as well. There is no such order for bytes.
    var nameless: Set<Node> = []
    for (change, fate) in zip(changes, survival.fates(of: changes)) {
      let changesNames = !change.directories.isEmpty
      if changesNames, nameless.contains(change.node) { continue }
      switch (fate, change) {
      case (.lost, _):
        if changesNames { nameless.insert(change.node) }
      case (.torn(let count), .write(let node, let offset, let bytes, let moment)):
        apply(.write(node, at: offset, Array(bytes.prefix(max(count, 0))), moment))
      case (.partly(let ranges), .write(let node, let offset, let bytes, let moment)):
        apply(node, offset, bytes, moment, only: ranges)
      case (.kept, _), (.torn, _), (.partly, _):
        apply(change)
      }
    }
    forgetUnreachable()
  }

  /// Applies ranges of a write, and extends the file to where the whole write would end.
  private mutating func apply(
    _ node: Node, _ offset: Int, _ bytes: [UInt8], _ moment: Moment, only ranges: [Range<Int>]
  ) {
    let end = offset + bytes.count
    if !bytes.isEmpty, files[node]?.bytes.count ?? 0 < end {
      apply(.truncate(node, to: end, moment))
    }
    for range in ranges {
      let kept = range.clamped(to: bytes.indices)
      apply(.write(node, at: offset + kept.lowerBound, Array(bytes[kept]), moment))
    }
  }
}
