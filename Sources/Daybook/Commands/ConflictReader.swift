import Bytes
package import Domain
import Journaling
package import ReadModel

/// Finds the conflicts that the user has to settle.
package struct ConflictReader {
  let projector: Projector
  let deviceList: DeviceList
  let historyReader: HistoryReader

  /// The conflicts of records, now or as of a given time.
  ///
  /// Reads only the given records, or all records in conflict if none are given.
  package func conflicts(
    of documents: Set<EventKey>? = nil, in model: ReadModel? = nil
  ) throws(DaybookError) -> [Conflict] {
    let present = try projector.view()
    let shown = model ?? present
    let keys = if let documents { documents } else { try unsettled(in: shown) }
    guard !keys.isEmpty else { return [] }
    let records = try records(of: keys, in: shown)
    var found: [EventKey: Document] = [:]
    for document in keys.compactMap(records.document(of:)) { found[document.key] = document }
    let origins = try origins(of: Array(found.values), in: records, present)
    let writers = ConflictWriters(
      records.causality, try deviceList.devicesWithoutClocks(), origins,
      isSuspect: deviceList.isSuspect)
    return found.values.sorted { left, right in
      if left.kind != right.kind { return left.kind < right.kind }
      return left.title == right.title ? left.id < right.id : left.title < right.title
    }.flatMap { writers.conflicts(in: $0, of: records) }
  }

  /// The conflicts of a record and, for a repeating to-do, those of its current date, which has no separate row.
  package func conflicts(
    about key: EventKey, in model: ReadModel? = nil
  ) throws(DaybookError) -> [Conflict] {
    let shown = if let model { model } else { try projector.view() }
    let current = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try shown.repeats.recurrence(of: key, causality: try shown.logs.causality())?.stored ?? []
    }
    let found = try conflicts(of: Set([key] + current.map(\.key)), in: shown)
    return found.filter { !$0.document.isOccurrence } + found.filter(\.document.isOccurrence)
  }

  /// The first authors of values that undos have brought back into conflict; nil if there are none.
  ///
  /// - Parameters:
  ///   - documents: The records in conflict.
  ///   - records: The state of these records, now or as of a given time.
  ///   - model: The current read model, in which logs may have different numbers.
  /// - Returns: The authors, by the current numbers of the logs.
  /// - Throws: ``DaybookError`` if the logs cannot be read.
  private func origins(
    of documents: [Document], in records: Records, _ model: ReadModel
  ) throws(DaybookError) -> ValueOrigins? {
    let reopened = documents.filter { $0.isReopened(in: records) }
    guard !reopened.isEmpty else { return nil }
    let posting = try projector.remembered(by: model)
    let members = reopened.flatMap(\.members).compactMap {
      posting.causality.key($0, of: records.causality)
    }
    return ValueOrigins(
      of: Set(members), in: try historyReader.toldFacts(by: posting), posting.causality)
  }

  /// The records in conflict, by their shown members.
  package func unsettled(in model: ReadModel) throws(DaybookError) -> Set<EventKey> {
    try wrap(DaybookError.view) { () throws(ReadModelError) in try model.conflicts.unsettled() }
  }

  /// The records of entities, and the records to which they refer.
  func records(
    of keys: Set<EventKey>, in model: ReadModel
  ) throws(DaybookError) -> Records {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrateWithReferences(keys, causality: try model.logs.causality())
    }
  }
}

/// Finds the authors of the sides of conflicts.
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
    // A conflict cannot be settled while the parent of its record is deleted.
    guard records.isShown(document) else { return [] }
    var conflicts: [Conflict] = []
    if let dispute = document.deleteAgainstEdit {
      let (editor, deleter) =
        firstDispute(in: document, of: records)
        ?? (writer(dispute.giver, by: causality), writer(dispute.delete, by: causality))
      let sides = [
        Conflict.Side(content: .edited, writers: [editor]),
        Conflict.Side(content: .deleted, writers: [deleter]),
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

  /// The author of a value, and the event that the value now comes from.
  private func writer(_ write: Stored, of field: Field) -> Conflict.Writer {
    let mark = Mark(key: write.key, time: write.time, effectiveTime: write.effectiveTime)
    var writer = origin(of: write, field) ?? self.writer(mark, by: causality)
    writer.event = name(of: write.key, by: causality)
    writer.alternative = write.field.alternative
    return writer
  }

  /// The first author of a value that an undo has restored; nil if there is none.
  private func origin(of write: Stored, _ field: Field) -> Conflict.Writer? {
    guard let origins, let key = origins.causality.key(write.key, of: causality) else { return nil }
    var value = write.value
    if let target = value.reference {
      guard let key = origins.causality.key(target, of: causality) else { return nil }
      value = .reference(key)
    }
    return origins.origin(of: value, field, writtenBy: key).map {
      let mark = Mark(key: $0.key, time: $0.time, effectiveTime: $0.effectiveTime)
      return writer(mark, by: origins.causality)
    }
  }

  /// The authors of the edit and of the deletion between which an undo has reopened a conflict; nil if there are
  /// none.
  private func firstDispute(
    in document: Document, of records: Records
  ) -> (editor: Conflict.Writer, deleter: Conflict.Writer)? {
    guard let origins, document.deleteAgainstEdit?.isReopened == true,
      let last = document.lastReopening(in: records)
    else { return nil }
    let members = document.members.compactMap { origins.causality.key($0, of: causality) }
    return origins.dispute(in: members, before: last).map { dispute in
      (writer(dispute.giver, by: origins.causality), writer(dispute.delete, by: origins.causality))
    }
  }

  private func writer(_ mark: Mark, by causality: Causality) -> Conflict.Writer {
    let author = name(of: mark.key, by: causality)
    return Conflict.Writer(
      device: names[author.log] ?? author.log.hex, author: author, event: author,
      time: mark.effectiveTime, isClockSuspect: isSuspect(mark.effectiveTime),
      isThis: own.contains(author.log))
  }

  private func name(of key: EventKey, by causality: Causality) -> Conflict.Event {
    Conflict.Event(log: causality.identity(of: key.log)?.id ?? .none, sequence: key.sequence)
  }
}

extension Document {
  /// Whether an undo has reopened a conflict of the record.
  fileprivate func isReopened(in records: Records) -> Bool {
    if deleteAgainstEdit?.isReopened == true { return true }
    return conflicts.contains { shown in
      records.writers(of: shown.field, in: self).joined().contains { $0.field.isAlternative }
    }
  }

  /// The time of the last undo that reopened a conflict between a delete and an edit.
  fileprivate func lastReopening(in records: Records) -> Int64? {
    members.compactMap { records.entity(of: $0) }.flatMap { $0.writes(of: .disputed) }
      .filter { $0.value == .boolean(true) }.map(\.time).max()
  }
}

extension Causality {
  /// The key of an event in this numbering of the logs, given its key in another numbering.
  fileprivate func key(_ key: EventKey, of other: Causality) -> EventKey? {
    guard let log = other.identity(of: key.log)?.id, let number = number(of: log) else {
      return nil
    }
    return EventKey(log: number, sequence: key.sequence)
  }
}
