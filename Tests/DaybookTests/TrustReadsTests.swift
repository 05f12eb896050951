import Bytes
import Journaling
import SimulatedPlatform
import Testing

@testable import Daybook

/// How often the frames of a log are read to find the events that decide who may write.
struct TrustReadsTests {
  /// The number of frames of the log of an admitted device, each of which admits a dozen keys.
  private static let frames = 20

  private struct Case {
    let disk: SimulatedDisk
    let book: Book
    /// The events of the log.
    var marks: [Landmark] = []

    init(seed: UInt64) throws {
      let (office, books) = try TrustingTests.office("one", "two", seed: seed)
      var flood = try Flood()
      try flood.admit(into: books[0])
      let keys = try (1...12).map { try Flood(seed: $0).key }
      try flood.begin(1, frames: TrustReadsTests.frames, title: nil, admitting: keys)
      #expect(try flood.send(to: books[0]) == [])
      (disk, book) = (office.places[0].simulated.disk, try office.places[0].open())
      _ = try book.view()
      let log = flood.logs[0]
      try book.core.store.forEachFrame(of: log) { _, events in
        marks += events.map {
          Landmark(log: log, sequence: $0.sequence, hash: $0.hash.prefix16)
        }
      }
      #expect(marks.count > 12 * TrustReadsTests.frames)
    }

    /// The number of calls that read bytes while a function runs.
    func reads(_ body: () throws -> Void) rethrows -> Int {
      let before = disk.calls.reads
      try body()
      return disk.calls.reads - before
    }

    /// The number of reads that suffice to read each frame twice.
    func readsOfFrames() throws -> Int {
      let mark = marks[marks.count / 2]
      let one = try reads {
        _ = try book.core.store.chainHash(of: mark.log, at: mark.sequence)
      }
      return one * 2 * (TrustReadsTests.frames + 8)
    }
  }

  @Test func `Trust reads: the remembered events of a log are sought frame by frame`() throws {
    let known = try Case(seed: 751)
    let limit = try known.readsOfFrames()
    var lost: Int?
    let reads = try known.reads { lost = try known.book.core.trustReader.lostTrust() }
    #expect(lost == 0)
    #expect(reads <= limit)
  }

  @Test func `Trust reads: the kept events of a log are sought frame by frame`() throws {
    let known = try Case(seed: 752)
    let limit = try known.readsOfFrames()
    let key = try Flood().key
    var ledger = try known.book.core.projector.posting().ledger
    let founder = try #require(try known.book.core.trustReader.trust(by: ledger).founder)
    let place = Landmark(log: founder, sequence: 1_000, hash: UniqueID(high: 1, low: 1))
    let revocation = TrustEvent(at: place, verb: .revoke(key, kept: known.marks))
    ledger.note(revocation, time: nil)
    var trust: Trust?
    let reads = try known.reads { trust = try known.book.core.trustReader.trust(by: ledger) }
    // The last of the events is kept.
    #expect(trust?.cuts[known.marks[0].log] == known.marks.last?.sequence)
    #expect(reads <= limit)
  }
}
