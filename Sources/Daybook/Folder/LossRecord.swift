package import Bytes
package import Journaling

/// The events that are known to have been here and are now missing.
///
/// The record is part of `book.json`, because the remaining logs and a new read model do not show where a log once
/// ended. An entry is removed when its events are recovered. Entries of accepted losses remain.
package struct LossRecord: Hashable, Sendable {
  /// For each log or branch, the last event that is known to have been here but is missing.
  ///
  /// The hash is zero if only the sequence is known.
  package private(set) var ends: [UniqueID: Landmark] = [:]
  /// The missing events of each replica that the user has accepted as lost.
  package private(set) var accepted: [UniqueID: [ClosedRange<UInt64>]] = [:]

  package init() {}

  package var isEmpty: Bool { self == LossRecord() }

  /// Adds events that are known to have been here, and removes those that are here.
  ///
  /// - Returns: Whether anything changed.
  mutating func note(
    _ known: [Landmark], isHeld: (Landmark) throws(DaybookError) -> Bool
  ) throws(DaybookError) -> Bool {
    let before = ends
    for end in Array(ends.values) + known {
      if try isHeld(end) {
        if ends[end.log] == end { ends[end.log] = nil }
      } else if end.isBehind(ends[end.log]) {
        ends[end.log] = end
      }
    }
    return ends != before
  }

  /// Records missing events of replicas as accepted.
  mutating func accept(_ missing: [UniqueID: [ClosedRange<UInt64>]]) {
    for (replica, ranges) in missing {
      accepted[replica] = [ClosedRange<UInt64>](joining: (accepted[replica] ?? []) + ranges)
    }
  }

  /// Removes accepted events that are no longer missing.
  ///
  /// If these events are lost again, the loss is reported.
  ///
  /// - Returns: Whether anything changed.
  mutating func forgetAccepted(except missing: [UniqueID: [ClosedRange<UInt64>]]) -> Bool {
    let before = accepted
    for (replica, ranges) in before {
      let still = (missing[replica] ?? []).flatMap { range in
        ranges.filter(range.overlaps).map(range.clamped)
      }
      accepted[replica] = still.isEmpty ? nil : [ClosedRange<UInt64>](joining: still)
    }
    return accepted != before
  }

  /// The missing events of a replica that the user has not accepted as lost.
  func unaccepted(
    _ missing: [ClosedRange<UInt64>], of replica: UniqueID
  ) -> [ClosedRange<UInt64>] {
    missing.without(accepted[replica] ?? [])
  }
}

// MARK: JSON

extension LossRecord {
  static let name = "losses"

  init(_ json: JSON?) throws(BookFileError) {
    for member in json?.members ?? [] {
      guard let replica = UniqueID(hex: member.name) else { throw .missing(Self.name) }
      if let end = member.value["end"] {
        guard let sequence = end.integer.flatMap(UInt64.init(exactly:)), sequence > 0 else {
          throw .missing(Self.name)
        }
        let hash = member.value["hash"]?.string.flatMap { UniqueID(hex: $0) }
        ends[replica] = Landmark(log: replica, sequence: sequence, hash: hash ?? .none)
      }
      var ranges: [ClosedRange<UInt64>] = []
      for pair in member.value["accepted"]?.array ?? [] {
        guard let range = ClosedRange<UInt64>(pair) else { throw .missing(Self.name) }
        ranges.append(range)
      }
      if !ranges.isEmpty { accepted[replica] = ranges }
    }
  }

  var json: JSON {
    .object(
      Set(ends.keys).union(accepted.keys).sorted().map { replica in
        let end = ends[replica].map { JSON.Member("end", .integer(Int64(clamping: $0.sequence))) }
        let hash = ends[replica].flatMap { end in
          end.hash == .none ? nil : JSON.Member("hash", .string(end.hash.hex))
        }
        let ranges = accepted[replica].map { JSON.Member("accepted", .array($0.map(\.json))) }
        return JSON.Member(replica.hex, .object([end, hash, ranges].compactMap(\.self)))
      })
  }
}

extension Landmark {
  /// Whether this event is later than another known event, or describes the same event in more detail.
  fileprivate func isBehind(_ other: Landmark?) -> Bool {
    guard let other, other.sequence >= sequence else { return true }
    return other.sequence == sequence && other.hash == .none && hash != .none
  }
}

extension ClosedRange<UInt64> {
  /// Reads `[first, last]`.
  fileprivate init?(_ json: JSON) {
    guard let ends = json.array, ends.count == 2, let first = ends[0].integer,
      let last = ends[1].integer, first > 0, first <= last
    else { return nil }
    self = UInt64(first)...UInt64(last)
  }

  fileprivate var json: JSON {
    .array([.integer(Int64(clamping: lowerBound)), .integer(Int64(clamping: upperBound))])
  }
}
