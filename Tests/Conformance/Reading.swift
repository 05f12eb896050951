import Bytes
@testable import Daybook
import Journaling
import Verifying

/// The events, trust and state that a reader finds in a book.
struct Reading: Codable {
  /// Each event as `sequence time when verb hash`, grouped by log.
  var logs: [String: [String]]
  var known: [String]
  var cuts: [String: UInt64]
  var admitted: [String]
  var digest: String
  var words: String
  /// The trunk of each branch.
  var trunks: [String: String]
  /// The missing events, grouped by log.
  var holes: [String: [[UInt64]]]
  /// Events whose bodies were stripped although no `erase` that counts names them.
  var bodiless: [String]
  var wrongHeads: Int

  /// Describes the differences from another reading.
  func differences(from other: Reading) -> [String] {
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ value: (Reading) -> Value) {
      let (one, two) = (value(self), value(other))
      if one != two { differences.append("\(name): \(one), not \(two)") }
    }
    compare("logs") { $0.logs.mapValues(\.count).sorted { $0.key < $1.key }.map { "\($0)" } }
    for log in logs.keys.sorted() { compare(log) { $0.logs[log] ?? [] } }
    compare("trunks", \.trunks)
    compare("known", \.known)
    compare("cuts", \.cuts)
    compare("admitted", \.admitted)
    compare("digest", \.digest)
    compare("words", \.words)
    compare("holes", \.holes)
    compare("bodiless", \.bodiless)
    compare("wrong heads", \.wrongHeads)
    return differences
  }

  /// What follows from the events that count.
  struct Outcome: Equatable {
    var known: [String]
    var cuts: [String: UInt64]
    var admitted: [String]
    var digest: String
  }

  var outcome: Outcome {
    Outcome(known: known, cuts: cuts, admitted: admitted, digest: digest)
  }

  /// Reads a book with the program.
  init(of book: Book) throws {
    var lines: [String: [String]] = [:]
    var stripped: [(log: UniqueID, sequence: UInt64, erase: Landmark)] = []
    let journal = try Journal(at: book.layout.folder, on: book.machine)
    for id in journal.logs.keys {
      try journal.forEachEvent(of: id) { event, body in
        let when = event.when.map(String.init) ?? "-"
        let verb = event.verb.map(String.init) ?? "-"
        lines[id.hex, default: []].append(
          "\(event.sequence) \(event.time) \(when) \(verb) \(event.hash.hex)")
        if event.isStripped {
          var reader = CBORReader(body.span)
          stripped.append((id, event.sequence, try StrippedBody.decode(&reader).erase))
        }
      }
    }
    logs = lines
    let ledger = try book.core.projector.remembered(by: try book.view()).ledger
    let trust = try book.core.trustReader.trust(by: ledger)
    known = trust.known.map(\.hex).sorted()
    cuts = Dictionary(uniqueKeysWithValues: trust.cuts.map { ($0.key.hex, $0.value) })
    admitted = trust.admitted.keys.map(\.hex).sorted()
    let digest = try book.statusReader.digest()
    self.digest = digest.hex
    words = Words.pronounceable(digest).joined(separator: " ")
    trunks = Dictionary(
      uniqueKeysWithValues: journal.forks.map { ($0.key.hex, $0.value.trunk.hex) })
    holes = [:]
    let report = try book.verifier.verify()
    wrongHeads = report.faults.count { $0.kind == .head }
    for log in report.logs where !log.isAside {
      // Events that are stored, but belong to no log, are not lost. Losses after the end of a log are not evident from
      // the logs alone.
      let ranges = log.missing.without(report.unplaced(in: log)).filter {
        $0.upperBound < log.last
      }
      if !ranges.isEmpty { holes[log.id.hex] = ranges.map { [$0.lowerBound, $0.upperBound] } }
    }
    let counting = Set(ledger.erasing.erases(by: trust.admitted).map(\.place.mark))
    bodiless = stripped.filter { !counting.contains($0.erase.mark) }
      .map { "\($0.log.hex) \($0.sequence)" }.sorted()
  }
}

extension VerificationReport {
  /// The events in the files of a log that belong to no log.
  fileprivate func unplaced(in log: VerifiedLog) -> [ClosedRange<UInt64>] {
    faults.compactMap { fault in
      guard fault.file == log.folder, case .unplaced(let range) = fault.kind else { return nil }
      return range
    }
  }
}
