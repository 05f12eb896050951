package import Bytes

/// The amount that a device has written to a book, or may write.
package struct Quota: Hashable, Sendable {
  /// The number of logs, including the branches of a forked log.
  package var logs: UInt64
  package var events: UInt64
  /// The uncompressed size of the events in bytes, plus a charge for each item that a reader keeps; see
  /// ``EventCharge``.
  package var bytes: UInt64

  package init(logs: UInt64 = 0, events: UInt64 = 0, bytes: UInt64 = 0) {
    (self.logs, self.events, self.bytes) = (logs, events, bytes)
  }

  /// The default quota: about twenty events a day for eight years.
  ///
  /// A serving process needs less than 96 MiB of memory to fold that many events.
  package static let standard = Quota(logs: 64, events: 60_000, bytes: 10 << 20)

  static let unlimited = Quota(logs: .max, events: .max, bytes: .max)

  package static func + (left: Quota, right: Quota) -> Quota {
    Quota(
      logs: left.logs.adding(right.logs), events: left.events.adding(right.events),
      bytes: left.bytes.adding(right.bytes))
  }

  /// Whether every amount is within the given quota.
  package func fits(_ other: Quota) -> Bool {
    logs <= other.logs && events <= other.events && bytes <= other.bytes
  }

  /// The fraction of the given quota that is used, for the resource closest to its limit; 1 at the limit.
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
