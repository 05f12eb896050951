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
    let present = try view()
    let shown = model ?? present
    let keys = if let documents { documents } else { try unsettled(in: shown) }
    guard !keys.isEmpty else { return [] }
    let records = try records(of: keys, in: shown)
    var found: [EventKey: Document] = [:]
    for document in keys.compactMap(records.document(of:)) { found[document.key] = document }
    // The numbers of logs in a model of the past are its own.
    let origins =
      shown === present ? try origins(of: Array(found.values), in: records, shown) : nil
    let writers = ConflictWriters(
      records.causality, try devices(), origins, isSuspect: isSuspect)
    return found.values.sorted { left, right in
      if left.kind != right.kind { return left.kind < right.kind }
      return left.title == right.title ? left.id < right.id : left.title < right.title
    }.flatMap { writers.conflicts(in: $0, of: records) }
  }

  /// Who wrote first what undos have brought back into conflict; nil where none has.
  private func origins(
    of documents: [Document], in records: Records, _ model: ReadModel
  ) throws(DaybookError) -> ValueOrigins? {
    let reopened = documents.filter { document in
      document.conflicts.contains { shown in
        records.writers(of: shown.field, in: document).joined().contains { $0.field.isAlternative }
      }
    }
    guard !reopened.isEmpty else { return nil }
    let posting = try remembered(by: model)
    return ValueOrigins(
      of: Set(reopened.flatMap(\.members)), in: try toldFacts(by: posting), posting.causality)
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
  private let origins: ValueOrigins?
  private let isSuspect: (Int64) -> Bool

  init(
    _ causality: Causality, _ devices: [Device], _ origins: ValueOrigins?,
    isSuspect: @escaping (Int64) -> Bool
  ) {
    (self.causality, self.origins) = (causality, origins)
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
          writers: writes.map { writer($0, of: shown.field) })
      }
      conflicts.append(Conflict(document: document, subject: .field(shown.field), sides: sides))
    }
    return conflicts
  }

  /// Who wrote a value, and by which event it stands there.
  private func writer(_ write: Stored, of field: Field) -> Conflict.Writer {
    let origin = origins?.origin(of: write.value, field, writtenBy: write.key) ?? write
    var writer = writer(
      Mark(key: origin.key, time: origin.time, effectiveTime: origin.effectiveTime))
    writer.event = name(of: write.key)
    writer.alternative = write.field.alternative
    return writer
  }

  private func writer(_ mark: Mark) -> Conflict.Writer {
    let author = name(of: mark.key)
    return Conflict.Writer(
      device: names[author.log] ?? author.log.hex, author: author, event: author,
      time: mark.effectiveTime, isClockSuspect: isSuspect(mark.time),
      isThis: own.contains(author.log))
  }

  private func name(of key: EventKey) -> Conflict.Event {
    Conflict.Event(log: causality.identity(of: key.log)?.id ?? .none, sequence: key.sequence)
  }
}
