import Bytes
import Journaling

/// What a book knows of its logs beyond the records, kept with the read model so that opening is cheap.
struct Ledger: Sendable {
  /// Every trust event of the logs of the book.
  var trustEvents: [TrustEvent] = []
  /// The first 16 bytes of the chain hash of each log's first event.
  var firstHashes: [UniqueID: UniqueID] = [:]
  /// The latest time of any folded event that a new event must not be earlier than.
  var latestTime: Int64 = 0
  /// What is folded: each log, with the last event that counts.
  var folded: [UniqueID: UInt64] = [:]
  /// Sequences of each log that could not be read.
  var missing: [UniqueID: [ClosedRange<UInt64>]] = [:]
  /// The events of the domain that are folded.
  var factCount: UInt64 = 0
}

extension Ledger {
  func encode() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(6)
    writer.arrayHeader(trustEvents.count * 3)
    for event in trustEvents {
      writer.byteString(event.log.bytes)
      writer.unsigned(event.sequence)
      writer.byteString(event.verb.encode())
    }
    writer.arrayHeader(firstHashes.count * 2)
    for (log, hash) in firstHashes.sorted(by: { $0.key < $1.key }) {
      writer.byteString(log.bytes)
      writer.byteString(hash.bytes)
    }
    writer.integer(latestTime)
    writer.arrayHeader(folded.count * 2)
    for (log, last) in folded.sorted(by: { $0.key < $1.key }) {
      writer.byteString(log.bytes)
      writer.unsigned(last)
    }
    writer.arrayHeader(missing.count * 2)
    for (log, ranges) in missing.sorted(by: { $0.key < $1.key }) {
      writer.byteString(log.bytes)
      writer.arrayHeader(ranges.count * 2)
      for range in ranges {
        writer.unsigned(range.lowerBound)
        writer.unsigned(range.upperBound)
      }
    }
    writer.unsigned(factCount)
    return writer.bytes
  }

  init(decoding bytes: [UInt8]) throws(CBORError) {
    var reader = CBORReader(bytes.span)
    let start = reader.offset
    guard try reader.arrayHeader() == 6 else { throw .wrongLength(expected: 6, at: start) }
    for _ in 0..<(try reader.arrayHeader() / 3) {
      let log = try reader.uniqueID()
      let sequence = try reader.unsigned()
      let body = try reader.byteString()
      if let verb = try TrustVerb.decode(body.span) {
        trustEvents.append(TrustEvent(log: log, sequence: sequence, verb: verb))
      }
    }
    for _ in 0..<(try reader.arrayHeader() / 2) {
      firstHashes[try reader.uniqueID()] = try reader.uniqueID()
    }
    latestTime = try reader.integer()
    for _ in 0..<(try reader.arrayHeader() / 2) {
      folded[try reader.uniqueID()] = try reader.unsigned()
    }
    for _ in 0..<(try reader.arrayHeader() / 2) {
      let log = try reader.uniqueID()
      var ranges: [ClosedRange<UInt64>] = []
      for _ in 0..<(try reader.arrayHeader() / 2) {
        let first = try reader.unsigned()
        ranges.append(first...max(first, try reader.unsigned()))
      }
      missing[log] = ranges
    }
    factCount = try reader.unsigned()
    try reader.finish()
  }
}
