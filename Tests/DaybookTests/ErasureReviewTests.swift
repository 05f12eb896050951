import Bytes
import Journaling
import Testing

@testable import Daybook

/// The erasures by other devices that a device holds.
struct ErasureReviewTests {
  private static let logs = [UniqueID(high: 1, low: 1), UniqueID(high: 2, low: 2)]
  private static let author = UniqueID(high: 9, low: 9)

  private var tree: LogTree { LogTree([:]) { _, _ in nil } }

  /// Erasures of one record for each event, in one log.
  private func erases(
    _ events: ClosedRange<UInt64>, of log: Int = 0
  ) -> [ErasureLedger.Erase] {
    events.map { sequence in
      let place = Landmark(
        log: Self.logs[log], sequence: sequence, hash: UniqueID(high: UInt64(log), low: sequence))
      return ErasureLedger.Erase(
        place: place, entity: EventName(log: Self.author, sequence: UInt64(log) * 1000 + sequence))
    }
  }

  private func judge(
    _ review: inout ErasureReview, _ erases: [ErasureLedger.Erase], at now: Int64 = 0
  ) -> Int {
    review.judge(erases, taking: erases, in: tree, at: now).count
  }

  @Test
  func `Erasure review: the limit counts records of one day, even when the clock is set back`() {
    var review = ErasureReview()
    #expect(judge(&review, erases(1...6), at: ErasureReview.span) == 0)
    #expect(review.recent == [ErasureReview.Batch(arrival: ErasureReview.span, records: 6)])
    for now in [ErasureReview.span, 2 * ErasureReview.span, 0] {
      var later = review
      #expect(judge(&later, erases(7...10), at: now) == 0)
      later = review
      #expect(judge(&later, erases(7...11), at: now) == 5)
    }
    #expect(judge(&review, erases(7...16), at: 2 * ErasureReview.span + 1) == 0)
    #expect(review.passed.map(\.sequence) == [16])
    #expect(review.recent.map(\.records) == [10])
  }

  @Test func `Erasure review: a held erasure holds later ones of its log until it is accepted`() {
    var review = ErasureReview()
    #expect(judge(&review, erases(2...12)) == 11)
    #expect(review.held.map(\.sequence) == [2] && review.passed == [] && review.recent == [])
    let day = ErasureReview.span + 1
    // By then, no erasure has passed within a day, and the erasures of the other log are judged separately.
    #expect(judge(&review, erases(2...4) + erases(3...4, of: 1), at: day) == 3)
    #expect(review.passed.map(\.log) == [Self.logs[1]])
    review.pass(erases(4...4))
    #expect(review.held == [])
    #expect(review.passed.map(\.sequence) == [4, 4])
    #expect(judge(&review, []) == 0)
  }

  @Test func `Erasure review: erasures that pass before a held one are counted once`() {
    var review = ErasureReview()
    #expect(judge(&review, erases(5...15)) == 11)
    let reviewed = ErasureReview(
      passed: erases(3...3).map(\.place), held: erases(5...5).map(\.place),
      recent: [ErasureReview.Batch(arrival: 1, records: 1)])
    #expect(judge(&review, erases(3...3) + erases(5...6), at: 1) == 2)
    #expect(review == reviewed)
    // An erasure that has passed is not judged again.
    #expect(judge(&review, erases(5...6), at: 2) == 2)
    #expect(review == reviewed)
  }

  @Test func `Erasure review: a branch passes no erasure while its trunk has a held one`() {
    let tree = LogTree([
      Self.logs[0]: (Lineage(replica: Self.logs[0]), 20),
      Self.logs[1]: (
        Lineage(replica: Self.logs[0], fork: Fork(trunk: Self.logs[0], lastShared: 10)), 20
      ),
    ]) { _, _ in nil }
    var review = ErasureReview()
    let held = erases(2...12)
    // The erasure in the branch removes nothing here.
    let all = held + erases(15...15, of: 1)
    #expect(review.judge(all, taking: held, in: tree, at: 0).count == 11)
    #expect(review == ErasureReview(held: erases(2...2).map(\.place)))
  }

  @Test func `Erasure review: decoding returns what was encoded, and malformed values are refused`()
    throws
  {
    var file = BookFile(book: Self.author, device: "one")
    #expect(!String(decoding: file.bytes, as: UTF8.self).contains("erasures"))
    _ = judge(&file.erasures, erases(1...3), at: 7)
    _ = judge(&file.erasures, erases(3...14, of: 1), at: 8)
    #expect(file.erasures.held.count == 1 && file.erasures.passed.count == 1)
    #expect(try BookFile(parsing: file.bytes).erasures == file.erasures)
    for text in [
      #"{"passed": [{"log": "00"}]}"#, #"{"held": [7]}"#, #"{"recent": [{"arrival": 1}]}"#,
      #"{"recent": [{"arrival": 1, "records": -1}]}"#,
    ] {
      let json = try JSON(parsing: Array(text.utf8))
      #expect(throws: BookFileError.missing("erasures")) { try ErasureReview(json) }
    }
  }
}
