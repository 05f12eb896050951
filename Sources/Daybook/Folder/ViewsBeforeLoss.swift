import Bytes
import Domain
import Journaling
import Platform
import ReadModel

/// Copies of the read model from before events were lost.
///
/// Such a copy may hold the last remaining content of those events.
///
/// There is one copy for each loss, up to a limit. The copies are kept until everything is recovered, even if the user
/// accepts the loss. All copies are removed as soon as anything is erased, because individual records cannot be removed
/// from a copy.
struct ViewsBeforeLoss {
  private let layout: Layout
  private let machine: Machine

  init(of layout: Layout, on machine: Machine) { (self.layout, self.machine) = (layout, machine) }

  /// The maximum number of copies.
  ///
  /// Once it is reached, no copy is made for the next loss, because the older copies may be the last copies of their
  /// events.
  static let most = 9

  /// The paths of the copies, oldest first.
  private var paths: [Path] { places.filter(isThere) }

  private var places: [Path] { (1...Self.most).map(layout.viewBeforeLoss) }

  private func isThere(_ path: Path) -> Bool { ((try? machine.disk.status(path)) ?? nil) != nil }

  /// Keeps a copy of a read model.
  ///
  /// No copy is made if the maximum number already exists; in that case, ``countUncopied(of:)`` counts the events.
  ///
  /// - Throws: ``DaybookError`` if the copy cannot be made or the disk refuses the write.
  func keep(_ model: ReadModel) throws(DaybookError) {
    guard let path = places.first(where: { !isThere($0) }) else { return }
    // The name has the form of a draft of a read model, so that leftovers are found and removed.
    let draft = Path(layout.view.string + "." + Hex.encode(machine.dice.bytes(4)))
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.copy(to: draft, on: machine)
    }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      for suffix in ReadModel.companionSuffixes {
        try machine.disk.removeIfPresent(Path(path.string + suffix))
      }
      try machine.disk.rename(draft, to: path)
      try machine.disk.flushDirectory(path.parent)
    }
  }

  /// The positions up to which a copy has folded the logs; nil if the copy cannot be read.
  private func positions(in path: Path) -> [LogPosition]? {
    guard let model = try? ReadModel(.file(path.string)) else { return nil }
    return try? model.logs.positions()
  }

  /// The number of these events that are in no copy; 0 if another copy can still be made.
  func countUncopied(of events: [UniqueID: [ClosedRange<UInt64>]]) -> UInt64 {
    let paths = paths
    guard paths.count == Self.most else { return 0 }
    var left = events
    for position in paths.compactMap(positions).flatMap(\.self) where position.sequence > 0 {
      left[position.replica] = left[position.replica]?.without([1...position.sequence])
    }
    return left.values.reduce(0) { count, ranges in
      [ClosedRange<UInt64>](joining: ranges).reduce(count) { $0 + UInt64($1.count) }
    }
  }

  /// Removes copies durably.
  ///
  /// - Parameters:
  ///   - name: The setting to read from the read model.
  ///   - isKept: Whether to keep a copy, given the value of that setting.
  /// - Returns: The removed copies.
  /// - Throws: ``DaybookError`` if the disk refuses to remove a copy.
  @discardableResult
  func remove(
    _ name: String = "", unless isKept: ([UInt8]?) -> Bool = { _ in false }
  ) throws(DaybookError) -> [Path] {
    let removed = paths.filter { path in
      let model = try? ReadModel(.file(path.string))
      return !isKept((try? model?.settings.value(name)) ?? nil)
    }
    guard let first = removed.first else { return [] }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      for path in removed {
        for suffix in [""] + ReadModel.companionSuffixes {
          try machine.disk.removeIfPresent(Path(path.string + suffix))
        }
      }
      try machine.disk.flushDirectory(first.parent)
    }
    return removed
  }

  /// Finds the titles of the records that missing events added.
  ///
  /// - Parameters:
  ///   - events: The missing events, by replica.
  ///   - count: The maximum number of titles.
  ///   - current: The current view.
  ///   - tree: The logs.
  /// - Returns: The titles in the readable copies.
  func titles(
    of events: [UniqueID: [ClosedRange<UInt64>]], upTo count: Int, notIn current: ReadModel,
    _ tree: LogTree
  ) -> [String] {
    guard events.values.contains(where: { !$0.isEmpty }) else { return [] }
    var search = LostRecordSearch(for: events, upTo: count, notIn: current, tree)
    for path in paths {
      guard search.titles.count < count else { break }
      // Skip a damaged copy, because the missing events are known without it.
      if let copy = try? ReadModel(.file(path.string)) { try? search.add(copy) }
    }
    return search.titles
  }
}
