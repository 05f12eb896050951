import Bytes
import Domain
import Journaling
import Platform
import ReadModel

/// Copies of the read model as it was before events were lost, which may hold the last copy of what they said.
///
/// There is one for each loss. They are kept until all is back or the user accepts the loss, and go at once when
/// anything is erased: what they hold cannot be taken out of them piece by piece.
struct ViewsBeforeLoss {
  private let layout: Layout
  private let machine: Machine

  init(of layout: Layout, on machine: Machine) { (self.layout, self.machine) = (layout, machine) }

  /// So many losses are kept apart; of more than these the titles are not known.
  private static let most = 9

  /// Where copies are, the oldest first.
  private var paths: [Path] { places.filter(isThere) }

  private var places: [Path] { (1...Self.most).map(layout.viewBeforeLoss) }

  private func isThere(_ path: Path) -> Bool { ((try? machine.disk.status(path)) ?? nil) != nil }

  /// Keeps a copy of a read model.
  func keep(_ model: ReadModel) throws(DaybookError) {
    guard let path = places.first(where: { !isThere($0) }) else { return }
    // Under a name by which drafts of read models are found and tidied up.
    let draft = Path(layout.view.string + "." + Hex.encode(machine.dice.bytes(4)))
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.copy(to: draft, on: machine)
    }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.rename(draft, to: path)
      try machine.disk.flushDirectory(path.parent)
    }
  }

  /// Removes copies, durably.
  ///
  /// - Parameters:
  ///   - name: Under which the read model kept something.
  ///   - isKept: Whether a copy stays, by what stands in it under the name.
  /// - Throws: ``DaybookError``, when the disk refuses.
  func remove(
    _ name: String = "", unless isKept: ([UInt8]?) -> Bool = { _ in false }
  ) throws(DaybookError) {
    let removed = paths.filter { path in
      let model = try? ReadModel(.file(path.string))
      return !isKept((try? model?.settings.value(name)) ?? nil)
    }
    guard let first = removed.first else { return }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      for path in removed {
        for suffix in [""] + ReadModel.companionSuffixes {
          try machine.disk.removeIfPresent(Path(path.string + suffix))
        }
      }
      try machine.disk.flushDirectory(first.parent)
    }
  }

  /// Finds the titles of the records that some events added.
  ///
  /// - Parameters:
  ///   - events: The events, by the replicas that wrote them.
  ///   - count: How many titles to give at most.
  /// - Returns: The titles, as far as copies are there and can be read.
  func titles(of events: [UniqueID: [ClosedRange<UInt64>]], upTo count: Int) -> [String] {
    var titles: [EventName: String] = [:]
    for path in paths where titles.count < count {
      // A damaged copy has nothing to tell; that the events are missing is known without it.
      guard let model = try? ReadModel(.file(path.string)),
        let found = try? Self.titles(in: model, of: events, upTo: count - titles.count)
      else { continue }
      titles.merge(found) { first, _ in first }
    }
    return titles.sorted { $0.key < $1.key }.prefix(count).map(\.value)
  }

  private static func titles(
    in model: ReadModel, of events: [UniqueID: [ClosedRange<UInt64>]], upTo count: Int
  ) throws(ReadModelError) -> [EventName: String] {
    var names: [EventKey: EventName] = [:]
    for position in try model.logs.positions() {
      for range in events[position.replica] ?? [] where names.count < count {
        let keys = try model.documents.documents(
          addedIn: position.number, range, upTo: count - names.count)
        for key in keys { names[key] = EventName(log: position.replica, sequence: key.sequence) }
      }
    }
    let records = try model.records.hydrate(Set(names.keys), causality: try model.logs.causality())
    var titles: [EventName: String] = [:]
    for (key, name) in names { titles[name] = records.document(of: key)?.title }
    return titles
  }
}
