import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum DeletedCommands {
  static let deleted = CommandSpec(
    "list deleted", "List the deleted records, latest first, and show who deleted them.",
    reading: .past, traits: .isPaged, limitOption,
    examples: ["daybook list deleted", "daybook list deleted --limit 5 --json"],
    notes: [
      "'daybook restore ID' brings back a record, with the contents and sub-tasks that were deleted with it."
    ]
  ) { context, limit in
    let count = try limit.map { Int(clamping: try context.reader.number($0, "--limit", from: 1)) }
    try ListDeleted(context: context).run(upTo: count ?? .max)
  }
}

/// A deleted record with its last delete.
private struct DeletedRecord {
  let document: Document
  let time: Int64
  /// The name of the device that deleted the record.
  let device: String
}

private struct ListDeleted {
  let context: CommandContext
  private var output: Output { context.output }

  func run(upTo most: Int) throws {
    var snapshot = try context.snapshot()
    let all = try deleted(in: snapshot)
    let shown = Array(all.prefix(most))
    if output.isJSON {
      try snapshot.loadConflicts()
      return output.answer(.array(try shown.map { try json($0, snapshot) }))
    }
    if shown.isEmpty { return output.say("Nothing is deleted.") }
    let ids = try snapshot.shortIDs(shown.map(\.document.id))
    output.answer(rows: shown.map { cells(of: $0, ids[$0.document.id] ?? "") })
    if shown.count < all.count {
      let rest = all.count - shown.count
      output.note(
        "\(rest.counted("more deleted record")) \(rest == 1 ? "is" : "are") not shown; use a larger --limit to see \(rest == 1 ? "it" : "them")."
      )
    }
  }

  /// Returns the deleted records, latest first.
  ///
  /// Occurrences are omitted, because a user cannot delete a single occurrence.
  private func deleted(in snapshot: Snapshot) throws -> [DeletedRecord] {
    let causality = try snapshot.model.logs.causality()
    let keys = try snapshot.model.titleSearch.deletedDocuments().map(\.key)
    let records = try snapshot.model.records.hydrateWithReferences(Set(keys), causality: causality)
    let names = try snapshot.book.deviceList.devices().names
    var found: [DeletedRecord] = []
    for key in keys {
      guard let document = records.document(of: key), !document.isOccurrence else { continue }
      let deletes = document.members.flatMap { records.entity(of: $0)?.deletes ?? [] }
      guard let last = deletes.max(by: { $0.effectiveTime < $1.effectiveTime }) else { continue }
      let log = causality.identity(of: last.key.log)?.id
      found.append(
        DeletedRecord(
          document: document, time: last.effectiveTime,
          device: log.map { names[$0] ?? $0.hex } ?? ""))
    }
    return found.sorted { ($1.time, $0.document.id) < ($0.time, $1.document.id) }
  }

  private func cells(of record: DeletedRecord, _ id: String) -> [Cell] {
    let document = record.document
    let time = context.machine.timekeeper.text(of: record.time, isClockSuspect: false)
    return [
      Cell(id, .faint, giving: .never), Cell(document.kind.name), Cell(document.title.visible),
      Cell(time, .faint, giving: .never), Cell(record.device.visible),
    ]
  }

  private func json(_ record: DeletedRecord, _ snapshot: Snapshot) throws -> JSON {
    guard case .object(let members) = try snapshot.jsonWithKind(record.document) else {
      return .null
    }
    return .object(
      members + [
        JSON.Member("deletedAt", .instant(record.time)),
        JSON.Member("deletedBy", .string(record.device)),
      ])
  }
}
