import Bytes
@testable import Daybook
import Foundation
import Journaling
import ReadModel
import TestDice
import Testing
import Verifying

/// Books with all kinds of events: edits, deletes, restores, moves, joins and undos by machines with wrong clocks that
/// sync at random, revoke each other and erase records.
struct UpheavalTests {
  /// The number of histories; `DAYBOOK_UPHEAVALS` sets it.
  private static let count =
    ProcessInfo.processInfo.environment["DAYBOOK_UPHEAVALS"].flatMap { UInt64($0) } ?? 12

  private static func history(_ seed: UInt64) throws -> Upheaval {
    var upheaval = try Upheaval(seed: seed)
    try upheaval.live(20 + Int(seed % 3) * 20)
    try upheaval.end()
    return upheaval
  }

  /// More seeds that once found a fault.
  private static let found: [UInt64] = [1_423, 1_426, 1_433, 1_813, 1_993]

  @Test(arguments: Array(1_400..<1_400 + count) + found)
  func `Random histories: books with revocations, erasures and wrong clocks end equal`(
    seed: UInt64
  ) throws {
    let upheaval = try Self.history(seed)
    let first = upheaval.trusted[0]
    let (digest, lost) = (try first.statusReader.digest(), try first.losses.lostBodies())
    for book in upheaval.trusted + upheaval.revoked {
      #expect(try book.statusReader.digest() == digest)
      #expect(book.core.store.journal.logs == first.core.store.journal.logs)
      // All books lack the same bodies.
      #expect(try book.losses.lostBodies() == lost)
      #expect(try book.verifier.verify().faults == [])
    }
    // A body can be lost only if an erasure removed it everywhere and a revocation then cut off the erasure.
    let isCutPossible = upheaval.erasers.contains { eraser in
      upheaval.revoked.contains { $0 === eraser }
    }
    if !isCutPossible { #expect(try first.statusReader.status().missing.isEmpty) }
    try expectSameTables(upheaval)
  }

  private func expectSameTables(_ upheaval: Upheaval) throws {
    let tables = try upheaval.trusted[0].view().tables()
    for book in upheaval.trusted {
      // Compare only the differences, so that a failure message is readable.
      let different = Set(try book.view().tables()).symmetricDifference(tables).sorted()
      #expect(different == [])
      // A rebuild gives the same tables as incremental posting.
      try book.core.projector.rebuild()
      let changed = Set(try book.view().tables()).symmetricDifference(tables).sorted()
      #expect(changed == [])
    }
  }

  @Test func `Random histories: they include revocations, erasures, joins and conflicts`() throws {
    var (revocations, erasures, conflicts, joins) = (0, 0, 0, 0)
    for seed: UInt64 in 1_400..<1_404 {
      let upheaval = try Self.history(seed)
      revocations += upheaval.revoked.count
      erasures += upheaval.erasers.count
      conflicts += try upheaval.trusted[0].conflictReader.conflicts().count
      joins += upheaval.joins
    }
    #expect(revocations > 0 && erasures > 4 && conflicts > 0 && joins > 0)
  }
}
