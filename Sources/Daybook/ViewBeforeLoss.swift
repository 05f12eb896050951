import Bytes
import Domain
import Platform
import ReadModel

/// A copy of the read model as it was before events were lost, which may hold the last copy of what they said.
///
/// It is kept until the events are back or the user accepts the loss, and goes at once when anything is erased: what
/// it holds cannot be taken out of it piece by piece.
struct ViewBeforeLoss {
  let path: Path
  /// Beside which drafts are looked for and tidied up.
  private let view: Path
  let machine: Machine

  init(of layout: Layout, on machine: Machine) {
    (path, view, self.machine) = (layout.viewBeforeLoss, layout.view, machine)
  }

  var isThere: Bool { ((try? machine.disk.status(path)) ?? nil) != nil }

  /// Keeps a copy of a read model, unless an earlier one is there: that one holds more.
  func keep(_ model: ReadModel) throws(DaybookError) {
    guard !isThere else { return }
    let draft = Path(view.string + "." + Hex.encode(machine.dice.bytes(4)))
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.copy(to: draft, on: machine)
    }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.rename(draft, to: path)
      try machine.disk.flushDirectory(path.parent)
    }
  }

  /// Removes it, durably, if it is there.
  func remove() throws(DaybookError) {
    guard isThere else { return }
    try wrap(DaybookError.disk) { () throws(DiskError) in
      for suffix in [""] + ReadModel.companionSuffixes {
        let file = Path(path.string + suffix)
        if try machine.disk.status(file) != nil { try machine.disk.remove(file) }
      }
      try machine.disk.flushDirectory(path.parent)
    }
  }

  /// What the read model kept under a name when the copy was made.
  func setting(_ name: String) -> [UInt8]? {
    guard isThere, let model = try? ReadModel(.file(path.string)) else { return nil }
    return (try? model.setting(name)) ?? nil
  }

  /// Finds the titles of the records that some events added.
  ///
  /// - Parameters:
  ///   - events: The events, by the replicas that wrote them.
  ///   - count: How many titles to give at most.
  /// - Returns: The titles, as far as the copy is there and can be read.
  func titles(of events: [UniqueID: [ClosedRange<UInt64>]], upTo count: Int) -> [String] {
    guard isThere, let model = try? ReadModel(.file(path.string)) else { return [] }
    // A damaged copy has nothing to tell; that the events are missing is known without it.
    return (try? titles(in: model, of: events, upTo: count)) ?? []
  }

  private func titles(
    in model: ReadModel, of events: [UniqueID: [ClosedRange<UInt64>]], upTo count: Int
  ) throws(ReadModelError) -> [String] {
    var keys: [EventKey] = []
    for position in try model.positions() {
      for range in events[position.replica] ?? [] where keys.count < count {
        keys += try model.documents(
          addedIn: position.number, range, upTo: count - keys.count)
      }
    }
    let records = try model.hydrate(Set(keys), causality: try model.causality())
    return keys.compactMap { records.document(of: $0)?.title }
  }
}
