import Bytes
import Daybook
import Domain
import Phrasing
import Platform

extension Device {
  /// The name of the device and the words of its key.
  var words: String {
    "\(listedName.visible) (\(fingerprint.joined(separator: "-")))"
  }

  private func eventWords(missing logs: Set<UniqueID>) -> String {
    guard hasLog else {
      return logs.contains(replica) ? "its log is missing" : "has written nothing"
    }
    let all = events.counted("event")
    return cut == 0 ? all : "\(all), \(cut) of them not counted"
  }

  func json(missing logs: Set<UniqueID>) -> JSON {
    .object(
      ("replica", .string(replica.hex)), ("name", .string(name)),
      ("fingerprint", .string(fingerprint.joined(separator: "-"))),
      ("events", .integer(Int64(clamping: events))), ("cut", .integer(Int64(clamping: cut))),
      ("lastWritten", lastWritten.map { .string(Instant.text($0)) } ?? .null),
      ("lastHeard", lastHeard.map { .string(Instant.text($0)) } ?? .null),
      ("clockOffset", clockOffset.map { .integer($0) } ?? .null),
      ("isClockSuspect", .boolean(isClockSuspect)),
      ("standing", .string(standing.words)), ("isThis", .boolean(isThis)),
      ("isOldKey", .boolean(isFormerKey)),
      ("hasWritten", .boolean(hasLog || logs.contains(replica))),
      ("letInBy", .words(admission?.author)),
      ("letInOn", admission?.time.map { .string(Instant.text($0)) } ?? .null),
      ("letInByWay", .words(admission?.route?.name)),
      ("keptBy", .words(keeping?.author)),
      ("keptOn", keeping?.time.map { .string(Instant.text($0)) } ?? .null),
      ("namedBy", .words(renaming?.author)),
      ("namedOn", renaming?.time.map { .string(Instant.text($0)) } ?? .null),
      ("formerName", .words(renaming?.formerName)),
      ("revokedBy", .words(removal?.author)),
      ("revokedOn", removal?.time.map { .string(Instant.text($0)) } ?? .null))
  }

  /// The cells of the device in a list.
  func row(missing: Set<UniqueID>, at timekeeper: any Timekeeper) -> [String] {
    let membership = membership(at: timekeeper)
    return [
      logName.visible + (isThis ? " (this one)" : ""), standing.words, eventWords(missing: missing),
      lastWritten.map(timekeeper.localText) ?? "",
      lastHeard.map { "heard \(timekeeper.localText(of: $0))" } ?? "", clockWords,
      membership.isEmpty ? sponsor?.words ?? "" : membership, fingerprint.joined(separator: "-"),
    ]
  }
}

extension Device.Standing {
  var words: String {
    switch self {
    case .founder: "founder"
    case .admitted: "admitted"
    case .waiting: "waiting"
    case .revoked: "revoked"
    }
  }
}
