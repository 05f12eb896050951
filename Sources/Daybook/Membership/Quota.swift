package import Bytes

/// How much of a book a device has written, or may write.
package struct Quota: Hashable, Sendable {
  /// Logs, including the branches of a forked one.
  package var logs: UInt64
  package var events: UInt64
  /// The bytes of all values that the events write, decompressed.
  ///
  /// Events that are not folded do not count.
  package var bytes: UInt64

  package init(logs: UInt64 = 0, events: UInt64 = 0, bytes: UInt64 = 0) {
    (self.logs, self.events, self.bytes) = (logs, events, bytes)
  }

  /// The default: about twenty events a day for eight years.
  ///
  /// Folding that much takes a serving process less than 96 MiB of memory.
  package static let standard = Quota(logs: 64, events: 60_000, bytes: 10 << 20)

  static let unlimited = Quota(logs: .max, events: .max, bytes: .max)

  package static func + (left: Quota, right: Quota) -> Quota {
    Quota(
      logs: left.logs.adding(right.logs), events: left.events.adding(right.events),
      bytes: left.bytes.adding(right.bytes))
  }

  /// Whether all of it is within another quota.
  package func fits(_ other: Quota) -> Bool {
    logs <= other.logs && events <= other.events && bytes <= other.bytes
  }

  /// The used part of another quota, of the resource with the least left; 1 if nothing is left.
  package func share(of other: Quota) -> Double {
    func part(_ used: UInt64, _ all: UInt64) -> Double {
      all == 0 ? 1 : Double(used) / Double(all)
    }
    return max(part(logs, other.logs), part(events, other.events), part(bytes, other.bytes))
  }
}

extension Quota {
  init?(_ json: JSON) {
    func count(_ name: String) -> UInt64? { json[name]?.integer.flatMap(UInt64.init(exactly:)) }
    guard let logs = count("logs"), let events = count("events"), let bytes = count("bytes") else {
      return nil
    }
    self.init(logs: logs, events: events, bytes: bytes)
  }

  package var json: JSON {
    .object(
      ("logs", .integer(Int64(clamping: logs))), ("events", .integer(Int64(clamping: events))),
      ("bytes", .integer(Int64(clamping: bytes))))
  }
}

extension UInt64 {
  fileprivate func adding(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
