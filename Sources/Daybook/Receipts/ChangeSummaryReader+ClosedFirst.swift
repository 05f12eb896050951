import Bytes
import Domain
import ReadModel

extension ChangeSummaryReader {
  /// Finds the to-dos that one device closed while another device made them repeat, if either change is new.
  ///
  /// - Parameters:
  ///   - parting: The records that the new events change.
  ///   - news: The new events, by log.
  ///   - names: The names of the devices, by replica.
  /// - Returns: The to-dos, in the order of their titles.
  /// - Throws: ``DaybookError`` if the read model cannot be read.
  func closedFirst(
    of parting: [ChangeSummary.Parting], since news: [UniqueID: ClosedRange<UInt64>],
    _ names: [UniqueID: String]
  ) throws(DaybookError) -> [Receipt.ClosedFirst] {
    let changed = parting.reduce(into: Set()) { $0.formUnion($1.changedChildren) }
    guard !changed.isEmpty else { return [] }
    let model = try projector.view()
    let causality = try projector.remembered(by: model).causality
    func identity(_ event: EventKey) -> Causality.LogIdentity? {
      causality.identity(of: event.log)
    }
    func isNew(_ event: EventKey) -> Bool {
      identity(event).flatMap { news[$0.id] }?.contains(event.sequence) ?? false
    }
    func name(_ event: EventKey) -> String {
      let replica = identity(event)?.replica ?? .none
      return names[replica] ?? replica.hex
    }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      let series = try model.repeats.series(among: changed)
      guard !series.isEmpty else { return [] }
      let records = try model.records.hydrate(series, causality: causality)
      var found: [Receipt.ClosedFirst] = []
      for key in series {
        guard let document = records.document(of: key), let closing = document.closingWrite,
          let rule = document.shown(Field.Todo.repeat)?.survivors.first?.key,
          isNew(closing) || isNew(rule), causality.areConcurrent(closing, rule),
          let own = try model.repeats.recurrence(of: key, causality: causality)?.state.ownClosing
        else { continue }
        found.append(
          Receipt.ClosedFirst(
            document: document, closer: name(closing), repeater: name(rule), closing: own))
      }
      return found.sorted {
        ($0.document.title, $0.document.id) < ($1.document.title, $1.document.id)
      }
    }
  }
}

extension Document {
  /// The event that closed a to-do; nil if the to-do is open.
  fileprivate var closingWrite: EventKey? {
    [Field.Todo.done, Field.Todo.cancelled].compactMap(shown)
      .first { $0.value == .boolean(true) }?.survivors.first?.key
  }
}
