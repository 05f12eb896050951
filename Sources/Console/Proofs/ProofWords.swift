import Bytes
import Crypto
import Domain
import Journaling
import Phrasing
import Platform
import Proving

/// The words for the parts of a proof.
struct ProofWords {
  let report: ProofReport
  let timekeeper: any Timekeeper

  var kind: KindSchema? { report.kind.flatMap { Schema.schema(of: Kind(rawValue: $0)) } }

  /// The name of a log's device, which differs from those of the other logs in the file.
  func name(of number: Int) -> String {
    let name = report.logs[number].name?.visible ?? "unnamed device"
    let isShared = report.logs.indices.contains {
      $0 != number && report.logs[$0].name == report.logs[number].name
    }
    return isShared ? "\(name) (log \(number + 1))" : name
  }

  func place(of event: ProofReport.Event) -> String { "\(name(of: event.log)):\(event.sequence)" }

  func time(of event: ProofReport.Event) -> String {
    timekeeper.localText(of: event.when ?? event.time)
  }

  func standing(of number: Int) -> String {
    let log = report.logs[number]
    var words = log.isFounder ? "began this book" : ""
    if let sponsor = log.admittedBy { words = "admitted by \(name(of: sponsor))" }
    for revocation in log.revocations {
      words +=
        ", revoked by \(name(of: revocation.log)) at \(timekeeper.localText(of: revocation.time))"
    }
    return words
  }

  // MARK: Events

  func verb(of event: ProofReport.Event) -> String {
    switch event.role {
    case .erases: "erased"
    case .changes: body(of: event)?.verb.pastWord ?? "changed"
    case .opens: "began"
    case .admits: "admitted"
    case .revokes: "revoked"
    }
  }

  func verbName(of event: ProofReport.Event) -> String {
    switch event.role {
    case .erases: "erase"
    case .changes: body(of: event)?.verb.name(joining: []) ?? "unknown"
    case .opens: "open"
    case .admits: "admit"
    case .revokes: "revoke"
    }
  }

  func content(of event: ProofReport.Event) -> String {
    if case .erases = event.role { return "the record" }
    guard let body = body(of: event) else { return "something from a newer daybook" }
    var parts: [String] = []
    for (field, value) in fields(of: event) {
      let words = value.words(field.type, at: timekeeper) { key in
        key.log == Self.own ? "event \(key.sequence) of the same log" : "a record of another log"
      }
      if field.field.isTag {
        parts.append(value.text == nil ? "a tag removed" : "tagged \(words)")
      } else {
        parts.append("\(field.optionName) \(words)")
      }
    }
    if let reason = reason(of: event) { parts.append("because \(reason.visible)") }
    if event.isCut { parts.append("after the last event that its revocation keeps") }
    guard body.verb == .add, let kind else { return parts.joined(separator: ", ") }
    return ([kind.name] + (parts.isEmpty ? [] : [": " + parts.joined(separator: ", ")])).joined()
  }

  /// The fields that an event writes, with their values.
  func fields(of event: ProofReport.Event) -> [(field: FieldSchema, value: Value)] {
    guard let kind, let body = body(of: event) else { return [] }
    return body.fieldWrites.compactMap { write in
      guard let field = Schema.field(write.field, of: kind.kind), !field.isQuiet else { return nil }
      return (field, write.value)
    }
  }

  func reason(of event: ProofReport.Event) -> String? {
    body(of: event)?.writes.last { $0.field == .because }?.value.text
  }

  /// The number that stands for the log of an event while its body is read.
  private static let own: UInt32 = 0

  /// The body of an event about the record; nil if this version does not understand it.
  private func body(of event: ProofReport.Event) -> Body? {
    guard event.role == .changes else { return nil }
    return try? Body.decode(event.body.span, author: Self.own, resolving: { _ in Self.own + 1 })
  }
}
