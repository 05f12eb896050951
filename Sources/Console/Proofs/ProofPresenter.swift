import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Phrasing
import Platform
import Proving

/// Says what a proof proves, and what it does not prove.
struct ProofPresenter {
  let context: CommandContext
  let report: ProofReport

  private var words: ProofWords {
    ProofWords(report: report, timekeeper: context.machine.timekeeper)
  }

  func tell() {
    let output = context.output
    if output.isJSON { return output.answer(json) }
    output.answer([output.paint.heading("The proof holds.")])
    output.answer([""])
    let own = report.events.filter(\.isAboutRecord).sorted {
      ($0.time, $0.log, $0.sequence) < ($1.time, $1.log, $1.sequence)
    }
    output.answer(
      rows: own.map { event in
        [
          Cell(words.time(of: event), .faint, giving: .never), Cell(words.place(of: event)),
          Cell(words.verb(of: event)), Cell(words.content(of: event), giving: .title),
        ]
      })
    output.answer([""])
    output.answer(
      rows: report.logs.indices.map { number in
        [
          Cell(words.name(of: number)),
          Cell(report.logs[number].key.fingerprint.joined(separator: "-"), giving: .never),
          Cell(words.standing(of: number), giving: .title),
        ]
      })
    output.answer([""])
    output.explain(["Proved:"] + words.proved.map { "- \($0)" })
    output.answer([""])
    output.explain(["Not proved:"] + words.notProved.map { "- \($0)" })
  }

  private var json: JSON {
    .object(
      ("book", .string(report.book.hex)), ("kind", .words(words.kind?.name)),
      ("record", .string(report.record.uuid)),
      ("members", .array(report.members.map { .string($0.uuid) })),
      ("erased", .array(report.erased.map { .string($0.uuid) })),
      ("devices", .array(report.logs.indices.map(device))),
      ("events", .array(report.events.map(event))))
  }

  private func device(_ number: Int) -> JSON {
    let log = report.logs[number]
    return .object(
      ("replica", .string(log.replica.hex)), ("name", .words(log.name)),
      ("fingerprint", .array(log.key.fingerprint.map { .string($0) })),
      ("isFounder", .boolean(log.isFounder)),
      ("admittedBy", .words(log.admittedBy.map { report.logs[$0].replica.hex })),
      ("signedUpTo", .integer(Int64(clamping: log.last))),
      ("shown", .integer(Int64(clamping: log.shown))),
      ("hidden", .integer(Int64(clamping: log.hidden))),
      ("absent", .integer(Int64(clamping: log.absent))), ("isWhole", .boolean(log.isWhole)),
      ("isUnbroken", .boolean(log.isUnbroken)), ("isForked", .boolean(log.isForked)),
      (
        "revocations",
        .array(
          log.revocations.map { revocation in
            .object(
              ("by", .string(report.logs[revocation.log].replica.hex)),
              ("sequence", .integer(Int64(clamping: revocation.sequence))),
              ("time", .string(Instant.text(revocation.time))),
              ("kept", .integer(Int64(clamping: revocation.kept))))
          })
      ))
  }

  private func event(_ event: ProofReport.Event) -> JSON {
    var fields: [JSON.Member] = []
    for (field, value) in words.fields(of: event) {
      fields.append(JSON.Member(field.name, value.json(field.type) { _ in nil }))
    }
    return .object(
      ("time", .string(Instant.text(event.time))), ("when", .instant(event.when)),
      ("replica", .string(report.logs[event.log].replica.hex)),
      ("sequence", .integer(Int64(clamping: event.sequence))),
      ("hash", .string(event.hash.hex)), ("verb", .string(words.verbName(of: event))),
      ("isCut", .boolean(event.isCut)), ("fields", .object(fields)),
      ("because", .words(words.reason(of: event))), ("body", .string(Hex.encode(event.body))))
  }
}

extension ProofReport.Event {
  /// Whether the event changed or erased the record.
  fileprivate var isAboutRecord: Bool {
    switch role {
    case .changes, .erases: true
    case .opens, .admits, .revokes: false
    }
  }
}
