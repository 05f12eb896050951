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
  /// Only so many first bytes of a write; other changes are never torn.
  case torn(afterBytes: Int)
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
      case (.kept, _), (.torn, _):
        apply(change)
      }
    }
    forgetUnreachable()
  }
}
