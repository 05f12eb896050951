import Platform

/// Which of the unflushed changes a crash leaves on the disk.
package enum Survival: Hashable, Sendable {
  /// None: only what was flushed.
  case nothing
  /// All of them.
  case everything
  /// The first so many, in the order they were made.
  case first(Int)
  /// One fate for each, in the order of ``SimulatedDisk/unflushed``; the rest is lost.
  case chosen([Fate])
  /// Fates drawn from a seed: lost, kept or, for half of the writes that are kept, torn.
  case random(seed: UInt64)
}

/// What becomes of one unflushed change in a crash.
package enum Fate: Hashable, Sendable {
  case lost
  case kept
  /// Only so many first bytes of a write; other changes are kept whole.
  case torn(afterBytes: Int)
  /// Only these bytes of a write, counted from its first, and zeros or older bytes in the place of the
  /// others: the file is as long as if all were kept. Other changes are kept whole.
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
  /// Lets the survivors among the unflushed changes reach this durable image.
  mutating func settle(_ changes: [Change], _ survival: Survival) {
    // File systems keep the names of one file in order: once a change of its name is lost, so are
    // the later ones. Bytes know no such order.
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

  /// Lets some bytes of a write reach the disk, and the length it gives the file.
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
