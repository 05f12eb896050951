import Domain
import ReadModel

/// Builds a read model in portions that fit into memory.
struct PortionBuilder {
  let replayer: Replayer
  /// The memory that a portion may take, in bytes.
  let memoryLimit: UInt64
  /// Returns the change that stores a posting in the read model.
  let change: (Posting) -> Change

  /// Builds a read model without holding more records in memory than the limit allows.
  ///
  /// The first portion is folded as a whole. Each later portion is added like new events, which takes four times as
  /// long.
  ///
  /// - Parameters:
  ///   - posting: The result of the first reading of the logs. The posting is updated with the folded events.
  ///   - advance: Called for each event that was read.
  ///   - make: Creates a read model of the first portion.
  /// - Returns: The read model.
  /// - Throws: ``DaybookError`` if the logs cannot be read, or any error that `make` throws.
  func build(
    by posting: inout Posting, _ advance: (UInt64) -> Void,
    make: (Records, Change) throws(DaybookError) -> ReadModel
  ) throws(DaybookError) -> ReadModel {
    let causality = posting.causality
    // The positions and all *seen* entries are written first, so that each portion is folded as part of the whole.
    let first = change(posting)
    var portion = FoldPortion(upTo: .postable(within: memoryLimit))
    var facts: [Fact] = []
    var model: ReadModel?
    func post() throws(DaybookError) {
      defer { facts.removeAll(keepingCapacity: true) }
      guard let model else {
        model = try make(Records.fold(facts, causality: causality), first)
        return
      }
      try wrap(DaybookError.view) { [facts] () throws(ReadModelError) in
        var hydrated = try model.records.hydrate(facts, causality: causality)
        hydrated.records.apply(facts)
        try model.writer.commit(&hydrated, change: Change())
      }
    }
    try replayer.forEachFolded(by: &posting, advance) { fact, isHidden throws(DaybookError) in
      guard !isHidden else { return }
      facts.append(fact)
      portion.add(Quota(events: 1, bytes: UInt64(fact.body.heldBytes)))
      if portion.takeWhole() { try post() }
    }
    if !facts.isEmpty || model == nil { try post() }
    guard let model else { preconditionFailure("a portion was posted") }
    let last = Change(settings: change(posting).settings)
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      var nothing = Hydrated(Records(causality: causality))
      try model.writer.commit(&nothing, change: last)
    }
    return model
  }
}
