import Bytes
import Crypto
package import Journaling
import Platform
import ReadModel
package import Syncing

extension Eraser {
  private static let strippedSetting = "stripped"

  func isStripped(of erasures: Erasures) throws(DaybookError) -> Bool {
    try logsToStrip(of: erasures).isEmpty
  }

  /// The logs that have changed since they were last stripped for these erasures.
  func logsToStrip(of erasures: Erasures) throws(DaybookError) -> Set<UniqueID> {
    let model = try projector.view()
    var all = Set(store.journal.logs.keys).union(store.journal.aside.keys)
    if erasures.isEmpty {
      // If a body arrived stripped, the seed of its block must be removed, even if the `erase` does not count.
      let stripped = try projector.remembered(by: model).ledger.erasing.stripped
      all = all.filter { stripped[$0] != nil }
      if all.isEmpty { return [] }
    }
    guard let known = try lookedThrough(for: erasures, model) else { return all }
    let marks = Set(
      stride(from: 32, to: known.count - 31, by: 32).map { Digest(known[$0..<$0 + 32]) })
    return all.filter { !marks.contains(mark(of: $0)) }
  }

  /// Whether the logs have been stripped for these erasures.
  ///
  /// Events that have arrived since then make no difference.
  func wasLookedThrough(for erasures: Erasures) throws(DaybookError) -> Bool {
    if erasures.isEmpty { return true }
    return try lookedThrough(for: erasures, try projector.view()) != nil
  }

  /// The digest of the erasures and the marks of the logs at the last stripping; nil if that was for other erasures.
  private func lookedThrough(
    for erasures: Erasures, _ model: ReadModel
  ) throws(DaybookError) -> [UInt8]? {
    let known = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.settings.value(Self.strippedSetting)
    }
    guard let known, known.starts(with: digest(of: erasures).bytes) else { return nil }
    return known
  }

  func note(_ erasures: Erasures, in model: ReadModel) throws(DaybookError) {
    let logs = Set(store.journal.logs.keys).union(store.journal.aside.keys)
    let marks = logs.map(mark(of:)).sorted()
    do throws(ReadModelError) {
      try model.settings.keep(
        Self.strippedSetting, digest(of: erasures).bytes + marks.flatMap(\.bytes))
    } catch {
      // If the disk refuses this write, the logs are searched again the next time.
      guard error.isRefusalOfTheDisk else { throw .view(error) }
    }
  }

  /// Removes copies of earlier read models, except those that were made after a stripping for exactly these erasures.
  ///
  /// - Returns: The removed copies.
  func removeViewsBeforeLoss(
    unlessMadeAfter erasures: Erasures
  ) throws(DaybookError) -> [Path] {
    guard !erasures.isEmpty else { return [] }
    let state = digest(of: erasures).bytes
    return try ViewsBeforeLoss(of: store.layout, on: store.machine).remove(
      Self.strippedSetting
    ) { known in
      known?.starts(with: state) ?? false
    }
  }

  private func digest(of erasures: Erasures) -> Digest {
    var writer = CBORWriter()
    erasures.encode(to: &writer)
    return SHA256.digest(of: writer.bytes)
  }

  /// A digest of the end and the holes of a log, which changes when events arrive or are lost.
  private func mark(of log: UniqueID) -> Digest {
    let end = store.journal.end(of: log, on: .logs) ?? store.journal.end(of: log, on: .aside)
    let holes = "\(store.journal.holes(in: log))"
    return SHA256.digest(of: log.bytes + (end?.hash.bytes ?? []) + Array(holes.utf8))
  }

  /// Removes unfinished read models next to the one in use.
  func removeViewDrafts() throws(DaybookError) {
    guard case .file(let path) = projector.place else { return }
    let view = Path(path)
    try wrap(DaybookError.disk) { () throws(DiskError) in
      let companions = Set(ReadModel.companionSuffixes.map { view.name + $0 })
      let drafts = try store.machine.disk.list(view.parent).filter { name in
        name.hasPrefix(view.name + ".") && !companions.contains(name)
      }
      for name in drafts { try store.machine.disk.removeIfPresent(view.parent / name) }
    }
  }
}

extension StripReport {
  /// The damaged bytes that were removed, as a problem of a sync; nil if there were none.
  package var problem: SyncProblem? {
    damagedBytes == 0 ? nil : .damageDropped(byteCount: damagedBytes)
  }

  mutating func add(_ other: StripReport) {
    bodies.merge(other.bodies) { $0 + $1 }
    files += other.files
    removed += other.removed
    damagedBytes += other.damagedBytes
  }
}
