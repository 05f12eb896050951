import Bytes
import Crypto
import Journaling
import Testing

@testable import Daybook

/// The bytes of the second copy of the trust events.
struct TrustRecordTests {
  private static let log = UniqueID(high: 1, low: 2)
  private static let branch = UniqueID(high: 3, low: 4)

  private static var key: PublicKey {
    get throws { try PublicKey([UInt8](repeating: 7, count: 32)) }
  }

  private static func event(_ sequence: UInt64) -> Landmark {
    Landmark(log: log, sequence: sequence, hash: UniqueID(high: 5, low: sequence))
  }

  /// A copy with one event, one kept event and one fork.
  private static func record() -> TrustRecord {
    var record = TrustRecord()
    let place = event(7)
    record.entries = [
      TrustRecord.Entry(
        replica: log, event: EventName(log: log, sequence: place.sequence), hash: place.hash,
        verb: .erase(Reference(index: 0, sequence: 3), add: UniqueID(high: 6, low: 7)),
        entity: EventName(log: log, sequence: 3))
    ]
    record.kept = [TrustRecord.Kept(place: event(6), commandEnd: 5)]
    record.forkPoints = [branch: Landmark(log: log, sequence: 0, hash: .none)]
    return record
  }

  @Test func `Remembered trust: a file with the highest sequences is read as it was written`() {
    var record = Self.record()
    let last = Limit.lastSequence - 1
    record.kept = [TrustRecord.Kept(place: Self.event(last), commandEnd: last)]
    record.forkPoints[Self.branch]?.sequence = last
    record.entries[0].entity?.sequence = last
    #expect(TrustRecord(parsing: Self.record().bytes) == Self.record())
    #expect(TrustRecord(parsing: record.bytes) == record)
  }

  @Test(arguments: [Limit.lastSequence, .max])
  func `Remembered trust: a file with a sequence that no event can have is damaged`(
    sequence: UInt64
  ) {
    var (fork, kept, entity) = (Self.record(), Self.record(), Self.record())
    fork.forkPoints[Self.branch]?.sequence = sequence
    kept.kept[0].commandEnd = sequence
    entity.entries[0].entity?.sequence = sequence
    #expect([fork, kept, entity].map { TrustRecord(parsing: $0.bytes) } == [nil, nil, nil])
  }

  @Test func `Remembered trust: a file of an older version, without forks, is read`() {
    var record = Self.record()
    record.forkPoints = [:]
    // The array begins with its length, and ends with the empty array of forks.
    var content = Array(record.bytes.dropLast(33))
    #expect([content.first, record.bytes.dropLast(32).last] == [0x84, 0x80])
    content[0] = 0x83
    #expect(TrustRecord(parsing: content + SHA256.digest(of: content).bytes) == record)
  }

  @Test func `Remembered trust: trails are read as they were written, and damaged ones are not`()
    throws
  {
    var record = Self.record()
    let trail = TrustRecord.Trail(hashes: [1, 2, 4].map { UniqueID(high: 9, low: $0) })
    record.entries[0].trail = trail
    record.kept[0].trail = trail
    #expect(TrustRecord(parsing: record.bytes) == record)
    record.entries[0].entity = nil
    record.entries[0].verb = .revoke(try Self.key, kept: [])
    #expect(TrustRecord(parsing: record.bytes) == record)
    let marks = [6, 5, 3].map { UInt64($0) }
    #expect(record.points[Self.log]?.map(\.sequence) == [2, 3, 4, 5, 5, 6, 6, 7])
    #expect(trail.marks(before: 7).map(\.sequence) == marks)
    // A trail cannot begin before its log.
    record.entries[0].trail.hashes.append(.none)
    #expect(TrustRecord(parsing: record.bytes) == nil)
  }

  @Test func `Remembered trust: a trail goes back to the event before it`() {
    func sequences(_ last: UInt64, _ first: UInt64) -> [UInt64] {
      TrustRecord.Trail.sequences(before: last, after: first)
    }
    #expect(sequences(1, 0) == [])
    #expect(sequences(9, 8) == [])
    #expect(sequences(9, 4) == [8, 7, 5])
    #expect(sequences(9, 0) == [8, 7, 5, 1])
    #expect(sequences(.max, 0).count == 64)
  }
}
