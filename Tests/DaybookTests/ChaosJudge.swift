import Bytes
import Crypto
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import TestDice
import Testing
import Verifying

@testable import Daybook

// Checks that must hold after every meeting, whatever happened to the line.

extension ChaosPair {
  /// The maximum number of bytes that one side may send over one line, because these books are small.
  static let mostSaid = 256 << 10

  /// Lets one side call the other, and checks everything that must hold afterwards.
  @discardableResult
  func tryOut(
    _ road: Road, _ chaos: Chaos, from place: Int, _ comment: Comment
  ) throws -> Outcome {
    let promised = sides[place].promised
    let outcome = try meet(road, chaos, from: place)
    judge(outcome, road, chaos, comment)
    if road != .plain || !chaos.isFalse {
      try expectProgress(in: outcome, at: place, promised: promised, comment)
    }
    try examine(comment)
    return outcome
  }

  /// Checks that both books are valid, hold all acknowledged events, and contain no invented events.
  func examine(_ comment: Comment) throws {
    for side in sides {
      let report = try side.book.verifier.verify()
      #expect(report.faults == [], comment)
      #expect(Set(report.logs.map(\.id)).isSubset(of: sides.map(\.log)), comment)
      for log in report.logs {
        #expect(!log.isAside && log.missing == [], comment)
        let writer = try #require(sides.first { $0.log == log.id }, comment)
        let written = try writer.book.core.store.journal.hash(of: log.id, at: log.last)
        #expect(written != nil && log.hash == written, comment)
      }
      try expectPromisesKept(by: side, comment)
    }
  }

  /// Checks that acknowledged events survive a power cut at this point.
  private func expectPromisesKept(by side: ChaosSide, _ comment: Comment) throws {
    let left = side.disk.copy()
    left.crash()
    let report = try Verification.run(on: Office.folder, disk: left)
    let held = Dictionary(report.logs.map { ($0.id, $0.last) }) { first, _ in first }
    for (log, promised) in side.promised {
      #expect(held[log] ?? 0 >= promised, comment)
    }
  }

  /// Checks that a session failed, if it did, only in ways that a faulty line explains.
  private func judge(_ outcome: Outcome, _ road: Road, _ chaos: Chaos, _ comment: Comment) {
    #expect(outcome.failures == [], comment)
    #expect(max(outcome.said.there, outcome.said.back) <= Self.mostSaid, comment)
    let isFalse = chaos.isFalse
    for fault in outcome.faults {
      let isExcused = fault.isExcused(isFalse: isFalse, isSecure: road != .plain)
      #expect(isExcused, "\(comment): \(fault)")
    }
    // Logs have no problems, unless bytes were changed on a line without TLS.
    if !isFalse || road != .plain { #expect(outcome.problems == [], comment) }
  }

  /// Checks that the dialler keeps all complete frames, that it received no event it had already acknowledged,
  /// and that after a session without fault both logs are equal.
  private func expectProgress(
    in outcome: Outcome, at place: Int, promised: [UniqueID: UInt64], _ comment: Comment
  ) throws {
    let (side, other) = (sides[place], sides[1 - place])
    for side in sides { try side.book.core.store.noticeOthers() }
    if outcome.isContent {
      #expect(side.book.core.store.journal.logs == other.book.core.store.journal.logs, comment)
    }
    let isRepacked = sides.contains { $0.hasRepacked }
    for (log, ranges) in outcome.arrivals {
      let end = side.book.core.store.journal.logs[log]?.sequence ?? 0
      for events in ranges {
        #expect(events.upperBound <= end, comment)
        // Rewritten frames can begin at earlier events.
        #expect(isRepacked || events.lowerBound > promised[log] ?? 0, comment)
      }
    }
  }

  /// Lets both sides follow each other while they write, until the lines are stable and both have settled.
  func keepInTouch(
    _ steps: Int, _ dice: inout TestDice.Dice, _ comment: Comment, _ draw: @escaping () -> Chaos
  ) throws {
    var isFalse = false
    let outcome = try keepInTouch(steps, &dice) {
      let chaos = draw()
      if chaos.isFalse { isFalse = true }
      return chaos
    }
    let lie = Mischief(steps: [.init(offset: 0, deed: .drop(1))])
    judge(outcome, .secure, isFalse ? Chaos(there: lie) : .none, comment)
    try examine(comment)
  }

  /// Lets both sides sync over a line without faults, and checks that the books are equal.
  func settle(_ road: Road, _ comment: Comment) throws {
    let outcome = try tryOut(road, .none, from: 0, comment)
    #expect(outcome.faults == [], comment)
    let books = sides.map(\.book)
    #expect(books[0].core.store.journal.logs == books[1].core.store.journal.logs, comment)
    #expect(try books[0].statusReader.digest() == books[1].statusReader.digest(), comment)
    let tables = try books.map { Set(try $0.view().tables()) }
    #expect(tables[0].symmetricDifference(tables[1]).sorted() == [], comment)
    // If both books are equal, one round trip is enough.
    let again = try tryOut(road, .none, from: 1, comment)
    #expect(again.traffic?.roundTrips == 1 && again.faults == [], comment)
  }
}

extension SyncError {
  /// Whether a faulty line alone can cause this error: a line that breaks or stalls, or a line that changes bytes.
  fileprivate func isExcused(isFalse: Bool, isSecure: Bool) -> Bool {
    switch self {
    case .cut, .network(.cut), .network(.timedOut), .tooSlow, .tls(.cut): true
    case .refused(let refusal) where refusal.code == Refusal.Code.limit.rawValue: true
    case .tls(let fault): isFalse && isSecure && fault.isExcused
    case .refused, .message, .unexpected, .version, .wrongBook, .otherReplica, .noBook:
      isFalse && !isSecure
    case .journal(let error): isFalse && !isSecure && error.isExcused
    default: false
    }
  }
}

extension TLSError {
  /// Whether changed bytes can cause the error.
  ///
  /// They never cause an unknown key.
  fileprivate var isExcused: Bool {
    switch self {
    case .notTLS, .otherVersion, .otherProtocol, .tooMuch, .broken, .refused, .cut: true
    case .noCertificate, .severalCertificates, .otherKeyKind, .unknownKey, .certificate, .library:
      false
    }
  }
}

extension JournalError {
  /// Whether the error is about received data.
  fileprivate var isExcused: Bool {
    switch self {
    case .refused, .gap, .unjoined, .wrongOpening, .wrongHead, .unproved: true
    default: false
    }
  }
}
