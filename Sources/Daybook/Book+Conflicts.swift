import Bytes
package import Domain
import Journaling
package import ReadModel

extension Book {
  /// All that is to be settled, record by record: in the book as it is, or as a read model shows it.
  ///
  /// Only the records in conflict are looked at, or of these the ones given.
  package func conflicts(
    of documents: Set<EventKey>? = nil, in model: ReadModel? = nil
  ) throws(DaybookError) -> [Conflict] {
    let shown = if let model { model } else { try view() }
    let keys = if let documents { documents } else { try unsettled(in: shown) }
    return try conflicts(of: keys, shown)
  }

  private func conflicts(
    of keys: Set<EventKey>, _ model: ReadModel
  ) throws(DaybookError) -> [Conflict] {
    guard !keys.isEmpty else { return [] }
    let records = try records(of: keys, in: model)
    let writers = ConflictWriters(records.causality, try devices(), isSuspect: isSuspect)
    var found: [EventKey: Document] = [:]
    for document in keys.compactMap(records.document(of:)) { found[document.key] = document }
    return found.values.sorted { left, right in
      if left.kind != right.kind { return left.kind < right.kind }
      return left.title == right.title ? left.id < right.id : left.title < right.title
    }.flatMap { writers.conflicts(in: $0, of: records) }
  }

  /// The shown members of the records in conflict.
  package func unsettled(in model: ReadModel) throws(DaybookError) -> Set<EventKey> {
    try wrap(DaybookError.view) { () throws(ReadModelError) in try model.unsettled() }
  }

  /// The records of entities, with those that their references lead to.
  func records(
    of keys: Set<EventKey>, in model: ReadModel
  ) throws(DaybookError) -> Records {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.hydrateWithReferences(keys, causality: try model.causality())
    }
  }
}

/// Puts names to the events behind conflicts.
private struct ConflictWriters {
  private let causality: Causality
  private let names: [UniqueID: String]
  private let own: Set<UniqueID>
  private let isSuspect: (Int64) -> Bool

  init(_ causality: Causality, _ devices: [Device], isSuspect: @escaping (Int64) -> Bool) {
    self.causality = causality
    self.isSuspect = isSuspect
    names = devices.names
    let key = devices.first(where: \.isThis)?.key
    own = Set(devices.filter { $0.key == key }.map(\.replica))
  }

  func conflicts(in document: Document, of records: Records) -> [Conflict] {
    guard document.isAlive else { return [] }
    var conflicts: [Conflict] = []
    if let dispute = document.deleteAgainstEdit {
      let sides = [
        Conflict.Side(content: .edited, writers: [writer(dispute.giver)]),
        Conflict.Side(content: .deleted, writers: [writer(dispute.delete)]),
      ]
      conflicts.append(Conflict(document: document, subject: .life, sides: sides))
    }
    for shown in document.conflicts {
      let sides = records.writers(of: shown.field, in: document).map { writes in
        Conflict.Side(
          content: .value(writes.first?.value ?? .null),
          writers: writes.map { write in
            writer(
              Mark(key: write.key, time: write.time, effectiveTime: write.effectiveTime),
              alternative: write.field.alternative)
          })
      }
      conflicts.append(Conflict(document: document, subject: .field(shown.field), sides: sides))
    }
    return conflicts
  }

  private func writer(_ mark: Mark, alternative: Int = 0) -> Conflict.Writer {
    let log = causality.identity(of: mark.key.log)?.id ?? .none
    return Conflict.Writer(
      device: names[log] ?? log.hex, log: log, sequence: mark.key.sequence,
      alternative: alternative, time: mark.effectiveTime, isClockSuspect: isSuspect(mark.time),
      isThis: own.contains(log))
  }
}
