import Bytes
import Daybook
import Domain
import Phrasing

/// One line of the log: an event of a record, or an event about the devices of the book.
enum LogLine {
  case record(HistoryEntry)
  case device(DeviceEvent)

  var entry: HistoryEntry? { if case .record(let entry) = self { entry } else { nil } }

  /// Merges entries and device events, latest first; `entries` must be sorted latest first, `events` latest last.
  static func merged(_ entries: [HistoryEntry], _ events: [DeviceEvent]) -> [LogLine] {
    var lines: [LogLine] = []
    lines.reserveCapacity(entries.count + events.count)
    var left = events[...]
    for entry in entries {
      while let event = left.last, event.time > entry.fact.effectiveTime {
        lines.append(.device(event))
        left.removeLast()
      }
      lines.append(.record(entry))
    }
    return lines + left.reversed().map(LogLine.device)
  }

  func json(_ snapshot: Snapshot) throws -> JSON {
    switch self {
    case .record(let entry): try snapshot.json(entry)
    case .device(let event): event.json
    }
  }
}

extension DeviceEvent {
  /// The position of the event in the log of its device, in the format of a command name.
  var eventName: String { "\(author.visible):\(sequence)" }

  var verbWords: String {
    switch action {
    case .admitted: "admitted"
    case .revoked: "revoked"
    case .renamed: "named"
    case .began: "began"
    case .left: "left"
    case .erased(let isHeld): isHeld ? "asked to erase" : "erased"
    }
  }

  var subjectWords: String {
    let device = "device \(name.visible) (\(fingerprint.joined(separator: "-")))"
    return switch action {
    case .admitted(let route?): "\(device) \(route.words)"
    case .began: "the log of \(device)"
    case .left: "a log of \(device)"
    case .erased: "the record that \(name.visible) added"
    case .admitted(nil), .revoked, .renamed: device
    }
  }

  fileprivate var json: JSON {
    let verb: String
    var way: String?
    switch action {
    case .admitted(let route): (verb, way) = ("admit", route?.name)
    case .revoked: verb = "revoke"
    case .renamed: verb = "rename"
    case .began: verb = "open"
    case .left: verb = "retire"
    case .erased: verb = "erase"
    }
    let isErasure = fingerprint.isEmpty
    // The members are the same as for an event of a record.
    return .object(
      ("time", .string(Instant.text(time))), ("when", .null), ("isClockSuspect", false),
      ("device", .string(author)), ("replica", .string(replica.hex)),
      ("sequence", .integer(Int64(clamping: sequence))),
      ("command", .integer(Int64(clamping: sequence))), ("verb", .string(verb)),
      ("isUndo", false), ("isRedo", false), ("kind", isErasure ? .null : "device"), ("id", .null),
      ("title", isErasure ? .null : .string(name)),
      (
        "fields",
        isErasure
          ? .object(("added", .string(name)))
          : .object(
            ("fingerprint", .string(fingerprint.joined(separator: "-"))), ("way", .words(way)))
      ), ("replaced", .object([])), ("alternatives", .object([])), ("because", .null))
  }
}
